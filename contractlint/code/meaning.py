"""What the vocabulary says of a call: options, events and their attributes, the result."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import NamedTuple, TypeGuard

import libcst as cst

from contractlint.code.conditions import Conditions, last_name, names_in
from contractlint.code.flow import SETTLES
from contractlint.code.modules import Project
from contractlint.code.names import Memory
from contractlint.code.queues import as_settings
from contractlint.code.sql import Statement, read_sql
from contractlint.code.stores import stores_of
from contractlint.code.updates import (
    GUARDS,
    attributes_of,
    labels_of_rows,
    labels_of_statement,
    labels_of_values,
)
from contractlint.code.values import (
    FLOWING,
    NOTHING,
    UNKNOWN,
    Arguments,
    Setting,
    Source,
    Value,
    derived,
)
from contractlint.vocabulary import Vocabulary
from contractlint.vocabulary.model import (
    UNSET,
    Argument,
    CallSpec,
    ContextSpec,
    EventSpec,
    Option,
)
from contractlint.vocabulary.model import (
    Conditions as When,
)

_CONSTRUCTOR = ""  # the setting that stands for the call itself
_FAILS_BEFORE = frozenset({"ack", "persist", "stage", "publish", "effect", "work", "requeue"})
_NAMES_RESULTS = frozenset({"persist", "stage", "claim"})
_SCRATCH = re.compile(
    r"(^|/)tmp/|^/tmp|[\W_]te?mp([\W_]|$)|scratch|\.log$|(^|/)logs?/|(^|[\W_])logs?:", re.I
)

_SET_FAILED = re.compile(r"=\s*'(?:failed|declined|rejected|refused|cancell?ed)'", re.I)

_QUEUE_WIDTH = 40  # letters of the code that names a queue

Settings = dict[str, Setting]


class Happening(NamedTuple):
    """A call that is an event: by which entry, on what and with what; `grade` of its evidence."""

    event: EventSpec
    sure: bool
    spec: CallSpec
    receiver: Value
    arguments: Arguments
    node: cst.Call
    grade: str


class Meaning(Conditions):
    """Conditions that know what vocabulary entries mean for the graph."""

    def __init__(self, project: Project, vocabulary: Vocabulary, memory: Memory) -> None:
        super().__init__(project, vocabulary, memory)
        self.facts: dict[str, str] = {}
        self._held: list[Callable[[], None]] = []
        self._after_run: list[Callable[[], None]] = []
        self.dropped: cst.CSTNode | None = None  # the call whose result nobody keeps

    # -- options ---------------------------------------------------------------------------------

    def find_argument(self, arguments: Arguments, spec: Argument) -> Value | None:
        """Return the argument, None if it is not given; what cannot be seen is an open value."""
        value = arguments.keywords.get(spec.name) if spec.name else None
        if value is None and 0 <= spec.position < len(arguments.positional):
            value = arguments.positional[spec.position]
        for key in spec.keys:
            if value is None:
                return None
            if value.entries is None:
                return Value() if value.const is UNKNOWN else None
            value = value.entries.get(key)
        return value

    def _seen_argument(self, arguments: Arguments, spec: Argument) -> Value | None:
        """Return the argument only if it can be seen: an opaque dict proves no key in it."""
        value = self.find_argument(arguments, Argument(spec.name, spec.position))
        for key in spec.keys:
            value = (value.entries or {}).get(key) if value is not None else None
        return value

    def argument_source(self, arguments: Arguments, spec: Argument) -> Source | None:
        node = arguments.nodes.get(spec.name) if spec.name else None
        if node is None and spec.position >= 0:
            node = arguments.nodes.get(spec.position)
        if node is None:
            return None
        if spec.keys and isinstance(node, cst.Dict):
            node = dict_item(node, spec.keys) or node
        return self.source(node)

    def settings(
        self, options: Iterable[Option], arguments: Arguments, inherited: Mapping[str, Setting]
    ) -> Settings:
        """Return the options of a call: what is given, else what its receiver was made with."""
        found = dict(inherited)
        for option in options:
            setting = self._setting(option, arguments)
            if setting is not None:
                found[option.name] = setting
            elif option.project:
                told = self.project.says(option.project)
                found[option.name] = Setting(Value(const=told), None)
            elif option.name not in found:
                found[option.name] = self._default(option, arguments)
        return found

    def _setting(self, option: Option, arguments: Arguments) -> Setting | None:
        for spec in option.arguments:
            value = self.find_argument(arguments, spec)
            if value is not None:
                return Setting(value, self._option_source(arguments, spec))
        return None

    def _option_source(self, arguments: Arguments, spec: Argument) -> Source | None:
        source = self.argument_source(arguments, spec)
        if spec.keys:
            container = self.find_argument(arguments, Argument(spec.name, spec.position))
            if container is not None and container.origin is not None:
                module, node = container.origin
                item = dict_item(node, spec.keys)
                return Source(module, item or node)
        return source

    def _default(self, option: Option, arguments: Arguments) -> Setting:
        if arguments.open:
            return Setting(NOTHING, None)
        if option.default is UNSET:
            return Setting(Value(const=None), None)
        return Setting(Value(const=option.default), None)

    def decide(self, when: When, settings: Settings) -> bool | None:
        """Do all conditions hold? None: it cannot be known."""
        unknown = False
        for name, wanted in when:
            answer = self._below(settings, name, wanted)
            if answer is None:
                answer = self._holds(settings.get(name), wanted)
            if answer is False:
                return False
            unknown = unknown or answer is None
        return None if unknown else True

    def _below(self, settings: Settings, name: str, wanted: tuple[object, ...]) -> bool | None:
        """Compare with another option (`"< time_limit"`); None: it is not asked, or not known."""
        other = str(wanted[0]).removeprefix("< ")
        if not str(wanted[0]).startswith("< ") or name not in settings or other not in settings:
            return None
        low, high = settings[name].value.const, settings[other].value.const
        return low < high if _is_number(low) and _is_number(high) else None

    def _holds(self, setting: Setting | None, wanted: tuple[object, ...]) -> bool | None:
        if setting is None or setting.value is NOTHING:
            return True if "unknown" in wanted else None
        value = setting.value
        if "set" in wanted or "unset" in wanted:
            given = value.const is not None and (value.known or setting.source is not None)
            if not given and not value.known:
                return None
            return given if "set" in wanted else not given
        if value.known:
            return any(_same(value.const, item) for item in wanted)
        parts = [*(value.elements or ()), *(value.entries or {}).values()]
        if parts:
            answers = [self._holds(Setting(item, None), wanted) for item in parts]
            return True if True in answers else (None if None in answers else False)
        return self._constant_holds(value, wanted)

    def _constant_holds(self, value: Value, wanted: tuple[object, ...]) -> bool | None:
        """Compare a constant that is known by name only, such as a member of an enumeration."""
        owner, _, name = value.dotted.rpartition(".")
        names = [item for item in wanted if isinstance(item, str)]
        if not owner or not names:
            return None
        return any(_same(name, item) for item in names)

    # -- events ----------------------------------------------------------------------------------

    def emit_all(
        self, specs: Iterable[EventSpec], settings: Settings, source: Source, **extra: str
    ) -> None:
        for spec in specs:
            if self.decide(spec.when, settings):
                self.emit_spec(spec, settings, source, **extra)

    def emit_spec(self, spec: EventSpec, settings: Settings, source: Source, **extra: str) -> None:
        if not spec.event:
            return
        attributes = {**spec.attributes, **{key: value for key, value in extra.items() if value}}
        if spec.at:
            setting = settings.get(spec.at)
            constructor = settings.get(_CONSTRUCTOR)
            if setting is not None and setting.source is not None:
                source = setting.source
                attributes.pop("default", None)
            elif constructor is not None and constructor.source is not None:
                source = constructor.source
        raises = spec.event in _FAILS_BEFORE and attributes.get("by") not in ("config", "default")
        self.emit(spec.event, source, attributes, raises=raises)
        if spec.event == "effect":
            self.may_raise()

    def chosen_event(self, spec: CallSpec, settings: Settings) -> tuple[EventSpec | None, bool]:
        """Return the event of a call and whether it is sure that it is this one."""
        sure = True
        for case in spec.cases:
            answer = self.decide(case.when, settings)
            if answer:
                return (case if case.event else None), True
            sure = sure and answer is False
        if spec.event is None or self.decide(spec.event.when, settings) is not True:
            return None, True
        return spec.event, sure

    def apply(
        self, spec: CallSpec, receiver: Value, arguments: Arguments, node: cst.Call, grade: str
    ) -> Value:
        """Lower a call that the vocabulary knows; `grade` is typed or bare evidence."""
        source = self.source(node)
        if self._only_queued(spec, receiver, node) or self._takes_permit(spec, node):
            return derived(receiver, *arguments.all())
        inherited = receiver.options if receiver.type or receiver.options else {}
        settings = self.settings(spec.options, arguments, inherited)
        settings |= self._declared(spec, settings, source)
        self.emit_all(spec.before, settings, source, grade=grade)
        if spec.returns and self.vocabulary.receives(spec.returns) and spec.returns in spec.names:
            self.emit("poll", source)  # a new consumer starts where the broker says
        event, sure = self.chosen_event(spec, settings)
        statement = self._statement(spec, arguments)
        if spec.rows is not None:
            self.handed_version(self._rows_asked_for(spec, arguments), node)
        result = self._result(spec, receiver, arguments, settings, source, statement)
        if result.has("lookup") or event is None:
            self._note_asked(node, arguments, statement)
        if result.has("lookup"):
            self.handed_version(arguments.all(), node)
        if event is not None:
            for kind in self._kinds_by_sql(event, statement):
                self._happen(
                    Happening(
                        replace(event, event=kind), sure, spec, receiver, arguments, node, grade
                    )
                )
        elif spec.raises:
            self.may_raise()
        if event is None and spec.sinks:
            self._note_flows("", spec, receiver, arguments, node)
        if statement is not None:
            self._remember_answer(node, result)
        self.emit_all(spec.then, settings, source, grade=grade)
        waiting, self._after_run = self._after_run, []
        for happen in waiting:
            happen()
        if spec.joins:
            self.emit("join", source)
        if spec.ends is not None and self.decide(spec.ends.when, settings):
            self.raise_now(spec.ends.exception)
        return result

    def _happen(self, one: Happening) -> None:
        event, sure, spec, receiver, arguments, node, grade = one
        source = self.source(node)
        if self._held_back(one):
            return
        library = spec.library if grade == "typed" else ""
        extra = {"library": library, "grade": grade}
        extra["sure"] = event.attributes.get("sure", "yes") if sure else "no"
        if event.event == "persist" and self._in_transaction_of(spec.library):
            event = replace(event, event="stage")
        kind = event.event
        if kind == "handoff" and (receiver.has("addressee") or self._stays_here(node)):
            return
        if kind == "ack" and self._names_others(spec, arguments, receiver):
            extra["covers"] = "others"
        if kind in SETTLES:
            extra["by"] = event.attributes.get("by", "call")
        if kind == "receive":
            self.emit("poll", source)
            self.may_raise()
            received = self.settings(spec.options, arguments, receiver.options)
            self.received_from(received)
            extra |= self.queue_of(received)
        if kind == "effect":
            extra |= self._effect_attributes(spec, arguments, node)
        if kind in _NAMES_RESULTS or kind in ("effect", "publish"):
            self._note_flows(kind, spec, receiver, arguments, node)
        statement = self._statement(spec, arguments)
        if statement is not None:
            extra["claim"] = "yes" if statement.kind == "claim" else ""
            extra |= self._queue_attributes(kind, statement)
        elif spec.result == "claim":
            extra["claim"] = "yes"
        if kind in ("stage", "persist"):
            labels = self._row_labels(spec, receiver, arguments)
            if event.attributes.get("change") == "overwrite":
                event = replace(event, attributes={**event.attributes, "change": ""})
                labels |= {"sets"}
            if statement is not None and statement.sets and not _of_message(arguments):
                labels -= {"sets"}
            extra |= attributes_of(labels)
            extra["rows"] = "dropped" if node is self.dropped else ""
            marks = stores_of(node, arguments, statement) & self.consulted
            extra["mark"] = "yes" if marks else ""
        if kind == "publish":
            extra["to"] = self._special_destination(arguments, node)
            if not extra["to"] and self._inside_log_helper():
                return
        settings = self.settings(spec.options, arguments, receiver.options)
        self.emit_spec(event, settings, source, **extra)
        if kind in ("persist", "stage") and self._stores_refusal(arguments):
            self.emit("refusal", source)

    def _inside_log_helper(self) -> bool:
        """Is it a line for a log that the project ships through a broker, no message?"""
        names = [frame.function.name for frame in self.frames if frame.function is not None]
        return self.idioms.any_name("log-helper", names)

    def _stores_refusal(self, arguments: Arguments) -> bool:
        given = arguments.all()
        inner = [item for value in given for _, item in _nested(value)]
        elements = [item for value in given for item in value.elements or ()]
        sql = any(_SET_FAILED.search(value.text) for value in given if value.text)
        return sql or any(map(self.says_refusal, (*given, *inner, *elements)))

    def says_refusal(self, value: Value) -> bool:
        """Is it a word, or a member of an enumeration, for what was refused or has failed?"""
        word = value.const if isinstance(value.const, str) else value.dotted.rpartition(".")[2]
        return self.idioms.is_name("refusal", word)

    def _declared(self, spec: CallSpec, settings: Settings, source: Source) -> Settings:
        """Note what a declaration tells of its queue, and let it go with the object it returns."""
        if not spec.facts:
            return {}
        told = self.facts_of_call(spec, settings)
        self.memory.queues.note(settings, told, source)
        return as_settings(told, source)

    def facts_of_call(self, spec: CallSpec, settings: Settings) -> dict[str, str]:
        told: dict[str, str] = {}
        for fact in spec.facts:
            if self.decide(fact.when, settings):
                told |= fact.attributes
        return told

    def received_from(self, settings: Settings) -> None:
        """A delivery is in hand now that comes from a queue with these options."""
        self.facts = self.memory.queues.facts_of(settings)

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

    def _remember_answer(self, node: cst.Call, result: Value) -> None:
        """A cursor answers later (`rowcount`, `fetchone`) for the statement it has executed."""
        func = node.func
        if not isinstance(func, cst.Attribute) or not isinstance(func.value, cst.Name):
            return
        name = func.value.value
        cursor = self.scope.names.get(name)
        if cursor is not None:
            kept = cursor.labels - {"lookup", "claim", "write-count"}
            labels = kept | (result.labels & {"lookup", "claim", "write-count", "message"})
            self.scope.names[name] = replace(cursor, labels=labels)

    def _in_transaction_of(self, library: str) -> bool:
        return any(transaction.library == library for transaction in self.transactions)

    def _only_queued(self, spec: CallSpec, receiver: Value, node: cst.Call) -> bool:
        """Does a pipeline take note of a receive that happens when it is carried out?"""
        runs = self.vocabulary.queue_of(receiver.type)
        receives = spec.event is not None and spec.event.event == "receive"
        return runs is not None and receives and last_name(node.func) not in runs

    def _takes_permit(self, spec: CallSpec, node: cst.Call) -> bool:
        """Is what is popped a token of a semaphore or a pool, and no message?"""
        pops = spec.event is not None and spec.event.event == "receive" and bool(spec.then)
        keys = {name for arg in node.args for name in names_in(arg.value)}
        return pops and self.idioms.any_name("permit", keys)

    def _held_back(self, one: Happening) -> bool:
        """Objects that queue commands (a pipeline) settle nothing until they are carried out."""
        runs = self.vocabulary.queue_of(one.receiver.type)
        if runs is None:
            return False
        if last_name(one.node.func) in runs:
            held, self._held = self._held, []
            self._after_run = held
            return False
        if one.event.event not in SETTLES:
            return False
        plain = replace(one.receiver, type="")
        self._held.append(lambda: self._happen(one._replace(receiver=plain)))
        return True

    def _stays_here(self, node: cst.Call) -> bool:
        """Is it handed to a queue of the function around, which waits for it and then ends?"""
        if not isinstance(node.func, cst.Attribute) or not isinstance(node.func.value, cst.Name):
            return False
        name, scope = node.func.value.value, self.scope.parent
        return scope is not None and name not in self.scope.names and scope.find(name) is not None

    def _names_others(self, spec: CallSpec, arguments: Arguments, receiver: Value) -> bool:
        """Are offsets or a handle acknowledged that do not come from the delivery in hand?"""
        named = self.settings(spec.options, arguments, {}).get("offsets")
        named = named or receiver.options.get("handle")
        if named is None or named.source is None or named.value.const is None:
            return False
        return not (named.value.has("message") or named.value.has("delivery-identity"))

    def _kinds_by_sql(self, event: EventSpec, statement: Statement | None) -> tuple[str, ...]:
        """Return what a statement does instead of `event`: a lock may also take the row."""
        if statement is None or statement.kind in ("write", "claim"):
            return (event.event,)
        if statement.kind != "lock":
            return ()
        self.memory.queue_tables.add(statement.locks)
        takes = statement.removes_from or statement.marks_in
        return ("receive", event.event) if takes else ("receive",)

    def _queue_attributes(self, kind: str, statement: Statement) -> dict[str, str]:
        """Say of a delivery which table it comes from, of a write whether it takes it off there."""
        if kind == "receive":
            return {"queue": statement.locks}
        queues = self.memory.queue_tables
        if statement.removes_from and statement.removes_from in queues:
            return {"settles": "yes"}
        return {"settles": "maybe"} if statement.marks_in in queues - {""} else {}

    def _statement(self, spec: CallSpec, arguments: Arguments) -> Statement | None:
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

    # -- results ---------------------------------------------------------------------------------

    def _result(
        self,
        spec: CallSpec,
        receiver: Value,
        arguments: Arguments,
        settings: Settings,
        source: Source,
        statement: Statement | None,
    ) -> Value:
        if spec.result == "claim-second":
            answer = Value(labels=frozenset({"claim"}), slot=self._result_slot(source))
            return Value(elements=(Value(labels=frozenset({"fetched"})), answer))
        if spec.returns == "argument":
            return arguments.positional[0] if arguments.positional else NOTHING
        about_rows = self._row_labels(spec, receiver, arguments)
        if spec.returns == "receiver":
            return receiver.plus(about_rows)
        if spec.returns == "path":
            return replace(derived(*arguments.all()), text=_path_text(arguments))
        labels = set(spec.labels) | self._result_labels(spec, statement)
        labels |= about_rows if spec.returns else frozenset()
        if spec.event is not None and spec.event.attributes.get("confirmed") == "no":
            labels.add("spawned")
        unstable = bool({"unstable", "temp"} & labels)
        origin = source if labels & {*FLOWING, "temp"} else None
        given = derived(*arguments.all())
        if spec.returns == "message" or spec.batch:
            labels |= {"message"} if spec.batch else {"message", "delivery"}
            return Value(labels=frozenset(labels), batch=spec.batch, slot=self._result_slot(source))
        if spec.event is None and not spec.returns and not unstable:
            kept = derived(receiver, *arguments.all())
            return replace(kept.plus(labels, origin), text=receiver.text)
        kind = self._result_class(spec, arguments)
        if spec.event is None and not unstable:
            through = derived(receiver, *arguments.all())
            labels |= through.labels & {*FLOWING, "temp", "partition"}
            origin = through.origin
        if "delivery" not in labels and spec.event and spec.event.event == "receive":
            labels |= {"message", "delivery"}
        labels |= given.labels & {"message"} if labels & {"lookup", "claim"} else set()
        options = {**settings, _CONSTRUCTOR: Setting(NOTHING, source)} if kind else {}
        return Value(
            type=kind,
            labels=frozenset(labels),
            origin=origin,
            options=options,
            text=_path_text(arguments) if kind.startswith("pathlib") else "",
            slot=self._result_slot(source),
        )

    def _result_slot(self, source: Source) -> int:
        """One slot for the answers of a call, so that tests of its result agree with each other."""
        slot = self.fresh_slot()
        from contractlint.events import Change

        self.change(Change(slot))
        return slot

    def _result_labels(self, spec: CallSpec, statement: Statement | None) -> set[str]:
        if statement is not None and statement.kind != "unknown":
            by_kind = {"claim": "claim", "read": "lookup", "write": "write-count"}
            return {by_kind[statement.kind]} if statement.kind in by_kind else set()
        if spec.result in ("lookup", "claim", "write-count", "ledger"):
            return {spec.result}
        return set()

    def _result_class(self, spec: CallSpec, arguments: Arguments) -> str:
        kind = spec.returns
        if "{@0}" in kind:
            first = arguments.positional[0] if arguments.positional else NOTHING
            first = first if first.known else arguments.keywords.get("service_name", first)
            if not isinstance(first.const, str):
                return ""
            kind = kind.replace("{@0}", first.const)
        return self.vocabulary.canonical(kind) if kind else ""

    # -- attributes of events --------------------------------------------------------------------

    def _effect_attributes(
        self, spec: CallSpec, arguments: Arguments, node: cst.Call
    ) -> dict[str, str]:
        keys = [value for arg in spec.keyed if (value := self._seen_argument(arguments, arg))]
        keys += self._keys_handed_over(arguments, node)
        keys = [key for key in keys if key.const is not None]
        found = {"key": "none"}
        if keys:
            found["key"] = "unstable" if all(key.has("unstable") for key in keys) else "stable"
        if self._undoes(arguments, node):
            found["undoes"] = "yes"
        if self._only_reads(arguments) or self._only_computes(node) or self._repeatable(arguments):
            found["repeat"] = "safe"
        return found

    def _undoes(self, arguments: Arguments, node: cst.CSTNode) -> bool:
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
        owner = self.scope.owner.qualname if self.scope.owner is not None else ""
        if self.idioms.is_name("computing-client", owner):
            return True
        address = node.args[0].value if node.args else None
        return address is not None and self.idioms.is_name("computing-endpoint", last_name(address))

    def _keys_handed_over(self, arguments: Arguments, node: cst.Call) -> list[Value]:
        """Find idempotency keys among keywords, headers and other dicts, by their names."""
        found = []
        for name, value in arguments.keywords.items():
            if self.idioms.is_name("idempotency-key", name):
                found.append(value)
            found += [item for key, item in _nested(value) if self._is_key(key)]
        for value in arguments.positional:
            found += [item for key, item in _nested(value) if self._is_key(key)]
        if not found:
            handed = {n for arg in node.args for n in names_in(arg.value)}
            found = [NOTHING for name in handed if self._is_key(name)][:1]
        return found

    def _is_key(self, name: str) -> bool:
        return self.idioms.is_name("idempotency-key", name)

    def _note_asked(
        self, node: cst.Call, arguments: Arguments, statement: Statement | None
    ) -> None:
        if any(value.has("message") for value in arguments.all()):
            self.asked = stores_of(node, arguments, statement) or self.asked

    def _row_labels(self, spec: CallSpec, receiver: Value, arguments: Arguments) -> frozenset[str]:
        """Return what is known of the rows that a call writes or a query asks for."""
        labels = receiver.labels & GUARDS
        statement = self._statement(spec, arguments)
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

    def _rows_asked_for(self, spec: CallSpec, arguments: Arguments) -> list[Value]:
        if spec.rows is None or spec.rows.name == "*":
            return arguments.all()
        value = self.find_argument(arguments, spec.rows)
        return [value] if value is not None else []

    def handed_version(self, values: Iterable[Value], node: cst.CSTNode) -> None:
        """Whoever is asked for something, and is given the version for it, looks at it."""
        given = [item for value in values for item in (value, *(v for _, v in _nested(value)))]
        if any(value.has("version") for value in given):
            self.emit("version_check", self.source(node), {"by": "call"})

    def _special_destination(self, arguments: Arguments, node: cst.Call) -> str:
        if self._goes_to_dead_letters(arguments, node):
            return "dead-letter"
        names = {name for arg in node.args for name in names_in(arg.value)}
        if self.idioms.any_name("reply-destination", names):
            return "reply"
        return "source" if self._goes_back(arguments, node) else ""

    def _goes_to_dead_letters(self, arguments: Arguments, node: cst.Call) -> bool:
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

    # -- names of results ------------------------------------------------------------------------

    def _note_flows(
        self, kind: str, spec: CallSpec, receiver: Value, arguments: Arguments, node: cst.Call
    ) -> None:
        """Tell the graph which labels that must not arrive there a result's name or key has."""
        for value in self._named_by(kind, spec, receiver, arguments, node):
            if value.origin is None or self._is_scratch(value):
                continue
            beside = "partition" if value.has("partition") else ""
            for label in sorted(value.labels & FLOWING):
                flow = {"from": label, "to": "result-name", "beside": beside, "grade": "typed"}
                self.emit("name", value.origin, flow)

    def _named_by(
        self, kind: str, spec: CallSpec, receiver: Value, arguments: Arguments, node: cst.Call
    ) -> Iterator[Value]:
        for sink in spec.sinks:
            value = receiver if sink.name == "self" else self.find_argument(arguments, sink)
            if value is not None and not self._renamed_later(node, sink):
                yield value
        if receiver.type == "pathlib.Path" and not self._is_scratch_node(node.func):
            yield receiver
        if kind == "effect":
            yield from self._keys_handed_over(arguments, node)
        if kind in _NAMES_RESULTS:
            yield from self._identity_fields(arguments)
            yield from self._identity_columns(spec, arguments)

    def _identity_fields(self, arguments: Arguments) -> Iterator[Value]:
        for name, value in arguments.keywords.items():
            if self.idioms.is_name("identity-field", name):
                yield value
        for value in arguments.all():
            for key, item in _nested(value):
                if self.idioms.is_name("identity-field", key):
                    yield item

    def _identity_columns(self, spec: CallSpec, arguments: Arguments) -> Iterator[Value]:
        statement = self._statement(spec, arguments)
        if statement is None or spec.sql is None:
            return
        start = spec.sql.position + 1
        given = arguments.positional[start:]
        if len(given) == 1 and given[0].elements is not None:
            given = list(given[0].elements)
        named = given[0].entries if given and given[0].entries is not None else {}
        for column, parameter in statement.columns:
            if self.idioms.is_name("identity-field", column):
                if parameter in (named or {}):
                    yield (named or {})[parameter]
                elif parameter.isdigit() and int(parameter) < len(given):
                    yield given[int(parameter)]

    def _is_scratch(self, value: Value) -> bool:
        return value.has("temp") or bool(value.text and _SCRATCH.search(value.text))

    def _renamed_later(self, node: cst.Call, sink: Argument) -> bool:
        if sink.name == "self":
            return self._is_scratch_node(node.func)
        for index, arg in enumerate(node.args):
            if (arg.keyword and arg.keyword.value == sink.name) or index == sink.position:
                return self._is_scratch_node(arg.value)
        return False

    def _is_scratch_node(self, node: cst.BaseExpression) -> bool:
        """Is it a local file that this function renames or removes afterwards?"""
        if isinstance(node, cst.Attribute):
            node = node.value
        return isinstance(node, cst.Name) and node.value in self.frame.scratch

    # -- contexts --------------------------------------------------------------------------------

    def context_of(self, value: Value) -> ContextSpec | None:
        """Return what entering `value` with `with` means, if its class is known for it."""
        spec = self.vocabulary.call(f"{value.type}.__enter__") if value.type else None
        return spec.context if spec else None


def _is_number(value: object) -> TypeGuard[float]:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _same(actual: object, wanted: object) -> bool:
    return str(actual).lower() == str(wanted).lower()


def _nested(value: Value, depth: int = 3) -> Iterator[tuple[str, Value]]:
    """Yield all items of dicts inside `value`."""
    if depth == 0:
        return
    for key, item in (value.entries or {}).items():
        yield key, item
        yield from _nested(item, depth - 1)
    for item in value.elements or ():
        yield from _nested(item, depth - 1)


def _of_message(arguments: Arguments) -> bool:
    return any(derived(value).has("message") for value in arguments.all())


def dict_item(node: cst.CSTNode, keys: tuple[str, ...]) -> cst.CSTNode | None:
    from contractlint.code.modules import string_value

    found: cst.CSTNode | None = None
    for key in keys:
        if not isinstance(node, cst.Dict):
            return found
        for element in node.elements:
            if isinstance(element, cst.DictElement) and string_value(element.key) == key:
                found, node = element, element.value
                break
        else:
            return found
    return found


def _path_text(arguments: Arguments) -> str:
    return "/".join(v.text or "{}" for v in arguments.positional)
