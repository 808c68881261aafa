"""Calls that nobody can resolve: told by their names, and by being given the message."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

import libcst as cst

from contractlint.code.attributes import has_inside
from contractlint.code.conditions import last_name, names_in
from contractlint.code.meaning import Meaning
from contractlint.code.modules import FunctionInfo, dotted_name
from contractlint.code.notes import Notes
from contractlint.code.values import LASTING, NOTHING, Arguments, Value, derived
from contractlint.events import Change
from contractlint.vocabulary.model import CallSpec

_LIST_METHODS = frozenset({"append", "extend", "appendleft", "insert"})
ADDING_METHODS = _LIST_METHODS | {"add", "setdefault", "update"}
_TEXT_METHODS = frozenset(
    {
        *("format", "strftime", "isoformat", "hex", "lower", "upper", "replace", "strip", "encode"),
        *("decode", "join", "joinpath", "with_suffix", "with_name", "timestamp", "date", "time"),
        *("astimezone", "rstrip", "lstrip", "title", "zfill", "split", "as_posix", "resolve"),
    }
)
_WAITING_METHODS = frozenset({"result", "join", "wait", "get", "exception"})
_CHECKING_METHODS = frozenset({"fetchone", "first", "scalar", "one_or_none", "scalar_one_or_none"})


class Unknown(Meaning):
    """Meaning, and what unknown calls are taken for."""

    notes: Notes

    def is_checked(self, function: FunctionInfo) -> bool:
        return function.module is self.frames[0].scope.module

    def unknown(self, callee: Value, arguments: Arguments, node: cst.CSTNode) -> Value:
        """A call nobody can resolve: evidence by its name, work if it is given the message."""
        name = self.called_name(callee, node)
        receiver = callee.receiver or NOTHING
        if isinstance(node, cst.Call):
            spec = self.bare_spec(name, receiver, arguments, node, callee.member)
            if spec is not None:
                return self.apply(spec, receiver, arguments, node, "bare")
        if receiver.has("spawned") and name in _WAITING_METHODS:
            self.wait_for(receiver, node)
            return NOTHING
        if receiver.has("memory") and name in ADDING_METHODS:
            self.remember(derived(*arguments.all()), node)
        if receiver.labels & {"memory", "gathered"} and name in ADDING_METHODS - _LIST_METHODS:
            return NOTHING
        one = name == "insert" and len(arguments.positional) == 1  # a list wants a place as well
        if name in _LIST_METHODS and isinstance(node, cst.Call) and not one:
            return self._into_container(name, receiver, arguments, node)
        if name in _TEXT_METHODS:
            text = receiver.text if name == "format" else ""
            return replace(derived(receiver, *arguments.all()), text=text)
        if name in ("get", "pop", "setdefault") and arguments.positional:
            return self.arisen(self._get(receiver, arguments), node, arguments.positional[0].const)
        if name in ("items", "values") and receiver.entries:
            return _listed(receiver.entries, pairs=name == "items")
        if name in ("items", "values"):
            return replace(derived(receiver), batch=receiver.batch)
        if name in _CHECKING_METHODS or receiver.has("claim") or receiver.has("lookup"):
            self.may_raise()
            return derived(receiver)
        return self._work(name, callee, arguments, node)

    def called_name(self, callee: Value, node: cst.CSTNode) -> str:
        if callee.member and not callee.definition:
            return callee.member.rpartition(".")[2]
        if isinstance(node, cst.Call):
            return last_name(node.func) or callee.dotted.rpartition(".")[2]
        return callee.dotted.rpartition(".")[2]

    def wait_for(self, value: Value, node: cst.CSTNode) -> None:
        """Going through what was spawned waits for it."""
        if value.has("spawned"):
            self.emit("join", self.source(node))

    def _get(self, receiver: Value, arguments: Arguments) -> Value:
        key = arguments.positional[0]
        if receiver.entries is not None and isinstance(key.const, str):
            found = receiver.entries.get(key.const)
            if found is not None:
                return found
        if receiver.entries and not key.known:
            return self.item(receiver, key)
        labels = derived(receiver).labels | self.key_labels(key)
        if key.has("message"):
            labels |= {"addressee"}  # one of many that wait, each for its own messages
        found = Value(labels=labels, batch=receiver.batch if isinstance(key.const, str) else 0)
        return self._or_default(found, arguments)

    def _or_default(self, found: Value, arguments: Arguments) -> Value:
        """`clients.get(name, Client(…))` is of the class of its default."""
        default = arguments.positional[1] if len(arguments.positional) > 1 else NOTHING
        if not default.type:
            return found
        kind, definition = default.type, default.definition
        return replace(found, type=kind, definition=definition, options=default.options)

    def _into_container(
        self, name: str, receiver: Value, arguments: Arguments, node: cst.Call
    ) -> Value:
        target = node.func.value if isinstance(node.func, cst.Attribute) else node.func
        owner = last_name(target)
        if owner in self.frame.reported:
            self.emit("retry", self.source(node), {"by": "report"})
        elif self.outlives(target) and any(value.has("message") for value in arguments.all()):
            self.buffers.add(dotted_name(target))
            self.emit("buffer", self.source(node), {"to": "memory"})
        if isinstance(target, cst.Name):
            self._grow(target.value, arguments, node)
        return NOTHING

    def kept(self, container: Value) -> Value:
        """An empty container keeps what is put into it; one made for a delivery only gathers it."""
        received = any(event and event.kind == "receive" for event in self.graph.events)
        return container.plus({"gathered" if received else "memory"})

    def remember(self, value: Value, node: cst.CSTNode) -> None:
        if value.has("message"):
            self.emit("remember", self.source(node), {"kept": "memory"})

    def outlives(self, target: cst.BaseExpression) -> bool:
        """Is the container kept after the handler has ended: an attribute of self, a global?"""
        if len(self.chain) > 1 or self.fetching:
            return False  # the self of a helper may well be an object of this delivery alone
        name, _, rest = dotted_name(target).partition(".")
        if rest:
            return name == "self"
        return bool(name) and self.scope.find(name) is None

    def _grow(self, name: str, arguments: Arguments, node: cst.Call) -> None:
        found = self.scope.find(name)
        if found is None or name not in self.scope.names:
            return
        labels = found.labels | (derived(*arguments.all()).labels & LASTING)
        if any(has_inside(value, "delivery-identity") for value in arguments.all()):
            self.emit("gather", self.source(node))
            labels |= {"handles"}
        self.change(Change(self.slot(name)))
        functions = [v for v in arguments.positional if v.definition or v.partial]
        alternatives = found.alternatives + tuple(functions)
        self.scope.names[name] = replace(
            found, labels=labels, elements=None, alternatives=alternatives, const=NOTHING.const
        )

    def bare_spec(
        self,
        name: str,
        receiver: Value,
        arguments: Arguments,
        node: cst.Call,
        callee_member: str = "",
    ) -> CallSpec | None:
        owner = self._owner_name(callee_member, node)
        if owner is None:
            return None
        for spec in self.vocabulary.bare_calls(name):
            bare = spec.bare
            assert bare is not None
            if bare.needs and not bare.needs <= set(arguments.keywords):
                continue
            if bare.receiver and not bare.receiver.search(owner):
                continue
            if bare.takes_message and not any(
                value.has("message") for value in (receiver, *arguments.all())
            ):
                continue
            return spec
        return None

    def _owner_name(self, member: str, node: cst.Call) -> str | None:
        """Return the last name of what a method is called on; None if it is no method."""
        called_here = isinstance(node.func, cst.Attribute) and (
            not member or member.endswith(f".{node.func.attr.value}")
        )
        if called_here and isinstance(node.func, cst.Attribute):
            return last_name(node.func.value)
        return member.rpartition(".")[0] if member else None

    def _work(self, name: str, callee: Value, arguments: Arguments, node: cst.CSTNode) -> Value:
        given = [*arguments.all()]
        result = derived(callee.receiver or NOTHING, *given, through_call=True)
        source = self.source(node)
        is_name = self.idioms.is_name
        if not is_name("housekeeping", name) and not _is_constructor(name):
            self.handed_version(given, node)
        if is_name("ledger", name):
            self.may_raise()
            return result.plus({"ledger", "fetched"})
        if is_name("housekeeping", name) or self._is_observer(callee, node):
            return result
        if is_name("fetch", name):
            self.may_raise()
            return result.plus({"fetched"})
        touched = any(value.has("message") or value.has("exception") for value in given)
        if isinstance(callee.definition, FunctionInfo) and callee.receiver is not None:
            touched = touched or callee.receiver.has("message")
        if is_name("refusing", name):
            self.emit("refusal", source)
        if is_name("release", name):
            self.emit("release", source, {"grade": "bare"}, raises=True)
        elif is_name("record", name):
            self.emit("quarantine", source, {"grade": "bare"}, raises=True)
        elif is_name("effect", name) and self._acts_itself(callee, node):
            extra = self._effect_by_name(arguments, node)
            self.emit("effect", source, {"grade": "bare", **extra}, raises=True)
            self.may_raise()
        elif is_name("pure", name) or _is_constructor(name):
            self.may_raise()
            return result if is_name("validating", name) else result.plus({"answered"})
        elif touched:
            self._note_hook(callee, node)
            told = {"undoes": "yes"} if is_name("undoing", name) else {}
            told |= {"stores": "yes"} if is_name("store", name) else {}
            self.emit("work", source, {"grade": "bare", **told}, raises=True)
        else:
            tells = self.handling and not is_name("might-record", name)
            where = "handler" if tells else ""
            self.emit("call", source, {"grade": "bare", "in": where}, raises=True)
        return result.plus({"fetched"}) if result.has("message") else result

    def _note_hook(self, callee: Value, node: cst.CSTNode) -> None:
        """`self.callback(message)`: whoever makes the object says what is called."""
        function = self.frame.function
        if function is None or not self.is_checked(function) or callee.definition is not None:
            return
        owner, _, called = dotted_name(node.func if isinstance(node, cst.Call) else None).partition(
            "."
        )
        if owner == "self" and called and "." not in called:
            self.notes.lenders |= set(function.path)

    def _is_observer(self, callee: Value, node: cst.CSTNode) -> bool:
        """Is it a call on a logger, a span, a metric?"""
        if not isinstance(node, cst.Call):
            return False
        owner = self._owner_name(callee.member, node)
        return bool(owner) and self.idioms.is_name("observer", owner or "")

    def _acts_itself(self, callee: Value, node: cst.CSTNode) -> bool:
        """Is the name all that is known, and is it not handed a producer to publish with?"""
        if isinstance(callee.definition, FunctionInfo):
            return False
        handed = names_in(node) if isinstance(node, cst.Call) else set()
        return not self.idioms.any_name("publisher", handed)

    def _effect_by_name(self, arguments: Arguments, node: cst.CSTNode) -> dict[str, str]:
        if not isinstance(node, cst.Call):
            return {"key": "none"}
        keys = self.keys_handed_over(arguments, node)
        stable = any(not key.has("unstable") for key in keys)
        undoes = {"undoes": "yes"} if self.undoes(arguments, node) else {}
        return {"key": "stable" if stable else "none", **undoes}


def _listed(entries: Mapping[str, Value], *, pairs: bool) -> Value:
    """Return what `.items()` or `.values()` of a dict literal gives."""
    if not pairs:
        return Value(elements=tuple(entries.values()))
    rows = [Value(elements=(Value(const=key, text=key), item)) for key, item in entries.items()]
    return Value(elements=tuple(rows))


def _is_constructor(name: str) -> bool:
    return name[:1].isupper() and not name.isupper()
