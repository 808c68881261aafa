"""What is told of an event beside its kind: keys, rows, destinations, safe to repeat or not."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

import libcst as cst

from contractlint.code.conditions import last_name, names_in
from contractlint.code.options import Options
from contractlint.code.sql import Statement, read_sql
from contractlint.code.stores import stores_of
from contractlint.code.updates import GUARDS, labels_of_rows, labels_of_statement, labels_of_values
from contractlint.code.values import NOTHING, Arguments, Settings, Value, derived
from contractlint.vocabulary.model import CallSpec, EventSpec

_SET_FAILED = re.compile(r"=\s*'(?:failed|declined|rejected|refused|cancell?ed)'", re.I)
_QUEUE_WIDTH = 40  # letters of the code that names a queue


class Attributes(Options):
    """Options, and the attributes of events."""

    def statement_of(self, spec: CallSpec, arguments: Arguments) -> Statement | None:
        if spec.sql is None:
            return None
        value = self.find_argument(arguments, spec.sql)
        if value is None:
            return Statement("unknown")
        text = value.const if isinstance(value.const, str) else value.text
        if text:
            return read_sql(text)
        return self._statement_of_construct(value)

    def _statement_of_construct(self, value: Value) -> Statement:
        """A query object (`select(…)`, `insert(…)`) tells by the labels its maker gave it."""
        if value.has("claim"):
            return Statement("claim")
        if value.has("lookup"):
            return Statement("read")
        return Statement("write" if value.has("write-count") else "unknown")

    def kinds_by_sql(self, event: EventSpec, statement: Statement | None) -> tuple[str, ...]:
        """Return what a statement does instead of `event`: a lock may also take the row."""
        if statement is None or statement.kind in ("write", "claim"):
            return (event.event,)
        if statement.kind != "lock":
            return ()
        self.memory.queue_tables.add(statement.locks)
        takes = statement.removes_from or statement.marks_in
        return ("receive", event.event) if takes else ("receive",)

    def queue_of(self, settings: Settings) -> dict[str, str]:
        """Return the attribute that names the queue of a delivery, if it is told by an option.

        A name that is not constant is told by its code.
        """
        setting = settings.get("queue")
        if setting is None or setting.value is NOTHING:
            return {}
        names = [item.const for item in setting.value.elements or (setting.value,)]
        if all(isinstance(name, str) and name for name in names):
            return {"queue": ", ".join(map(str, names))}
        if setting.source is None:
            return {}
        module, node = setting.source
        code = node.value if isinstance(node, cst.Arg) else node
        return {"queue": module.code(code, _QUEUE_WIDTH)}

    def queue_attributes(self, kind: str, statement: Statement) -> dict[str, str]:
        """Say of a delivery which table it comes from, of a write whether it takes it off there."""
        if kind == "receive":
            return {"queue": statement.locks}
        queues = self.memory.queue_tables
        if statement.removes_from and statement.removes_from in queues:
            return {"settles": "yes"}
        return {"settles": "maybe"} if statement.marks_in in queues - {""} else {}

    def stores_refusal(self, arguments: Arguments) -> bool:
        given = arguments.all()
        inner = [item for value in given for _, item in nested(value)]
        elements = [item for value in given for item in value.elements or ()]
        sql = any(_SET_FAILED.search(value.text) for value in given if value.text)
        return sql or any(map(self.says_refusal, (*given, *inner, *elements)))

    def says_refusal(self, value: Value) -> bool:
        """Is it a word, or a member of an enumeration, for what was refused or has failed?"""
        word = value.const if isinstance(value.const, str) else value.dotted.rpartition(".")[2]
        return self.idioms.is_name("refusal", word)

    def names_others(self, spec: CallSpec, arguments: Arguments, receiver: Value) -> bool:
        """Are offsets or a handle acknowledged that do not come from the delivery in hand?"""
        named = self.settings(spec.options, arguments, {}).get("offsets")
        named = named or receiver.options.get("handle")
        if named is None or named.source is None or named.value.const is None:
            return False
        return not (named.value.has("message") or named.value.has("delivery-identity"))

    def stays_here(self, node: cst.Call) -> bool:
        """Is it handed to a queue of the function around, which waits for it and then ends?"""
        if not isinstance(node.func, cst.Attribute) or not isinstance(node.func.value, cst.Name):
            return False
        name, scope = node.func.value.value, self.scope.parent
        return scope is not None and name not in self.scope.names and scope.find(name) is not None

    def effect_attributes(
        self, spec: CallSpec, arguments: Arguments, node: cst.Call
    ) -> dict[str, str]:
        keys = [value for arg in spec.keyed if (value := self.seen_argument(arguments, arg))]
        keys += self.keys_handed_over(arguments, node)
        keys = [key for key in keys if key.const is not None]
        found = {"key": "none"}
        if keys:
            found["key"] = "unstable" if all(key.has("unstable") for key in keys) else "stable"
        if self.undoes(arguments, node):
            found["undoes"] = "yes"
        if self._may_be_repeated(arguments, node):
            found["repeat"] = "safe"
        if self._tells_of_failure():
            found["repeat"] = "safe"
        return found

    def _may_be_repeated(self, arguments: Arguments, node: cst.Call) -> bool:
        if self._only_reads(arguments) or self._only_computes(node) or self._repeatable(arguments):
            return True
        return self.idioms.any_name("trial", self.active_names)

    def _tells_of_failure(self) -> bool:
        """Is it done in an `except`, by a function that deals with failures?"""
        names = [frame.function.name for frame in self.frames[1:] if frame.function is not None]
        return bool(self.handling) and self.idioms.any_name("telling-failure", names)

    def undoes(self, arguments: Arguments, node: cst.CSTNode) -> bool:
        texts = (v.text for v in arguments.all() if v.text)
        return self.idioms.any_name("undoing", (last_name(node), *texts))

    def _only_reads(self, arguments: Arguments) -> bool:
        texts = [v.text for v in arguments.all() if v.text]
        return any(self.idioms.is_name("safe-url", text) for text in texts)

    def _repeatable(self, arguments: Arguments) -> bool:
        """Is it a constant command that leaves the same behind however often it is run?"""
        commands = [v.const for v in arguments.positional if isinstance(v.const, str)]
        return any(self.idioms.is_name("repeatable-command", command) for command in commands)

    def _only_computes(self, node: cst.Call) -> bool:
        """Does the address bear the name of something that answers and keeps nothing?"""
        method = self.scope.method
        owner = method.owner if method is not None else None
        if owner is not None and self.idioms.is_name("computing-client", owner.qualname):
            return True
        address = node.args[0].value if node.args else None
        return address is not None and self.idioms.is_name("computing-endpoint", last_name(address))

    def keys_handed_over(self, arguments: Arguments, node: cst.Call) -> list[Value]:
        """Find idempotency keys among keywords, headers and other dicts, by their names."""
        found = []
        for name, value in arguments.keywords.items():
            if self.idioms.is_name("idempotency-key", name):
                found.append(value)
            found += [item for key, item in nested(value) if self._is_key(key)]
        for value in arguments.positional:
            found += [item for key, item in nested(value) if self._is_key(key)]
        if not found:
            handed = {n for arg in node.args for n in names_in(arg.value)}
            found = [NOTHING for name in handed if self._is_key(name)][:1]
        return found

    def _is_key(self, name: str) -> bool:
        return self.idioms.is_name("idempotency-key", name)

    def note_asked(self, node: cst.Call, arguments: Arguments, statement: Statement | None) -> None:
        if any(value.has("message") for value in arguments.all()):
            self.asked = stores_of(node, arguments, statement) or self.asked

    def row_labels(self, spec: CallSpec, receiver: Value, arguments: Arguments) -> frozenset[str]:
        """Return what is known of the rows that a call writes or a query asks for."""
        labels = receiver.labels & GUARDS
        statement = self.statement_of(spec, arguments)
        if statement is not None:
            labels |= labels_of_statement(statement, self.idioms)
        construct = self.find_argument(arguments, spec.sql) if spec.sql else None
        if construct is not None:
            labels |= construct.labels & GUARDS
        if spec.rows is not None:
            labels |= labels_of_rows(arguments.nodes_at(spec.rows), self.idioms)
        if spec.values is not None:
            labels |= labels_of_values(arguments.nodes_at(spec.values), self.idioms)
        return labels

    def rows_asked_for(self, spec: CallSpec, arguments: Arguments) -> list[Value]:
        if spec.rows is None or spec.rows.name == "*":
            return arguments.all()
        value = self.find_argument(arguments, spec.rows)
        return [value] if value is not None else []

    def handed_version(self, values: Iterable[Value], node: cst.CSTNode) -> None:
        """Whoever is asked for something, and is given the version for it, looks at it."""
        given = [item for value in values for item in (value, *(v for _, v in nested(value)))]
        if any(value.has("version") for value in given):
            self.emit("version_check", self.source(node), {"by": "call"})

    def special_destination(self, arguments: Arguments, node: cst.Call) -> str:
        if self.goes_to_dead_letters(arguments, node):
            return "dead-letter"
        names = {name for arg in node.args for name in names_in(arg.value)}
        if self.idioms.any_name("reply-destination", names):
            return "reply"
        return "source" if self._goes_back(arguments, node) else ""

    def goes_to_dead_letters(self, arguments: Arguments, node: cst.Call) -> bool:
        texts = [v.text for v in arguments.all() if v.text]
        texts += [name for arg in node.args for name in names_in(arg.value)]
        if isinstance(node.func, cst.Attribute):
            texts.append(last_name(node.func.value))
        return any(self.idioms.is_name("dead-letter-destination", text) for text in texts)

    def _goes_back(self, arguments: Arguments, node: cst.Call) -> bool:
        """Is something of the message sent to where it came from?"""
        named = {value.const for value in arguments.all() if isinstance(value.const, str)}
        named |= {self.scope.module.code(arg.value, _QUEUE_WIDTH) for arg in node.args}
        returns = named & self.queues - {""} or any(v.has("source") for v in arguments.all())
        return bool(returns) and any(value.has("message") for value in arguments.all())


def has_inside(value: Value, label: str) -> bool:
    """Has the value, or an item of dicts inside it, the label?"""
    return value.has(label) or any(item.has(label) for _, item in nested(value))


def nested(value: Value, depth: int = 3) -> Iterator[tuple[str, Value]]:
    """Yield all items of dicts inside `value`."""
    if depth == 0:
        return
    for key, item in (value.entries or {}).items():
        yield key, item
        yield from nested(item, depth - 1)
    for item in value.elements or ():
        yield from nested(item, depth - 1)


def _of_message(arguments: Arguments) -> bool:
    return any(derived(value).has("message") for value in arguments.all())
