"""Calls: followed into the project, looked up in the vocabulary, or taken for unknown work."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import libcst as cst

from contractlint.code.conditions import last_name, names_in
from contractlint.code.flow import NOWHERE, SETTLES, Frame
from contractlint.code.meaning import Meaning, Settings, dict_item
from contractlint.code.modules import ClassInfo, FunctionInfo, dotted_name, string_value
from contractlint.code.values import (
    LASTING,
    NOTHING,
    Arguments,
    Scope,
    Setting,
    Source,
    Value,
    derived,
)
from contractlint.code.walking import children
from contractlint.events import Change
from contractlint.messages.envelope import Envelope
from contractlint.vocabulary.model import CallSpec, HandlerSpec

_DEEPEST = 8
_DECORATION = cst.Call(cst.Name("decorator"))
_PASSING_BUILTINS = frozenset({"iter", "aiter", "list", "tuple", "sorted", "reversed", "set"})
_NEXT_BUILTINS = frozenset({"next", "anext"})
_CONTAINERS = frozenset({"set", "dict", "list"})
_LIST_METHODS = frozenset({"append", "extend", "appendleft", "insert"})
_ADDING_METHODS = _LIST_METHODS | {"add", "setdefault", "update"}
_TEXT_METHODS = frozenset(
    {
        *("format", "strftime", "isoformat", "hex", "lower", "upper", "replace", "strip", "encode"),
        *("decode", "join", "joinpath", "with_suffix", "with_name", "timestamp", "date", "time"),
        *("astimezone", "rstrip", "lstrip", "title", "zfill", "split", "as_posix", "resolve"),
    }
)
_WAITING_METHODS = frozenset({"result", "join", "wait", "get", "exception"})
_CHECKING_METHODS = frozenset({"fetchone", "first", "scalar", "one_or_none", "scalar_one_or_none"})


@dataclass(frozen=True, slots=True, eq=False)
class Registration:
    """A function that a library will call with deliveries, and what it was registered with."""

    spec: HandlerSpec
    function: Value
    settings: Settings
    source: Source


class Spawned(NamedTuple):
    """A function that was started and not waited for; `to` is where it runs: thread or task."""

    function: Value
    arguments: Arguments
    source: Source
    to: str


@dataclass(slots=True)
class Notes:
    """What lowering learns on the way about the module as a whole."""

    registrations: list[Registration] = field(default_factory=list)
    spawned: list[Spawned] = field(default_factory=list)
    kinds: dict[FunctionInfo | None, set[str]] = field(default_factory=dict)
    callers: dict[FunctionInfo, set[FunctionInfo | None]] = field(default_factory=dict)
    scopes: dict[cst.CSTNode, Scope] = field(default_factory=dict)
    envelope: Envelope = ()
    lenders: set[str] = field(default_factory=set)  # they hand deliveries to what callers choose


class Calls(Meaning):
    """Meaning that can lower calls."""

    notes: Notes
    followed: dict[FunctionInfo, None]
    handed: set[FunctionInfo]
    follow: int = _DEEPEST
    scanning: bool = False

    def emit(
        self,
        kind: str,
        source: Source,
        attributes: Mapping[str, str] | None = None,
        *,
        raises: bool = False,
    ) -> None:
        if kind == "receive":
            self.receive_depth = len(self.chain)
            self.queues.update((attributes or {}).get("queue", "").split(", "))
            self.delivered = True
            self.redelivers = (attributes or {}).get("redelivers", "")
        if kind in SETTLES:
            each = {"each": "other"} if self._in_loop_of_others() else {}
            attributes = {**self.facts, **each, **(attributes or {})}
        if self.frames:
            self.notes.kinds.setdefault(self.frame.function, set()).add(kind)
        super().emit(kind, source, attributes, raises=raises)

    def _in_loop_of_others(self) -> bool:
        return any(loop.of_others for frame in self.frames for loop in frame.loops)

    def call(self, node: cst.Call, *, awaited: bool = False) -> Value:
        callee = self.callee(node.func)
        spec = self._spec_of(callee)
        if spec is not None and spec.spawns is not None:
            return self._spawn(node, callee, spec, awaited=awaited)
        arguments = self.arguments(node)
        self._note_registration(node, callee, arguments)
        return self.invoke(callee, arguments, node)

    def callee(self, func: cst.BaseExpression) -> Value:
        if isinstance(func, cst.Attribute) and _is_super(func.value):
            return self._super_method(func.attr.value)
        return self.evaluate(func)

    def _super_method(self, name: str) -> Value:
        scope: Scope | None = self.scope
        while scope is not None and scope.owner is None:
            scope = scope.parent
        if scope is None or scope.owner is None:
            return NOTHING
        bases = list(self.ancestors(scope.owner))[1:]
        me = scope.find("self") or self.instance(scope.owner)
        for base in bases:
            if isinstance(base, str):
                return Value(dotted=f"{base}.{name}", receiver=Value(type=base))
            if name in base.methods:
                method = base.methods[name]
                return Value(dotted=method.dotted, definition=method, receiver=me)
        return NOTHING

    def arguments(self, node: cst.Call) -> Arguments:
        found = Arguments()
        for arg in node.args:
            value = self.evaluate(arg.value)
            if arg.star == "**":
                self._spread(found, value, arg.value)
            elif arg.star == "*":
                found.positional += value.elements or (derived(value),)
            elif arg.keyword is not None:
                found.keywords[arg.keyword.value] = value
                found.nodes[arg.keyword.value] = arg
            else:
                found.nodes[len(found.positional)] = arg
                found.positional.append(value)
        return found

    def _spread(self, found: Arguments, value: Value, node: cst.CSTNode) -> None:
        if value.entries is None:
            found.open = True
            return
        here = value.origin is not None and value.origin.module is self.scope.module
        for name, item in value.entries.items():
            found.keywords[name] = item
            given = dict_item(value.origin.node, (name,)) if here and value.origin else None
            found.nodes[name] = given or node

    def _spec_of(self, callee: Value) -> CallSpec | None:
        if callee.definition is not None and not callee.dotted:
            return None
        dotted = callee.dotted
        if not dotted:
            return None
        return self.vocabulary.call(dotted)

    def invoke(self, callee: Value, arguments: Arguments, node: cst.Call) -> Value:
        """Lower calling `callee` with evaluated arguments."""
        if callee.partial is not None:
            function, first = callee.partial
            return self.invoke(function, first.joined(arguments), node)
        spec = self._spec_of(callee)
        if spec is not None:
            return self._known_call(spec, callee, arguments, node)
        if callee.instance_of is not None:
            callee = self.attribute(callee, "__call__")
        elif callee.type and not callee.dotted:
            called = self.attribute(callee, "__call__")
            spec = self._spec_of(called)
            if spec is not None:
                return self._known_call(spec, called, arguments, node)
        if isinstance(callee.definition, FunctionInfo):
            return self.inline(callee, arguments, node)
        if isinstance(callee.definition, ClassInfo):
            return self.construct(callee.definition, arguments, node)
        if callee.dotted and callee.receiver is None and self.vocabulary.knows_class(callee.dotted):
            return Value(type=self.vocabulary.canonical(callee.dotted))
        if callee.alternatives:
            return self._any_of(callee.alternatives, arguments, node)
        if callee.dotted.startswith("builtins."):
            return self._builtin(callee.dotted.removeprefix("builtins."), arguments, node)
        if callee.dotted in ("functools.partial", "partial") and arguments.positional:
            return Value(partial=(arguments.positional[0], arguments.after(0)))
        return self._unknown(callee, arguments, node)

    def _any_of(self, options: Iterable[Value], arguments: Arguments, node: cst.Call) -> Value:
        start = self.current
        reached = []
        for option in options:
            self.current = start
            value = self.invoke(option, arguments, node)
            reached.append((self.current, value))
        return self.meet(reached)

    # -- the vocabulary --------------------------------------------------------------------------

    def _known_call(
        self, spec: CallSpec, callee: Value, arguments: Arguments, node: cst.Call
    ) -> Value:
        receiver = callee.receiver or NOTHING
        if spec.calls is not None:
            called = self.find_argument(arguments, spec.calls)
            if called is not None and spec.deferred and self.transactions:
                self.transactions[-1].deferred.append((called, node))
                return NOTHING
            if called is not None:
                return self._called_back(spec, called, arguments, node)
        grade = "typed"
        project_class = callee.definition if isinstance(callee.definition, ClassInfo) else None
        result = self.apply(spec, receiver, arguments, node, grade)
        if project_class is not None:
            return replace(self.instance(project_class), options=result.options)
        if not result.type and self.vocabulary.knows_class(callee.dotted):
            return replace(result, type=self.vocabulary.canonical(callee.dotted))
        return result

    def _called_back(
        self, spec: CallSpec, called: Value, arguments: Arguments, node: cst.Call
    ) -> Value:
        """Lower what a library is told to call; the call's facts hold while it runs."""
        assert spec.calls is not None
        position = spec.calls.position
        self.may_raise()
        facts, self.facts = self.facts, {**self.facts, **self.facts_of_call(spec, {})}
        rest = arguments.after(position) if position >= 0 else Arguments()
        result = self.invoke(called, rest, node)
        self.facts = facts
        return result

    def _spawn(self, node: cst.Call, callee: Value, spec: CallSpec, *, awaited: bool) -> Value:
        """A function is started; unless it is awaited, its events belong to another trace."""
        assert spec.spawns is not None
        target, rest, given = NOTHING, Arguments(), []
        for index, arg in enumerate(node.args):
            if self._is_argument(arg, index, spec.spawns.name, spec.spawns.position):
                target, rest = self._spawn_target(arg.value)
            else:
                given.append((arg, self.evaluate(arg.value)))
        rest = self._handed_arguments(rest, given)
        if awaited:
            return self.invoke(target, rest, node)
        values = [target, *(target.partial[1].all() if target.partial else ()), *rest.all()]
        source = self.source(node)
        attributes = dict(spec.event.attributes) if spec.event else {"to": "thread"}
        if any(value.has("message") for value in values) or self._closes_over_message(target):
            self.emit("handoff", source, {**attributes, "grade": "typed"}, raises=True)
        self.notes.spawned.append(Spawned(target, rest, source, attributes.get("to", "")))
        return Value(labels=frozenset({"spawned"}), type=self._result_class(spec, Arguments()))

    def _closes_over_message(self, target: Value) -> bool:
        """Does a lambda or local function use a name that holds something of the delivery?"""
        info = target.definition
        if not isinstance(info, FunctionInfo) or target.scope is None:
            return False
        found = (target.scope.find(name) for name in _identifiers(info.node.body))
        return any(value is not None and value.has("message") for value in found)

    def _is_argument(self, arg: cst.Arg, index: int, name: str, position: int) -> bool:
        if arg.keyword is not None:
            return arg.keyword.value == name
        return index == position

    def _spawn_target(self, node: cst.BaseExpression) -> tuple[Value, Arguments]:
        if isinstance(node, cst.Call):
            callee = self.callee(node.func)
            if isinstance(callee.definition, FunctionInfo) or not callee.dotted:
                return callee, self.arguments(node)
        return self.evaluate(node), Arguments()

    def _handed_arguments(self, rest: Arguments, given: list[tuple[cst.Arg, Value]]) -> Arguments:
        for arg, value in given:
            name = arg.keyword.value if arg.keyword else ""
            if name in ("args", "arguments") and value.elements is not None:
                rest.positional += value.elements
            elif name == "kwargs" and value.entries is not None:
                rest.keywords |= value.entries
            elif name:
                rest.keywords[name] = value
            else:
                rest.positional.append(value)
        return rest

    def _note_registration(self, node: cst.Call, callee: Value, arguments: Arguments) -> None:
        spec = self.vocabulary.handler_call(callee.dotted) if callee.dotted else None
        if spec is None and not callee.definition and (not callee.dotted or callee.labels):
            spec = self.vocabulary.bare_handler_call(last_name(node.func))
        if spec is None:
            return
        receiver = callee.receiver or NOTHING
        settings = self.settings(spec.options, arguments, receiver.options)
        settings.setdefault("", Setting(NOTHING, self.source(node)))
        for place in spec.callback:
            value = self.find_argument(arguments, place)
            self._note_lending(self.argument_source(arguments, place))
            for function in functions_in(value):
                self.notes.registrations.append(
                    Registration(spec, function, settings, self.source(node))
                )
            if value is not None and functions_in(value):
                return

    def _note_lending(self, callback: Source | None) -> None:
        """A function that registers one of its own parameters registers what callers give it."""
        function = self.frame.function
        if callback is not None and function is not None and self._is_checked(function):
            given = {param.name.value for param in function.params} - {"self", "cls"}
            if given & names_in(callback.node):
                self.notes.lenders |= set(function.path)

    def _is_checked(self, function: FunctionInfo) -> bool:
        return function.module is self.frames[0].scope.module

    # -- the project -----------------------------------------------------------------------------

    def inline(
        self,
        callee: Value,
        arguments: Arguments,
        node: cst.CSTNode,
        on_yield: Callable[[Value, cst.CSTNode], Value] | None = None,
        stands_for: Source | None = None,
    ) -> Value:
        """Splice the body of a project function in; recursion and depth are cut."""
        info = callee.definition
        assert isinstance(info, FunctionInfo)
        self.notes.callers.setdefault(info, set()).add(self.frame.function)
        active = [frame.function for frame in self.frames]
        if info in active or len(active) > self.follow or self.exhausted:
            return self._unknown(callee, arguments, node)
        if any(value.has("message") for value in arguments.all()):
            self.followed.setdefault(info)
            if _is_handed(info, node):
                self.handed.add(info)
        if self.scanning and not _teaches(arguments):
            if info in self.memory.results:
                return self.memory.results[info]
            if not info.module.names_library:
                return self._by_signature(info, NOTHING)
        frame = Frame(
            self._activation(callee, info, arguments),
            info,
            len(self.cleanups),
            on_yield=on_yield,
            stands_for=stands_for,
        )
        chain, self.chain = self.chain, (*self.chain, self.source(node))
        self.frames.append(frame)
        self._bind_parameters(callee, info, arguments)
        self._body_at_its_depth(info)
        self.frames.pop()
        self.chain = chain
        if "receive" in self.notes.kinds.get(info, ()):
            self.followed.setdefault(info)
        result = self.meet(frame.returns) if frame.returns else NOTHING
        if not frame.returns:
            self.current = NOWHERE
        result = self._by_signature(info, result)
        self.memory.results[info] = replace(result, slot=-1)
        return result

    def _by_signature(self, info: FunctionInfo, result: Value) -> Value:
        """A helper's name and annotation can say what its answer is, whatever its body does."""
        name = info.name
        returns = info.node.returns if isinstance(info.node, cst.FunctionDef) else None
        if returns is not None and not result.type and not result.is_callable:
            typed = self.typed(returns.annotation, info.module)
            result = replace(result, type=typed.type, definition=typed.definition)
        if self.idioms.is_name("ledger", name):
            return result.plus({"ledger"})
        return result

    def _body_at_its_depth(self, info: FunctionInfo) -> None:
        """The work begins in a callback: who wraps it, or a lambda that passes on, is no step."""
        begun, caller = self.receive_depth, self.frames[-2].function
        through_lambda = caller is not None and isinstance(caller.node, cst.Lambda)
        if info in self.handed or (through_lambda and info in self.followed):
            self.receive_depth = len(self.chain)
        at = self.receive_depth
        self.body(info)
        if self.receive_depth == at:
            self.receive_depth = begun

    @abstractmethod
    def body(self, info: FunctionInfo) -> None:
        """Lower the body of the function on top of the frames; its ends go to `returns`."""

    def _activation(self, callee: Value, info: FunctionInfo, arguments: Arguments) -> Scope:
        parent = callee.scope or self.notes.scopes.get(info.node)
        if parent is not None and parent is self.memory.module_scopes.get(info.module.path):
            parent = None
        return Scope(info.module, parent=parent, owner=info.owner)

    def _bind_parameters(self, callee: Value, info: FunctionInfo, arguments: Arguments) -> None:
        positional = list(arguments.positional)
        if callee.receiver is not None and info.owner is not None:
            positional.insert(0, callee.receiver)
        elif info.owner is not None and _is_class_method(info) and callee.receiver is None:
            positional.insert(0, self.of_class(info.owner))
        for param in info.params:
            name = param.name.value
            value = arguments.keywords.get(name)
            if value is None and positional and param not in info.node.params.kwonly_params:
                value = positional.pop(0)
            bound = self._parameter(param, value, info)
            self.bind(name, replace(bound, labels=bound.labels - {"flag"}))
        star = info.node.params.star_arg
        if isinstance(star, cst.Param):
            self.bind(star.name.value, replace(derived(*positional), elements=tuple(positional)))
        if info.node.params.star_kwarg is not None:
            known = {param.name.value for param in info.params}
            rest = {k: v for k, v in arguments.keywords.items() if k not in known}
            value = replace(derived(*rest.values()), entries=rest if not arguments.open else None)
            self.bind(info.node.params.star_kwarg.name.value, value)

    def _parameter(self, param: cst.Param, value: Value | None, info: FunctionInfo) -> Value:
        if value is None:
            default = param.default
            value = self.in_module(info.module, default) if default is not None else NOTHING
        callable_ = value.definition or value.partial
        if not value.type and not callable_ and param.annotation is not None:
            typed = self.typed(param.annotation.annotation, info.module)
            if typed is not NOTHING:
                return replace(typed, labels=value.labels, slot=value.slot, entries=value.entries)
        return value

    def property_value(self, base: Value, method: FunctionInfo) -> Value:
        callee = Value(dotted=method.dotted, definition=method, receiver=base)
        with self.aside():
            return replace(self.inline(callee, Arguments(), method.node), slot=-1)

    def construct(self, info: ClassInfo, arguments: Arguments, node: cst.CSTNode) -> Value:
        """Make an instance: its constructor is followed, its fields are kept."""
        entries = {name: replace(v, slot=-1) for name, v in arguments.keywords.items()}
        for name, value in self._field_defaults(info).items():
            entries.setdefault(name, value)
        made = replace(self.instance(info), labels=derived(*arguments.all()).labels & {"message"})
        init = self.attribute(self.instance(info), "__init__")
        if isinstance(init.definition, FunctionInfo):
            kept = self._kept_arguments(init.definition, arguments) or {}
            made = replace(made, entries={**self._made_anew(init.definition), **kept} or None)
            self.inline(replace(init, receiver=made), arguments, node)
        else:
            self._positional_fields(info, arguments, entries)
            made = replace(made, entries=entries)
        for base in self.ancestors(info):
            spec = self.vocabulary.call(base) if isinstance(base, str) else None
            if spec is not None and isinstance(node, cst.Call):
                made = replace(made, options=self.settings(spec.options, arguments, {}))
        return made

    def _positional_fields(
        self, info: ClassInfo, arguments: Arguments, entries: dict[str, Value]
    ) -> None:
        for name, value in zip(info.annotated, arguments.positional, strict=False):
            entries[name] = value

    def _kept_arguments(self, init: FunctionInfo, arguments: Arguments) -> dict[str, Value] | None:
        """Attributes that the constructor copies straight from its parameters."""
        if init.owner is None:
            return None
        names = [param.name.value for param in init.params][1:]
        given = dict(zip(names, arguments.positional, strict=False)) | arguments.keywords
        kept = {}
        for attribute, rows in self.attribute_assignments(init.owner).items():
            if len(rows) == 1 and isinstance(rows[0][1], cst.Name):
                value = self._as_annotated(init, rows[0][1].value, given.get(rows[0][1].value))
                if value is not None and (value.type or value.is_callable or value.labels):
                    kept[attribute] = replace(value, slot=-1)
        return kept or None

    def _made_anew(self, init: FunctionInfo) -> dict[str, Value]:
        """Attributes that are another value for every object that is made of a delivery."""
        found: dict[str, Value] = {}
        if init.owner is None or not self.delivered:
            return found
        for attribute, rows in self.attribute_assignments(init.owner).items():
            for function, expression in rows:
                if function is init and isinstance(expression, (cst.Call, cst.FormattedString)):
                    value = self.evaluate_in_method(function, expression, init.owner)
                    if value.has("unstable"):
                        found[attribute] = value
        return found

    def _as_annotated(self, function: FunctionInfo, name: str, value: Value | None) -> Value | None:
        """The annotation of a parameter tells its class where the argument does not."""
        if value is None or value.type or value.definition:
            return value
        for param in function.params:
            if param.name.value == name:
                return self._parameter(param, value, function)
        return value

    def _field_defaults(self, info: ClassInfo) -> dict[str, Value]:
        """Fields whose default is made anew for every object (`default_factory=uuid4`)."""
        found: dict[str, Value] = {}
        for owner in self.ancestors(info):
            if isinstance(owner, str):
                continue
            for name, node in owner.assigned.items():
                value = self._fresh_default(owner, node) if isinstance(node, cst.Call) else None
                if value is not None:
                    found.setdefault(name, value)
        return found

    def _fresh_default(self, owner: ClassInfo, node: cst.Call) -> Value | None:
        for arg in node.args:
            if arg.keyword is None or arg.keyword.value not in ("default_factory", "factory"):
                continue
            factory = self.in_module(owner.module, arg.value)
            frame = Frame(self.module_scope(owner.module), None, 0)
            fake = cst.Call(cst.Name("default_factory"))
            with self.aside():
                self.frames.append(frame)
                value = self.invoke(factory, Arguments(), fake)
                self.frames.pop()
            if value.has("unstable"):
                return Value(labels=value.labels, origin=Source(owner.module, node))
        return None

    def decorated(self, value: Value, info: FunctionInfo) -> Value:
        """Return what the project's own decorators make of a function: mostly a wrapper."""
        key = (info.module.path, f"{info.qualname}()")
        if key not in self.memory.globals:
            self.memory.globals[key] = value
            if not info.is_generator:
                self.memory.globals[key] = self._wrapped(value, info)
        return self.memory.globals[key]

    def _wrapped(self, value: Value, info: FunctionInfo) -> Value:
        scope = self.notes.scopes.get(info.node) or self.module_scope(info.module)
        for decorator in reversed(info.decorators):
            node = decorator.decorator
            maker = node.func if isinstance(node, cst.Call) else node
            with self.aside():
                self.frames.append(Frame(scope, None, 0))
                if isinstance(self.evaluate(maker).definition, FunctionInfo):
                    result = self.invoke(self.evaluate(node), Arguments([value]), _DECORATION)
                    if isinstance(result.definition, FunctionInfo):
                        value = replace(result, slot=-1)
                self.frames.pop()
        return value

    # -- what nobody knows -----------------------------------------------------------------------

    def _builtin(self, name: str, arguments: Arguments, node: cst.Call) -> Value:
        first = arguments.positional[0] if arguments.positional else NOTHING
        if name in _CONTAINERS and not arguments.all():
            return self.kept(NOTHING)
        if name in _PASSING_BUILTINS and len(arguments.positional) <= 1:
            self.wait_for(first, node)
            return first
        if name in _NEXT_BUILTINS:
            return self.advance(first, node)()
        if name == "enumerate":
            return Value(elements=None, batch=first.batch, type=first.type, labels=first.labels)
        if name == "getattr" and isinstance(getattr(arguments, "positional", None), list):
            return self._getattr(arguments)
        result = derived(*arguments.all())
        if name in ("str", "repr", "format") and first.text:
            return replace(result, text=first.text, const=first.const)
        if name in ("len", "isinstance", "hasattr", "callable", "bool", "print", "type", "abs"):
            return replace(result, labels=result.labels - {"unstable"}, origin=None)
        if name in ("int", "float", "open"):
            self.may_raise()
        return result

    def _getattr(self, arguments: Arguments) -> Value:
        if len(arguments.positional) >= 2 and isinstance(arguments.positional[1].const, str):
            return self.attribute(arguments.positional[0], arguments.positional[1].const)
        return derived(*arguments.all(), through_call=True)

    def _unknown(self, callee: Value, arguments: Arguments, node: cst.CSTNode) -> Value:
        """A call nobody can resolve: evidence by its name, work if it is given the message."""
        name = self._called_name(callee, node)
        receiver = callee.receiver or NOTHING
        if isinstance(node, cst.Call):
            spec = self._bare_spec(name, receiver, arguments, node, callee.member)
            if spec is not None:
                return self.apply(spec, receiver, arguments, node, "bare")
        if receiver.has("spawned") and name in _WAITING_METHODS:
            self.wait_for(receiver, node)
            return NOTHING
        if receiver.has("memory") and name in _ADDING_METHODS:
            self.remember(derived(*arguments.all()), node)
            if name not in _LIST_METHODS:
                return NOTHING
        one = name == "insert" and len(arguments.positional) == 1  # a list wants a place as well
        if name in _LIST_METHODS and isinstance(node, cst.Call) and not one:
            return self._into_container(name, receiver, arguments, node)
        if name in _TEXT_METHODS:
            text = receiver.text if name == "format" else ""
            return replace(derived(receiver, *arguments.all()), text=text)
        if name in ("get", "pop", "setdefault") and arguments.positional:
            return self._arisen(self._get(receiver, arguments), node, arguments.positional[0].const)
        if name in ("items", "values") and receiver.entries:
            return _listed(receiver.entries, pairs=name == "items")
        if name in ("items", "values"):
            return replace(derived(receiver), batch=receiver.batch)
        if name in _CHECKING_METHODS or receiver.has("claim") or receiver.has("lookup"):
            self.may_raise()
            return derived(receiver)
        return self._work(name, callee, arguments, node)

    def _called_name(self, callee: Value, node: cst.CSTNode) -> str:
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
        labels = derived(receiver).labels | self._key_labels(key)
        if key.has("message"):
            labels |= {"addressee"}  # one of many that wait, each for its own messages
        return Value(labels=labels, batch=receiver.batch if isinstance(key.const, str) else 0)

    def _into_container(
        self, name: str, receiver: Value, arguments: Arguments, node: cst.Call
    ) -> Value:
        target = node.func.value if isinstance(node.func, cst.Attribute) else node.func
        owner = last_name(target)
        if owner in self.frame.reported:
            self.emit("retry", self.source(node), {"by": "report"})
        elif self._outlives(target) and any(value.has("message") for value in arguments.all()):
            self.emit("buffer", self.source(node), {"to": "memory"})
        if isinstance(target, cst.Name):
            self._grow(target.value, receiver, arguments)
        return NOTHING

    def kept(self, container: Value) -> Value:
        """An empty container that is there before the first delivery keeps what is put into it."""
        received = any(event and event.kind == "receive" for event in self.graph.events)
        return container if received else container.plus({"memory"})

    def remember(self, value: Value, node: cst.CSTNode) -> None:
        if value.has("message"):
            self.emit("remember", self.source(node), {"kept": "memory"})

    def _outlives(self, target: cst.BaseExpression) -> bool:
        """Is the container kept after the handler has ended: an attribute of self, a global?"""
        if len(self.chain) > 1 or self.fetching:
            return False  # the self of a helper may well be an object of this delivery alone
        name, _, rest = dotted_name(target).partition(".")
        if rest:
            return name == "self"
        return bool(name) and self.scope.find(name) is None

    def _grow(self, name: str, receiver: Value, arguments: Arguments) -> None:
        found = self.scope.find(name)
        if found is None or name not in self.scope.names:
            return
        labels = found.labels | (derived(*arguments.all()).labels & LASTING)
        self.change(Change(self.slot(name)))
        functions = [v for v in arguments.positional if v.definition or v.partial]
        alternatives = found.alternatives + tuple(functions)
        self.scope.names[name] = replace(
            found, labels=labels, elements=None, alternatives=alternatives, const=NOTHING.const
        )

    def _bare_spec(
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
        if function is None or not self._is_checked(function) or callee.definition is not None:
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
        keys = self._keys_handed_over(arguments, node)
        stable = any(not key.has("unstable") for key in keys)
        undoes = {"undoes": "yes"} if self._undoes(arguments, node) else {}
        return {"key": "stable" if stable else "none", **undoes}


def _is_handed(info: FunctionInfo, node: cst.CSTNode) -> bool:
    """Is it called by another name than its own: as an argument, an attribute, from a table?"""
    if not isinstance(node, cst.Call) or info.name.startswith("__"):
        return False
    return last_name(node.func) != info.name


def _listed(entries: Mapping[str, Value], *, pairs: bool) -> Value:
    """Return what `.items()` or `.values()` of a dict literal gives."""
    if not pairs:
        return Value(elements=tuple(entries.values()))
    rows = [Value(elements=(Value(const=key, text=key), item)) for key, item in entries.items()]
    return Value(elements=tuple(rows))


def _identifiers(node: cst.CSTNode) -> Iterator[str]:
    if isinstance(node, cst.Name):
        yield node.value
    for child in children(node):
        yield from _identifiers(child)


def _teaches(arguments: Arguments) -> bool:
    """Can a helper do something new with these: call a function, use an object of a library?"""
    return any(value.is_callable or value.type for value in arguments.all())


def _is_super(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Call) and last_name(node) == "super"


def _is_class_method(info: FunctionInfo) -> bool:
    return any(last_name(decorator.decorator) == "classmethod" for decorator in info.decorators)


def _is_constructor(name: str) -> bool:
    return name[:1].isupper() and not name.isupper()


def functions_in(value: Value | None) -> list[Value]:
    """Return the functions that a registered value can be."""
    if value is None:
        return []
    if isinstance(value.definition, FunctionInfo) or value.partial is not None:
        return [value]
    if value.instance_of is not None:
        return [value]
    inner = [*value.alternatives, *(value.elements or ())]
    return [function for item in inner for function in functions_in(item)]


def reported_lists(node: cst.CSTNode, key: str) -> frozenset[str]:
    """Return the names that a returned dict lists under `key` (`{"batchItemFailures": failed}`)."""
    found: set[str] = set()
    if isinstance(node, cst.DictElement) and string_value(node.key) == key:
        found |= names_in(node.value)
    if isinstance(node, cst.Assign) and any(_is_item(one.target, key) for one in node.targets):
        found |= names_in(node.value)
    for child in children(node):
        found |= reported_lists(child, key)
    return frozenset(found)


def _is_item(target: cst.BaseExpression, key: str) -> bool:
    """Is it `x[key]`, which is assigned?"""
    if not isinstance(target, cst.Subscript) or len(target.slice) != 1:
        return False
    index = target.slice[0].slice
    return isinstance(index, cst.Index) and string_value(index.value) == key
