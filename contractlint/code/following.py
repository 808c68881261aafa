"""Calls of the project: functions spliced in, instances made, decorators applied."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from dataclasses import replace

import libcst as cst

from contractlint.code.conditions import last_name
from contractlint.code.flow import NOWHERE, TAKES_PART, Frame
from contractlint.code.modules import ClassInfo, FunctionInfo
from contractlint.code.notes import functions_in
from contractlint.code.reports import reported_lists
from contractlint.code.unknown import Unknown
from contractlint.code.values import NOTHING, WHOLE, Arguments, Scope, Source, Value, derived

_KEEPING = frozenset({"cache", "lru_cache", "cached"})
_ASIDE = ("pure", "fetch", "housekeeping", "observer", "log-helper", "ledger")
_DECORATION = cst.Call(cst.Name("decorator"))


class Following(Unknown):
    """Unknown calls, and those that the project defines."""

    followed: dict[FunctionInfo, None]
    handed: set[FunctionInfo]
    partial: str = ""  # the key under which a handler returns what has failed of a batch
    reports: bool = False
    given: set[FunctionInfo]
    scanning: bool = False

    @abstractmethod
    def invoke(self, callee: Value, arguments: Arguments, node: cst.Call) -> Value:
        """Lower calling `callee` with evaluated arguments."""

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
        if info in active or self.is_deep or self.exhausted:
            return self.unknown(callee, arguments, node)
        if info.is_abstract and info.owner is not None:
            done = self.unknown(replace(callee, definition=None), arguments, node)
            return self._by_signature(info, done)
        if any(value.has("message") for value in arguments.all()):
            self.followed.setdefault(info)
            if _is_handed(info, node):
                self.handed.add(info)
            if self._is_given(info, arguments):
                self.given.add(info)
        told = on_yield is None and not _teaches(arguments) and not self._filled_in(callee)
        if self.scanning and told:
            if info in self.memory.results:
                return self.memory.results[info]
            if not info.module.names_library:
                return self._by_signature(info, NOTHING)
        frame = Frame(
            self.activation(callee, info, arguments),
            info,
            len(self.cleanups),
            on_yield=on_yield,
            stands_for=stands_for,
            reported=self.reported_in(info),
        )
        chain, self.chain = self.chain, (*self.chain, self.source(node))
        self.frames.append(frame)
        self.bind_parameters(callee, info, arguments)
        with self.proving_nothing(_runs_once(info, arguments)):
            self._body_at_its_depth(info)
        self.frames.pop()
        self.chain = chain
        if self.notes.kinds.get(info, set()) & TAKES_PART:
            self.followed.setdefault(info)
        result = self.meet(frame.returns) if frame.returns else NOTHING
        if not frame.returns:
            self.current = NOWHERE
        if self.handling and self.idioms.is_name("record", info.name):
            self.emit("quarantine", self.source(node), {"grade": "bare"})
        result = self._by_signature(info, result)
        self.memory.results[info] = replace(result, slot=-1)
        return result

    def reported_in(self, info: FunctionInfo) -> frozenset[str]:
        """Return the lists in which the function, or who calls it, reports what has failed."""
        found = reported_lists(info.node.body, self.partial) if self.partial else frozenset()
        self.reports = self.reports or bool(found)
        return found

    def _is_given(self, info: FunctionInfo, arguments: Arguments) -> bool:
        """Does it get the message itself, and does more with it than to read or to log it?"""
        if any(self.idioms.is_name(role, info.name) for role in _ASIDE):
            return False
        return any(value.labels & WHOLE for value in arguments.all())

    def _filled_in(self, callee: Value) -> bool:
        """Is it a base class's method whose steps the class in hand may fill in?"""
        info, receiver = callee.definition, callee.receiver or NOTHING
        made = receiver.instance_of
        if not isinstance(info, FunctionInfo) or made is None or info.owner in (None, made):
            return False
        return made.module.names_library and not info.module.names_library

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

    def activation(self, callee: Value, info: FunctionInfo, arguments: Arguments) -> Scope:
        parent = callee.scope or self.notes.scopes.get(info.node)
        if parent is not None and parent is self.memory.module_scopes.get(info.module.path):
            parent = None
        return Scope(info.module, parent=parent, owner=info.owner)

    def bind_parameters(self, callee: Value, info: FunctionInfo, arguments: Arguments) -> None:
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
            value = arguments.hidden if value is None else value
            bound = self._parameter(param, value, info)
            self.bind(name, replace(bound, labels=bound.labels - {"flag"}))
        star = info.node.params.star_arg
        if isinstance(star, cst.Param):
            elements = tuple(positional) if arguments.hidden is None else None
            whole = derived(*positional, arguments.hidden or NOTHING)
            self.bind(star.name.value, replace(whole, elements=elements))
        if info.node.params.star_kwarg is not None:
            known = {param.name.value for param in info.params}
            rest = {k: v for k, v in arguments.keywords.items() if k not in known}
            whole = derived(*rest.values(), arguments.hidden or NOTHING)
            value = replace(whole, entries=rest if not arguments.open else None)
            self.bind(info.node.params.star_kwarg.name.value, value)

    def _parameter(self, param: cst.Param, value: Value | None, info: FunctionInfo) -> Value:
        if value is None:
            default = param.default
            value = self.in_module(info.module, default) if default is not None else NOTHING
        callable_ = value.definition or value.partial
        if not value.type and not callable_ and param.annotation is not None:
            typed = self.typed(param.annotation.annotation, info.module)
            if typed is not NOTHING:
                typed = replace(typed, slot=value.slot, entries=value.entries, text=value.text)
                return replace(typed, labels=value.labels, origin=value.origin)
        return value

    def property_value(self, base: Value, method: FunctionInfo) -> Value:
        callee = Value(dotted=method.dotted, definition=method, receiver=base)
        with self.aside():
            return replace(self.inline(callee, Arguments(), method.node), slot=-1)

    def construct(self, info: ClassInfo, arguments: Arguments, node: cst.CSTNode) -> Value:
        """Make an instance: its constructor is followed, its fields are kept.

        An error that is made does nothing yet.
        """
        if self._is_error(info):
            return replace(self.instance(info), labels=derived(*arguments.all()).labels)
        entries = {name: replace(v, slot=-1) for name, v in arguments.keywords.items()}
        entries = {**self._hidden_fields(info, arguments.hidden), **entries}
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

    def _hidden_fields(self, info: ClassInfo, hidden: Value | None) -> dict[str, Value]:
        """Fields of `Class(**row)`: they come from the row, not from a default or a method."""
        owners = [one for one in self.ancestors(info) if isinstance(one, ClassInfo)]
        found: dict[str, Value] = {}
        for owner in owners if hidden is not None else ():
            for name, annotation in owner.annotated.items():
                typed = self.typed(annotation, owner.module)
                found.setdefault(name, typed.plus(hidden.labels if hidden else ()))
        return found

    def _is_error(self, info: ClassInfo) -> bool:
        names = (base for base in self.ancestors(info) if isinstance(base, str))
        return any(name.endswith(("Exception", "Error")) for name in names)

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
            source = rows[0][1]
            if len(rows) == 1 and isinstance(source, cst.Name):
                given_value = given.get(source.value, arguments.hidden)
                value = self._as_annotated(init, source.value, given_value)
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
                self.memory.globals[key] = self.wrapped(value, info)
        return self.memory.globals[key]

    @property
    def decorating(self) -> bool:
        """Is a decorator of the project being applied? Its function is known by that."""
        return any(source.node is _DECORATION for source in self.chain)

    def wrapped(self, value: Value, info: FunctionInfo) -> Value:
        """Return what the decorators of the project return for `value`, a function."""
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


def _runs_once(info: FunctionInfo, arguments: Arguments) -> bool:
    """Is its answer kept for the process? Then its tests tell nothing of any delivery."""
    names = {last_name(decorator.decorator) for decorator in info.decorators}
    return bool(names & _KEEPING) and not any(value.has("message") for value in arguments.all())


def _is_handed(info: FunctionInfo, node: cst.CSTNode) -> bool:
    """Is it called by another name than its own: as an argument, an attribute, from a table?"""
    if not isinstance(node, cst.Call) or info.name.startswith("__"):
        return False
    return last_name(node.func) != info.name


def _teaches(arguments: Arguments) -> bool:
    """Can a helper do something new with these: call a function, use an object of a library?"""
    return any(one.is_callable or one.type or functions_in(one) for one in arguments.all())


def _is_class_method(info: FunctionInfo) -> bool:
    return any(last_name(decorator.decorator) == "classmethod" for decorator in info.decorators)
