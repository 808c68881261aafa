"""Calls: looked up in the vocabulary, followed into the project, or taken for unknown work."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace

import libcst as cst

from contractlint.code.conditions import last_name, names_in
from contractlint.code.flow import SETTLES
from contractlint.code.following import Following
from contractlint.code.modules import ClassInfo, FunctionInfo
from contractlint.code.notes import Registration, Spawned, functions_in
from contractlint.code.options import dict_item
from contractlint.code.values import (
    GAVE_UP,
    NOTHING,
    Arguments,
    Setting,
    Source,
    Value,
    derived,
)
from contractlint.code.walking import children
from contractlint.vocabulary.model import CallSpec

_PASSING_BUILTINS = frozenset({"iter", "aiter", "list", "tuple", "sorted", "reversed", "set"})
_NEXT_BUILTINS = frozenset({"next", "anext"})
_CONTAINERS = frozenset({"set", "dict", "list"})


class Calls(Following):
    """Everything that can be called."""

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
        spec = self.spec_of(callee)
        if spec is not None and spec.spawns is not None:
            return self._spawn(node, callee, spec, awaited=awaited)
        arguments = self.arguments(node)
        self._note_registration(node, callee, arguments)
        start = len(self.graph)
        answer = self.invoke(callee, arguments, node)
        outcome = self.done_since(start)
        known = not outcome or answer.outcome == GAVE_UP
        return answer if known else replace(answer, outcome=outcome)

    def callee(self, func: cst.BaseExpression) -> Value:
        if isinstance(func, cst.Attribute) and _is_super(func.value):
            return self._super_method(func.attr.value)
        return self.evaluate(func)

    def _super_method(self, name: str) -> Value:
        scope = self.scope.method
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
                found.hidden = found.hidden or self._hidden(value)
            elif arg.keyword is not None:
                found.keywords[arg.keyword.value] = value
                found.nodes[arg.keyword.value] = arg
            else:
                found.nodes[len(found.positional)] = arg
                found.positional.append(value)
        return found

    def _hidden(self, value: Value) -> Value | None:
        """Return any of the arguments that a `*` or `**` passes on, if it is of the message."""
        unseen = value.elements is None and value.entries is None and value.has("message")
        return derived(value) if unseen else None

    def _spread(self, found: Arguments, value: Value, node: cst.CSTNode) -> None:
        if value.entries is None:
            found.hidden = derived(value)
            return
        here = value.origin is not None and value.origin.module is self.scope.module
        for name, item in value.entries.items():
            found.keywords[name] = item
            given = dict_item(value.origin.node, (name,)) if here and value.origin else None
            found.nodes[name] = given or node

    def spec_of(self, callee: Value) -> CallSpec | None:
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
        spec = self.spec_of(callee)
        if spec is not None:
            return self._known_call(spec, callee, arguments, node)
        if callee.instance_of is not None:
            callee = self.attribute(callee, "__call__")
        elif callee.type and not callee.dotted:
            called = self.attribute(callee, "__call__")
            spec = self.spec_of(called)
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
        return self.unknown(callee, arguments, node)

    def _any_of(self, options: Iterable[Value], arguments: Arguments, node: cst.Call) -> Value:
        start = self.current
        reached = []
        for option in options:
            self.current = start
            value = self.invoke(option, arguments, node)
            reached.append((self.current, value))
        return self.meet(reached)

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
        return Value(labels=frozenset({"spawned"}), type=self.result_class(spec, Arguments()))

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
            self._note_decoration(node, callee, arguments)
            return
        receiver = callee.receiver or NOTHING
        settings = self.settings(spec.options, arguments, receiver.options)
        settings.setdefault("", Setting(NOTHING, self.source(node)))
        for place in spec.callback:
            value = self.find_argument(arguments, place)
            functions = functions_in(value)
            self._note_lending(self.argument_source(arguments, place), functions)
            for function in functions:
                self.notes.registrations.append(
                    Registration(spec, function, settings, self.source(node))
                )
            if functions:
                return

    def _note_decoration(self, node: cst.Call, callee: Value, arguments: Arguments) -> None:
        """`app.task(on_order)`, `app.task(name="x")(on_order)`: a decorator, called by hand."""
        maker, given, call = callee, arguments, node
        if isinstance(node.func, cst.Call):
            call = node.func
            with self.aside():
                maker, given = self.callee(call.func), self.arguments(call)
        spec = self.vocabulary.decorator(maker.dotted) if maker.dotted else None
        if spec is None or not arguments.positional or self.decorating:
            return
        functions = functions_in(arguments.positional[0])
        if functions or call is not node:
            self._note_lending(self.source(node.args[0]), functions)
        source = self.source(call)
        settings = self.settings(spec.options, given, (maker.receiver or NOTHING).options)
        settings[""] = Setting(NOTHING, source)
        for function in functions:
            made = Registration(spec, function, settings, source, given)
            self.notes.registrations.append(made)

    def _note_lending(self, callback: Source | None, known: list[Value]) -> None:
        """A function that registers one of its own parameters registers what callers give it.

        Of what nobody here knows, all that led to the registration may have been given it.
        """
        if callback is None:
            return
        frames = self.frames[-1:] if known else self.frames
        for function in (frame.function for frame in frames):
            if function is None or not self.is_checked(function):
                continue
            given = {param.name.value for param in function.params} - {"self", "cls"}
            if given & names_in(callback.node) or (given and not known):
                self.notes.lenders |= set(function.path)

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


def _identifiers(node: cst.CSTNode) -> Iterator[str]:
    if isinstance(node, cst.Name):
        yield node.value
    for child in children(node):
        yield from _identifiers(child)


def _is_super(node: cst.BaseExpression) -> bool:
    return isinstance(node, cst.Call) and last_name(node) == "super"
