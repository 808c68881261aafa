"""Statements: control flow, exceptions, clean-ups."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import libcst as cst

from contractlint.code.calls import Calls, Registration, functions_in
from contractlint.code.conditions import fields_in, last_name, names_in
from contractlint.code.errors import ErrorClasses
from contractlint.code.flow import NOWHERE, Catch, Cleanup, Frame, Loop, Transaction
from contractlint.code.modules import (
    ClassInfo,
    FunctionInfo,
    dotted_name,
    imported_names,
    suites_of,
    yields_in,
)
from contractlint.code.values import (
    LASTING,
    NOTHING,
    Arguments,
    Scope,
    Setting,
    Source,
    Value,
    derived,
    merged,
)
from contractlint.code.walking import calls_in, children
from contractlint.events import BOUNDARIES, IS_FALSY, IS_NONE, IS_TRUTHY, Change, Need
from contractlint.vocabulary.model import CallSpec, ContextSpec

_EVERYTHING = frozenset({"Exception", "BaseException"})
_WORKS = frozenset(
    {"work", "persist", "stage", "effect", "publish", "handoff", "buffer", "quarantine"}
)
_YIELD_COPIES = 4
_ERROR_TELLERS = frozenset({"exc_info", "format_exc", "format_exception"})
_COUNTERS = {"range": "counted", "count": "endless"}  # a loop over one of them tries again


class Statements(Calls):
    """Calls that can lower whole function bodies."""

    def body(self, info: FunctionInfo) -> None:
        frame = self.frame
        node = info.node
        frame.scratch = info.scratch
        if isinstance(node, cst.Lambda):
            self._return(self.evaluate(node.body))
            return
        self._decorated_body(node, list(node.decorators))

    def _decorated_body(self, node: cst.FunctionDef, decorators: list[cst.Decorator]) -> None:
        """Lower a body inside what its decorators open (`@transaction.atomic`)."""
        if not decorators:
            self.suite(node.body)
            if self.current != NOWHERE:
                self._return(Value(const=None))
            return
        decorator, rest = decorators[0], decorators[1:]
        spec = self._decorating_context(decorator.decorator)
        if spec is None:
            self._decorated_body(node, rest)
            return
        settings = {"": Setting(NOTHING, self.source(decorator.decorator))}
        self._inside(
            self.source(decorator.decorator),
            settings,
            NOTHING,
            spec,
            lambda: self._decorated_body(node, rest),
        )

    def _decorating_context(self, node: cst.BaseExpression) -> ContextSpec | None:
        callee = node.func if isinstance(node, cst.Call) else node
        with self.aside():
            value = self.evaluate(callee)
        spec = self._spec_of(value)
        return spec.context if spec is not None else None

    def suite(self, block: cst.BaseSuite) -> None:
        for statement in block.body:
            if self.current == NOWHERE and self._is_dead(statement):
                continue
            self.statement(statement)

    def _is_dead(self, statement: cst.CSTNode) -> bool:
        """Unreachable code has no events; only definitions in it may still be wanted."""
        if isinstance(statement, (cst.FunctionDef, cst.ClassDef)):
            return False
        return self.frames[0].function is not None or not _defines(statement)

    def statement(self, node: cst.CSTNode) -> None:
        if isinstance(node, cst.SimpleStatementLine):
            for small in node.body:
                self.small(small)
            return
        method = _COMPOUND.get(type(node))
        if method is not None:
            method(self, node)
        elif isinstance(node, cst.BaseSmallStatement):
            self.small(node)

    def small(self, node: cst.BaseSmallStatement) -> None:
        method = _SIMPLE.get(type(node))
        if method is not None:
            method(self, node)

    # -- simple statements -----------------------------------------------------------------------

    def _expression(self, node: cst.Expr) -> None:
        value = node.value
        self.dropped = value.expression if isinstance(value, cst.Await) else value
        self.evaluate(value)

    def _assign(self, node: cst.Assign) -> None:
        value = self.evaluate(node.value)
        for target in node.targets:
            self._note_assigned_handler(target.target, value)
            self._note_refusal(target.target, value)
            self.bind_target(target.target, value)

    def _note_refusal(self, target: cst.BaseExpression, value: Value) -> None:
        """Is a state set that says that the other side has refused?"""
        if isinstance(target, (cst.Attribute, cst.Subscript)) and self.says_refusal(value):
            names = (last_name(target), *fields_in(target))
            if self.idioms.any_name("state", names):
                self.emit("refusal", self.source(target))

    def _note_assigned_handler(self, target: cst.BaseExpression, value: Value) -> None:
        if not isinstance(target, cst.Attribute) or value.definition is None:
            return
        owner = self.evaluate(target.value)
        name = target.attr.value
        spec = self.vocabulary.assigned(f"{owner.type}.{name}") if owner.type else None
        if spec is None:
            return
        settings = {**owner.options, "": Setting(NOTHING, self.source(target))}
        registration = Registration(spec, value, settings, self.source(target))
        self.notes.registrations.append(registration)

    def _annotated_assign(self, node: cst.AnnAssign) -> None:
        value = self.evaluate(node.value) if node.value is not None else NOTHING
        typed = self.typed(node.annotation.annotation, self.scope.module)
        if typed is not NOTHING and not value.type:
            typed = replace(typed, entries=value.entries, origin=value.origin)
            value = replace(typed, labels=value.labels, slot=value.slot, options=value.options)
        if node.value is not None or isinstance(node.target, cst.Name):
            self.bind_target(node.target, value)

    def _augmented_assign(self, node: cst.AugAssign) -> None:
        value = derived(self.evaluate(node.target), self.evaluate(node.value))
        if isinstance(node.target, cst.Name):
            self.bind_target(node.target, value)

    def bind_target(self, target: cst.BaseExpression, value: Value) -> None:
        if isinstance(target, cst.Name):
            self.bind(target.value, value)
        elif isinstance(target, (cst.Tuple, cst.List)):
            self._unpack(target, value)
        elif isinstance(target, cst.StarredElement):
            self.bind_target(target.value, replace(derived(value), batch=value.batch))
        elif isinstance(target, cst.Subscript):
            self._store_item(target, value)
        elif isinstance(target, cst.Attribute):
            self._store_attribute(target, value)

    def _unpack(self, target: cst.Tuple | cst.List, value: Value) -> None:
        for index, element in enumerate(target.elements):
            item = self.item(value, Value(const=index)) if not value.batch else value
            if value.has("delivery"):
                item = replace(item, labels=item.labels | {"delivery"}, slot=-1)
            if value.type and value.elements is None and not value.batch:
                item = replace(item, type="")
            ours = {self.slot(name) for name in names_in(target)}
            kept = item.slot if value.elements is not None and item.slot not in ours else -1
            self.bind_target(element.value, replace(item, slot=kept))

    def _store_item(self, target: cst.Subscript, value: Value) -> None:
        base = self.evaluate(target.value)
        index = target.slice[0].slice if len(target.slice) == 1 else None
        key = self.evaluate(index.value) if isinstance(index, cst.Index) else NOTHING
        name = dotted_name(target.value)
        if base.has("memory"):
            self.remember(key, target)
        if name and name in self.scope.names and base.entries is not None:
            if isinstance(key.const, str):
                self.change(Change(self.slot(name)))
                entries = {**base.entries, key.const: replace(value, slot=-1)}
                self.scope.names[name] = replace(base, entries=entries, slot=-1)
        elif self._outlives(target.value) and value.has("message"):
            self.emit("buffer", self.source(target), {"to": "memory"})

    def _store_attribute(self, target: cst.Attribute, value: Value) -> None:
        name = dotted_name(target.value)
        owner = self.scope.names.get(name) if name else None
        if owner is not None and name != "self" and (owner.entries is not None or owner.type):
            entries = {**(owner.entries or {}), target.attr.value: replace(value, slot=-1)}
            self.scope.names[name] = replace(owner, entries=entries)

    def _return_statement(self, node: cst.Return) -> None:
        value = self.evaluate(node.value) if node.value is not None else Value(const=None)
        self._return(value)

    def _return(self, value: Value) -> None:
        frame = self.frame
        self.unwind(frame.cleanup_depth)
        frame.returns.append((self.current, value))
        self.current = NOWHERE

    def _raise(self, node: cst.Raise) -> None:
        name = ""
        if node.exc is not None:
            value = self.evaluate(node.exc)
            name = value.type or value.dotted
            if isinstance(node.exc, cst.Call):
                name = self.callee(node.exc.func).dotted
            self._raised_meaning(name, node)
        if not self._is_signal(name):
            self.emit("raise", self.source(node), {"class": name})
        self.raise_now(name)

    def _is_signal(self, name: str) -> bool:
        return bool(name) and self.vocabulary.raised(name) is not None

    def _raised_meaning(self, name: str, node: cst.Raise) -> None:
        spec = self.vocabulary.raised(name) if name else None
        if spec is None:
            return
        call = node.exc if isinstance(node.exc, cst.Call) else None
        arguments = self.arguments(call) if call is not None else Arguments()
        settings = self.settings(spec.options, arguments, {})
        for case in spec.cases:
            if self.decide(case.when, settings):
                self.emit_spec(case, settings, self.source(node), by="raise", grade="typed")
                return
        if spec.event is not None:
            self.emit_spec(spec.event, settings, self.source(node), by="raise", grade="typed")

    def _break(self, node: cst.Break) -> None:
        loop = self.frame.loops[-1] if self.frame.loops else None
        if loop is not None:
            self.unwind(loop.cleanup_depth)
            loop.breaks.append(self.current)
        self.current = NOWHERE

    def _continue(self, node: cst.Continue) -> None:
        loop = self.frame.loops[-1] if self.frame.loops else None
        if loop is not None:
            self.unwind(loop.cleanup_depth)
            loop.continues.append(self.current)
        self.current = NOWHERE

    def _assert(self, node: cst.Assert) -> None:
        holds, fails = self.condition(node.test)
        self.current = fails
        self.raise_now("AssertionError")
        self.current = holds

    def _import(self, node: cst.Import | cst.ImportFrom) -> None:
        if self.frame.function is None:
            return
        module = self.scope.module
        for name, dotted in imported_names(node, module.dotted, is_package=module.is_package):
            if name != "*":
                self.bind(name, self.dotted(dotted))

    def _global(self, node: cst.Global | cst.Nonlocal) -> None:
        if isinstance(node, cst.Global):
            self.scope.global_names |= {item.name.value for item in node.names}

    def _delete(self, node: cst.Del) -> None:
        if isinstance(node.target, cst.Subscript):
            self.evaluate(node.target)

    # -- definitions -----------------------------------------------------------------------------

    def _function(self, node: cst.FunctionDef) -> None:
        info = self.scope.module.by_node.get(node)
        if info is None:
            return
        self.notes.scopes[node] = self.scope
        for decorator in node.decorators:
            if isinstance(decorator.decorator, cst.Call):
                self.arguments(decorator.decorator)
        if self.frame.function is not None:
            value = Value(dotted=info.dotted, definition=info, scope=self.scope)
            self.scope.names[node.name.value] = value

    def _class(self, node: cst.ClassDef) -> None:
        info = next((c for c in self.scope.module.all_classes if c.node is node), None)
        for name, value in info.assigned.items() if info is not None else ():
            self._note_class_setting(name, value)
        if info is not None and self.frame.function is not None:
            self.scope.names[node.name.value] = self.of_class(info)

    def _note_class_setting(self, name: str, node: cst.BaseExpression) -> None:
        """Some libraries take their handlers from a list in a class body."""
        spec = self.vocabulary.class_setting(name)
        imports = self.scope.module.imports.values()
        if spec is None or not any(dotted.startswith(spec.library) for dotted in imports):
            return
        with self.aside():
            value = self.evaluate(node)
        settings = self.settings(spec.options, Arguments(), {})
        settings[""] = Setting(NOTHING, self.source(node))
        for function in functions_in(value):
            self.notes.registrations.append(
                Registration(spec, function, settings, self.source(node))
            )

    # -- branches --------------------------------------------------------------------------------

    def _if(self, node: cst.If) -> None:
        with self.proving_nothing(self._only_tells(node)):
            self._branches_of(node)

    def _only_tells(self, node: cst.If) -> bool:
        """Do all branches only log? Then the test decides nothing, whatever it looks at."""
        branch: cst.If | cst.Else | None = node
        while branch is not None:
            if not all(map(self._logs, branch.body.body)):
                return False
            branch = branch.orelse if isinstance(branch, cst.If) else None
        return True

    def _logs(self, statement: cst.CSTNode) -> bool:
        if isinstance(statement, cst.SimpleStatementLine):
            return all(map(self._logs, statement.body))
        if isinstance(statement, cst.Expr):
            return self._calls_observer(statement.value)
        return isinstance(statement, cst.Pass)

    def _calls_observer(self, node: cst.BaseExpression) -> bool:
        if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute):
            return False
        return self.idioms.is_name("observer", last_name(node.func.value))

    def _branches_of(self, node: cst.If) -> None:
        ends: list[tuple[int, dict[str, Value]]] = []
        branch: cst.If | cst.Else | None = node
        while isinstance(branch, cst.If):
            before = dict(self.scope.names)
            holds, fails = self.condition(branch.test)
            tested = dict(self.scope.names)
            self.current = holds
            self._narrow(branch.test)
            self.suite(branch.body)
            ends.append((self.current, self.scope.names))
            self.scope.names = tested if tested != before else dict(tested)
            self.current = fails
            branch = branch.orelse
        if branch is not None:
            self.suite(branch.body)
        ends.append((self.current, self.scope.names))
        self._merge(ends)

    def _narrow(self, test: cst.BaseExpression) -> None:
        """`isinstance(x, Class)` tells the class of x inside the branch."""
        if not isinstance(test, cst.Call) or last_name(test.func) != "isinstance":
            return
        if len(test.args) != 2 or not isinstance(test.args[0].value, cst.Name):
            return
        name = test.args[0].value.value
        typed = self.typed(test.args[1].value, self.scope.module)
        if typed is not NOTHING and name in self.scope.names:
            value = self.scope.names[name]
            self.scope.names[name] = replace(value, type=typed.type, definition=typed.definition)

    def _merge(self, ends: Sequence[tuple[int, dict[str, Value]]]) -> None:
        """Join control, and for each name what the live branches know of it."""
        live = [names for node, names in ends if node != NOWHERE] or [ends[-1][1]]
        self.join([node for node, _ in ends])
        if len(live) == 1:
            self.scope.names = live[0]
            return
        names: dict[str, Value] = {}
        for name in dict.fromkeys(name for table in live for name in table):
            values = [table[name] for table in live if name in table]
            names[name] = merged(values)
        self.scope.names = names

    def _match(self, node: cst.Match) -> None:
        subject = self.evaluate(node.subject)
        ends: list[tuple[int, dict[str, Value]]] = []
        names = self.scope.names
        for case in node.cases:
            start = self.current
            self.scope.names = dict(names)
            self.current = self.branch(None)
            self._bind_pattern(case.pattern, subject)
            refused = NOWHERE
            if case.guard is not None:
                self.current, refused = self.condition(case.guard)
            self.suite(case.body)
            ends.append((self.current, self.scope.names))
            irrefutable = isinstance(case.pattern, cst.MatchAs) and case.pattern.pattern is None
            self.join([NOWHERE if irrefutable else start, refused])
        self.scope.names = dict(names)
        ends.append((self.current, self.scope.names))
        self._merge(ends)

    def _bind_pattern(self, pattern: cst.CSTNode, subject: Value) -> None:
        if isinstance(pattern, (cst.MatchAs, cst.MatchStar)) and pattern.name is not None:
            self.bind(pattern.name.value, replace(derived(subject), slot=-1))
        for child in children(pattern):
            self._bind_pattern(child, subject)

    # -- loops -----------------------------------------------------------------------------------

    def _while(self, node: cst.While) -> None:
        head = self.join([self.current, self._head()])
        loop = Loop(len(self.cleanups))
        start = len(self.graph)
        before = dict(self.scope.names)
        holds, fails = self.condition(node.test)
        tested = dict(self.scope.names)
        self.current = holds
        self._round(node.body, loop)
        self._begin_again(node, start, "endless" if fails == NOWHERE else "while")
        self._back_to(head)
        body_names = self.scope.names
        self.scope.names = tested
        self.current = fails
        if node.orelse is not None:
            self.suite(node.orelse.body)
        self._merge_loop(loop, before, body_names)

    def _head(self) -> int:
        """Return a node that loops come back to, reached from here."""
        if self.current == NOWHERE:
            return NOWHERE
        node = self.graph.add()
        self.graph.connect(self.current, node)
        self.current = node
        return node

    def _round(self, block: cst.BaseSuite, loop: Loop) -> None:
        self.frame.loops.append(loop)
        self.suite(block)
        self.frame.loops.pop()
        self.join([self.current, *loop.continues])

    def _begin_again(self, node: cst.While | cst.For, start: int, loop: str) -> None:
        """Tell that the same is tried once more, unless the loop goes from delivery to delivery."""
        kinds = {event.kind for event in self.graph.events[start:] if event is not None}
        if not kinds & BOUNDARIES:
            failed = "yes" if "failure" in kinds else ""
            self.emit("again", self.source(node), {"loop": loop, "failed": failed})

    def _back_to(self, head: int) -> None:
        if head != NOWHERE and self.current != NOWHERE:
            self.graph.connect(self.current, head)

    def _merge_loop(
        self, loop: Loop, before: dict[str, Value], body_names: dict[str, Value]
    ) -> None:
        self.join([self.current, *loop.breaks])
        names = dict(self.scope.names)
        for name, value in body_names.items():
            names[name] = merged([value, names[name]]) if name in names else value
        self.scope.names = names

    def _for(self, node: cst.For) -> None:
        generator = self._generator_of(node.iter)
        if generator is not None:
            self._for_generated(node, *generator)
            return
        iterated = self.evaluate(node.iter)
        if self._settles_each_round(node.body, iterated):
            iterated = replace(iterated, labels=iterated.labels | {"message"}, batch=1)
        loop = Loop(len(self.cleanups), dotted_name(node.target), self.fresh_slot())
        if iterated.has("filled") or self.frame.handling:  # what failed has something to mark
            self.change(Change(loop.going_on, IS_TRUTHY))
        head = self._head()
        start = len(self.graph)
        before = dict(self.scope.names)
        take = self.advance(iterated, node.iter)
        exhausted = self._exhausted(loop)
        self.bind_target(node.target, take())
        loop.of_others = not self._received_since(start)
        self._round(node.body, loop)
        if last_name(node.iter) in _COUNTERS:
            self._begin_again(node, start, _COUNTERS[last_name(node.iter)])
        self._back_to(head)
        body_names = self.scope.names
        self.scope.names = before
        self.current = exhausted
        if node.orelse is not None:
            self.suite(node.orelse.body)
        self._merge_loop(loop, before, body_names)

    def _exhausted(self, loop: Loop) -> int:
        """Return the way out of the loop: not in a round after which it goes on for sure.

        What a consumer returns holds no empty parts, so a loop over one has a first round.
        """
        exhausted = self.branch(Need(loop.going_on, IS_NONE | IS_FALSY))
        self.change(Change(loop.going_on, IS_FALSY))
        return exhausted

    def _settles_each_round(self, body: cst.BaseSuite, iterated: Value) -> bool:
        """Is it a loop over messages of a wrapper nobody can resolve: each round settles one?"""
        if len(self.chain) > 0 or iterated.batch or iterated.elements or iterated.has("message"):
            return False
        if self._iteration_spec(iterated) is not None or not self.frame.tells_itself:
            return False
        return any(self._settles(call) for call in calls_in(body))

    def _settles(self, call: cst.Call) -> bool:
        if not isinstance(call.func, cst.Attribute):
            return False
        owner = last_name(call.func.value)
        for spec in self.vocabulary.bare_calls(call.func.attr.value):
            settles = spec.event is not None and spec.event.event in ("ack", "reject", "requeue")
            if settles and spec.bare and spec.bare.receiver and spec.bare.receiver.search(owner):
                return True
        return False

    def advance(self, value: Value, node: cst.CSTNode) -> Callable[[], Value]:
        spec = self._iteration_spec(value)
        self.wait_for(value, node)
        if spec is None and value.instance_of is not None:
            return lambda: self._next_of(value, node)
        if spec is None:
            return lambda: self._taken_element(value, node)
        settings = self.settings(spec.options, Arguments(), value.options)
        source = self.source(node)
        self.emit_all(spec.before, settings, source, grade="typed")
        event, _ = self.chosen_event(spec, settings)
        receives = event is not None and event.event == "receive"
        if receives:
            self.emit("poll", source)
            self.may_raise()

        def take() -> Value:
            if event is not None and receives:
                self.received_from(settings)
                known = {"library": spec.library, "grade": "typed", **event.attributes}
                self.emit("receive", source, {**known, **self.queue_of(settings)})
            self.emit_all(spec.then, settings, source, grade="typed")
            kind = self._result_class(spec, Arguments()) if spec.returns != "message" else ""
            labels = set(spec.labels) | ({"message"} if receives else set())
            return Value(type=kind, labels=frozenset(labels), batch=spec.batch, options={})

        return take

    def _next_of(self, value: Value, node: cst.CSTNode) -> Value:
        """The project's own iterator: its `__next__` is followed, its end is the loop's end."""
        for name in ("__next__", "__anext__"):
            method = self.attribute(value, name)
            if isinstance(method.definition, FunctionInfo):
                taken: list[Value] = []
                self.fetching, before = True, self.fetching
                caught = self._collect(
                    lambda: taken.append(self.inline(method, Arguments(), node))  # noqa: B023
                )
                self.fetching = before
                for row in caught.raised:
                    if not row[1].endswith(("StopIteration", "StopAsyncIteration")):
                        self.catches[-1].raised[row] = None
                return taken[0]
        return self._taken_element(value, node)

    def _iteration_spec(self, value: Value) -> CallSpec | None:
        for option in (value, *value.alternatives):
            if not option.type:
                continue
            for suffix in ("__iter__", "__aiter__"):
                owner = option.instance_of
                names = [option.type]
                if owner is not None:
                    names = [base for base in self.ancestors(owner) if isinstance(base, str)]
                for name in names:
                    spec = self.vocabulary.call(f"{name}.{suffix}")
                    if spec is not None:
                        return spec
        return None

    def _taken_element(self, value: Value, node: cst.CSTNode) -> Value:
        if value.batch == 1:
            told = {"grade": "typed", "of": "batch", "redelivers": self.redelivers}
            self.emit("receive", self.source(node), told)
        return self.element_of(value)

    def element_of(self, value: Value) -> Value:
        if value.elements is not None:
            inner = tuple(element for element in value.elements)
            return merged(inner) if len(inner) != 1 else inner[0]
        if value.batch:
            filled = {"filled"} if value.batch > 1 else set()
            labels = frozenset(value.labels & LASTING) | {"message"} | filled
            return Value(labels=labels, batch=value.batch - 1)
        return replace(derived(value), alternatives=value.alternatives)

    # -- generators ------------------------------------------------------------------------------

    def _generator_of(self, node: cst.BaseExpression) -> tuple[Value, cst.Call] | None:
        """Return the project generator that a loop or `with` calls, if it is one."""
        inner = node.expression if isinstance(node, cst.Await) else node
        if not isinstance(inner, cst.Call):
            return None
        with self.aside():
            callee = self.callee(inner.func)
        info = callee.definition
        if not isinstance(info, FunctionInfo) or not info.is_generator:
            return None
        if info in [frame.function for frame in self.frames] or len(self.frames) > self.follow:
            return None
        return callee, inner

    def yield_from(self, node: cst.BaseExpression) -> bool:
        generator = self._generator_of(node)
        if generator is None or self.frame.on_yield is None:
            return False
        callee, call = generator
        self.inline(callee, self.arguments(call), call, self.frame.on_yield)
        return True

    def _for_generated(self, node: cst.For, callee: Value, call: cst.Call) -> None:
        """Splice the generator in, with the loop's body at each of its yields."""
        arguments = self.arguments(call)
        loop = Loop(len(self.cleanups))
        outer, catches = self.frame, list(self.catches)
        before = dict(self.scope.names)
        copies = 0

        def on_yield(value: Value, at: cst.CSTNode) -> Value:
            nonlocal copies
            copies += 1
            if copies > _YIELD_COPIES:
                return NOTHING
            self._in_frame(outer, catches, lambda: self._yielded_body(node, value, loop))
            return NOTHING

        self.inline(callee, arguments, call, on_yield)
        if node.orelse is not None:
            self.suite(node.orelse.body)
        self._merge_loop(loop, before, dict(self.scope.names))

    def _yielded_body(self, node: cst.For, value: Value, loop: Loop) -> None:
        self.bind_target(node.target, replace(value, slot=-1))
        loop.continues = []
        self.frame.loops.append(loop)
        self.suite(node.body)
        self.frame.loops.pop()
        self.join([self.current, *loop.continues])

    def _in_frame(self, frame: Frame, catches: list[Catch], run: Callable[[], None]) -> None:
        inner_catches, self.catches = self.catches, catches
        chain, self.chain = self.chain, self.chain[: len(self.frames) - 1]
        handler, inner_frames = frame, list(self.frames)
        self.frames = [*inner_frames, handler]
        run()
        self.frames = inner_frames
        self.chain = chain
        self.catches = inner_catches

    # -- with ------------------------------------------------------------------------------------

    def _with(self, node: cst.With) -> None:
        self._with_items(list(node.items), node.body)

    def _with_items(self, items: list[cst.WithItem], block: cst.BaseSuite) -> None:
        if not items:
            self.suite(block)
            return
        item, rest = items[0], items[1:]
        generator = self._generator_of(item.item)
        if generator is not None:
            self._with_generated(item, rest, block, *generator)
            return
        value = self.evaluate(item.item)
        inner: Callable[[], None] = lambda: self._with_items(rest, block)  # noqa: E731
        if value.dotted == "contextlib.suppress" or self._is_suppress(item.item):
            self._suppress(item, inner)
            return
        context = self._context(item.item, value)
        entered = self._entered(value, context)
        if item.asname is not None:
            self.bind_target(item.asname.name, entered)
        settings = self._context_settings(item.item, value)
        covered = _catches_everything(block)
        self._inside(self.source(item.item), settings, value, context, inner, covered=covered)

    def _is_suppress(self, node: cst.BaseExpression) -> bool:
        return isinstance(node, cst.Call) and last_name(node) == "suppress"

    def _suppress(self, item: cst.WithItem, inner: Callable[[], None]) -> None:
        call = item.item
        assert isinstance(call, cst.Call)
        types = [arg.value for arg in call.args]
        start = len(self.graph)
        caught = self._collect(inner)
        done = self.current
        ends = [done]
        kind, names = self._classify(types)
        rest = self._arrive(caught, types)
        if self.current != NOWHERE:
            self._enter_handler(call, Failure(kind, names, (), self._failing_since(start)))
            ends.append(self.current)
        self.catches[-1].raised.update(rest.raised)
        self.join(ends)

    def _context(self, node: cst.BaseExpression, value: Value) -> ContextSpec | None:
        if isinstance(node, cst.Await):
            node = node.expression
        if isinstance(node, cst.Call):
            with self.aside():
                callee = self.callee(node.func)
            spec = self._spec_of(callee)
            if spec is None and isinstance(node.func, cst.Attribute) and not callee.definition:
                spec = self._bare_spec(
                    node.func.attr.value, callee.receiver or NOTHING, Arguments(), node
                )
            if spec is not None and spec.context is not None:
                return spec.context
        return self.context_of(value)

    def _entered(self, value: Value, context: ContextSpec | None) -> Value:
        if context is not None and context.returns:
            kind = self.vocabulary.canonical(context.returns)
            return Value(type=kind, options=value.options)
        if value.instance_of is not None:
            for name in ("__enter__", "__aenter__"):
                method = self.attribute(value, name)
                if isinstance(method.definition, FunctionInfo):
                    entered = self.inline(method, Arguments(), method.definition.node)
                    return entered if entered.type or entered.labels else value
        return replace(value, slot=-1)

    def _inside(
        self,
        source: Source,
        settings: dict[str, Setting],
        value: Value,
        context: ContextSpec | None,
        inner: Callable[[], None],
        *,
        covered: bool = False,
    ) -> None:
        start = len(self.graph)
        opens = context is not None and context.is_transaction
        transaction = Transaction(context.library if context is not None and opens else "")

        def leave() -> None:
            if context is not None:
                exits = context.exit
                if not self._staged_since(start):
                    exits = tuple(event for event in exits if event.event != "persist")
                self.emit_all(exits, settings, source, by="context", grade="typed")
            self._leave_instance(value)
            self._run_deferred(transaction)

        self.cleanups.append(Cleanup(leave, len(self.catches)))
        if transaction.library:
            self.transactions.append(transaction)
        caught = self._collect(inner)
        if transaction.library:
            self.transactions.pop()
        self.cleanups.pop()
        if self.current != NOWHERE:
            leave()
        done = self.current
        self._arrive(caught, None)
        if self.current != NOWHERE:
            if context is not None:
                told = () if covered else context.error
                self.emit_all(told, settings, source, by="context", grade="typed")
            self._leave_instance(value)
            self.rethrow(caught)
        self.current = done

    def _run_deferred(self, transaction: Transaction) -> None:
        """What waits for the commit (`on_commit`) happens after it."""
        for called, node in transaction.deferred:
            self.invoke(called, Arguments(), node)

    def _staged_since(self, start: int) -> bool:
        """Is there a write since then that no commit has made durable yet?"""
        kinds = [event.kind for event in self.graph.events[start:] if event is not None]
        staged = max((n for n, kind in enumerate(kinds) if kind == "stage"), default=-1)
        return staged > max((n for n, kind in enumerate(kinds) if kind == "persist"), default=-1)

    def _received_since(self, start: int) -> bool:
        return any(one is not None and one.kind == "receive" for one in self.graph.events[start:])

    def _count(self, kind: str) -> int:
        return sum(1 for event in self.graph.events if event is not None and event.kind == kind)

    def _context_settings(self, node: cst.BaseExpression, value: Value) -> dict[str, Setting]:
        settings = dict(value.options)
        if isinstance(node, cst.Call):
            with self.aside():
                callee = self.callee(node.func)
                receiver = callee.receiver or NOTHING
                spec = self._spec_of(callee)
                spec = spec or self._bare_spec(last_name(node.func), receiver, Arguments(), node)
                arguments = self.arguments(node)
            if spec is not None:
                inherited = (callee.receiver or NOTHING).options
                settings |= self.settings(spec.options, arguments, inherited)
        settings.setdefault("", Setting(NOTHING, self.source(node)))
        return settings

    def _leave_instance(self, value: Value) -> None:
        if value.instance_of is None:
            return
        for name in ("__exit__", "__aexit__"):
            method = self.attribute(value, name)
            if isinstance(method.definition, FunctionInfo):
                none = [Value(const=None)] * 3
                self.inline(method, Arguments(positional=none), method.definition.node)
                return

    def _with_generated(
        self,
        item: cst.WithItem,
        rest: list[cst.WithItem],
        block: cst.BaseSuite,
        callee: Value,
        call: cst.Call,
    ) -> None:
        """A context manager written as a generator: the block stands where it yields."""
        arguments = self.arguments(call)
        outer = self.frame
        done = False

        def on_yield(value: Value, at: cst.CSTNode) -> Value:
            nonlocal done
            if done:
                return NOTHING
            done = True

            def run() -> None:
                if item.asname is not None:
                    self.bind_target(item.asname.name, replace(value, slot=-1))
                self._with_items(rest, block)

            self._in_frame(outer, self.catches, run)
            return NOTHING

        self.inline(callee, arguments, call, on_yield, stands_for=self.source(item.item))
        if not done and self.current != NOWHERE:
            self._with_items(rest, block)

    # -- try -------------------------------------------------------------------------------------

    def _try(self, node: cst.Try | cst.TryStar) -> None:
        if node.finalbody is None:
            self._try_except(node)
            return
        final = node.finalbody.body
        self.cleanups.append(Cleanup(lambda: self.suite(final), len(self.catches)))
        caught = self._collect(lambda: self._try_except(node))
        self.cleanups.pop()
        if self.current != NOWHERE:
            self.suite(final)
        done, names = self.current, self.scope.names
        self.scope.names = dict(names)
        self._arrive(caught, None)
        if self.current != NOWHERE:
            self.emit("error", self.source(node), {"by": "finally"})
            self.suite(final)
            self.rethrow(caught)
        self.current, self.scope.names = done, names

    def _try_except(self, node: cst.Try | cst.TryStar) -> None:
        if not node.handlers:
            self.suite(node.body)
            return
        before = dict(self.scope.names)
        claims = self._claims_by_error(node)
        around_yield = any(True for _ in yields_in(node.body))
        start = len(self.graph)
        caught = self._collect(lambda: self._guarded(node.body, claims))
        failing = self._failing_since(start)
        body_names = self.scope.names
        if node.orelse is not None and self.current != NOWHERE:
            self.suite(node.orelse.body)
        ends = [(self.current, self.scope.names)]
        remaining = caught
        earlier: list[str] = []
        for handler in node.handlers:
            types = _types_of(handler)
            self.scope.names = self._names_in_handler(before, body_names)
            remaining = self._arrive(remaining, types)
            kind, names = self._classify(types)
            if self.current != NOWHERE:
                self._handle(
                    handler,
                    Failure(
                        kind,
                        names,
                        earlier,
                        failing,
                        around_yield,
                        _falls_back(handler.body),
                        _answers(handler),
                        self._remembers(handler) or self._tries_again(node, handler),
                        _does_nothing(handler.body),
                    ),
                )
                ends.append((self.current, self.scope.names))
            if not names or not all(map(self._is_signal, names)):
                earlier.append(kind)
        self.catches[-1].raised.update(remaining.raised)
        self._merge(ends)

    def _names_in_handler(
        self, before: dict[str, Value], after: dict[str, Value]
    ) -> dict[str, Value]:
        names = dict(before)
        for name, value in after.items():
            names[name] = merged([before[name], value]) if name in before else value
        return names

    def _guarded(self, block: cst.BaseSuite, claims: bool) -> None:
        if not claims:
            self.suite(block)
            return
        for statement in block.body:
            writes = self._count("persist") + self._count("stage")
            self.statement(statement)
            if self._count("persist") + self._count("stage") > writes:
                self.emit("ledger_check", self.source(statement), {"by": "unique"})

    def _claims_by_error(self, node: cst.Try | cst.TryStar) -> bool:
        return any(self._classify(_types_of(h))[0] == "duplicate" for h in node.handlers)

    def _collect(self, run: Callable[[], None]) -> Catch:
        caught = Catch()
        self.catches.append(caught)
        run()
        self.catches.pop()
        return caught

    def _arrive(self, caught: Catch, types: list[cst.BaseExpression] | None) -> Catch:
        """Go to where the exceptions arrive that `types` catches (None: all); return the rest."""
        here: list[tuple[int, str]] = []
        rest = Catch()
        classes = ErrorClasses(self)
        wanted = None if types is None else [self._class_name(t) for t in types]
        for row in caught.raised:
            answer = classes.catches(row[1], wanted)
            if answer is not False:
                here.append(row)
            if answer is not True:
                rest.raised[row] = None
        self.gather(here)
        return rest

    def _class_name(self, node: cst.BaseExpression) -> str:
        with self.aside():
            value = self.evaluate(node)
        name = value.dotted or value.type or dotted_name(node)
        return name.removeprefix("builtins.")

    def _classify(self, types: list[cst.BaseExpression]) -> tuple[str, list[str]]:
        return ErrorClasses(self).kind_of([self._class_name(node) for node in types])

    def _failing_since(self, start: int) -> str:
        """Tell what can have failed since then: work on the message, other calls, or computing."""
        kinds = {event.kind for event in self.graph.events[start:] if event is not None}
        if kinds & _WORKS:
            return "work"
        return "call" if "call" in kinds else "computing"

    def _handle(self, handler: cst.ExceptHandler | cst.ExceptStarHandler, failure: Failure) -> None:
        frame = self.frame
        caught_as = _caught_name(handler)
        if caught_as:
            self.change(Change(self.slot(caught_as), IS_TRUTHY))
            self.scope.names[caught_as] = Value(labels=frozenset({"exception"}))
            frame.caught.append(caught_as)
        self._enter_handler(handler, failure)
        frame.handling += 1
        self.handling += 1
        self.suite(handler.body)
        self.handling -= 1
        frame.handling -= 1
        if caught_as:
            frame.caught.pop()

    def _enter_handler(self, node: cst.CSTNode, failure: Failure) -> None:
        served = self.frame.stands_for if failure.around_yield else None
        source = served or self.source(node)
        inner = 1 if served else 0
        goes_on = self._goes_on(failure)
        attributes = {
            "kind": failure.kind,
            "class": ", ".join(failure.classes),
            "of": failure.of,
            "timeout": "yes" if self._is_timeout(failure.classes) else "",
            "fallback": "yes" if goes_on else "",
            "answers": "yes" if failure.answers or goes_on else "",
            "depth": str(max(0, len(self.chain) - inner - self.receive_depth)),
        }
        self.emit("failure", source, attributes)
        if failure.kind == "duplicate":
            self.emit("ledger_check", source, {"by": "unique"})
        if failure.kind == "shutdown":
            self.emit("shutdown", source)
        if failure.told_apart:
            self.emit("classified", source, {"by": "class"})

    def _goes_on(self, failure: Failure) -> bool:
        """Does the work go on for good reason: with a default, with the error kept, beside it?"""
        if failure.falls_back and failure.of == "computing":
            return True
        if failure.ignored and failure.kind == "unknown":
            return True  # one named outcome is passed over on purpose, without a word
        names = [frame.function.name for frame in self.frames[2:] if frame.function is not None]
        return failure.remembered or self.idioms.any_name("beside", names)

    def _remembers(self, handler: cst.ExceptHandler | cst.ExceptStarHandler) -> bool:
        """Does an `except` keep the error in a name that is read after it?"""
        function = self.frame.function
        kept = _kept_errors(handler.body, {_caught_name(handler), *_ERROR_TELLERS} - {""})
        return function is not None and any(
            _read_outside(function.node.body, name, handler) for name in kept
        )

    def _tries_again(
        self, node: cst.Try | cst.TryStar, handler: cst.ExceptHandler | cst.ExceptStarHandler
    ) -> bool:
        """Does a loop go round again after the failure, and end once the work has been done?"""
        leaves = (cst.Return, cst.Break)
        done = node.orelse.body if node.orelse is not None else node.body
        ends = _last_small(done), _last_small(handler.body)
        stays = not isinstance(ends[1], (*leaves, cst.Raise))
        return bool(self.frame.loops) and isinstance(ends[0], leaves) and stays

    def _is_timeout(self, classes: Sequence[str]) -> bool:
        """Can one of them say that an answer did not come in time, whatever was done meanwhile?"""
        last_names = (name.rpartition(".")[2] for name in classes)
        return self.idioms.any_name("answer-timeout", last_names)


@dataclass(frozen=True, slots=True)
class Failure:
    """What an `except` catches: its kind, the kinds caught before it, and what had failed."""

    kind: str
    classes: Sequence[str]
    earlier: Sequence[str]
    of: str
    around_yield: bool = False
    falls_back: bool = False
    answers: bool = False
    remembered: bool = False
    ignored: bool = False

    @property
    def told_apart(self) -> bool:
        named = ("transient", "unknown", "mixed")
        if self.kind == "catch-all":
            return any(kind in (*named, "permanent") for kind in self.earlier)
        return self.kind in named


def _caught_name(handler: cst.ExceptHandler | cst.ExceptStarHandler) -> str:
    if handler.name is None or not isinstance(handler.name.name, cst.Name):
        return ""
    return handler.name.name.value


def _types_of(handler: cst.ExceptHandler | cst.ExceptStarHandler) -> list[cst.BaseExpression]:
    if handler.type is None:
        return []
    if isinstance(handler.type, cst.Tuple):
        return [element.value for element in handler.type.elements]
    return [handler.type]


def _falls_back(block: cst.BaseSuite) -> bool:
    """Does an `except` give a name another value, so that the work goes on with it?"""
    for statement in block.body:
        smalls = statement.body if isinstance(statement, cst.SimpleStatementLine) else ()
        for small in smalls:
            if isinstance(small, cst.Assign) and isinstance(small.targets[0].target, cst.Name):
                return True
    return False


def _kept_errors(block: cst.BaseSuite, told: set[str]) -> set[str]:
    """Return the names that are given the error, or a text that tells of it."""
    kept: set[str] = set()
    for statement in block.body:
        smalls = statement.body if isinstance(statement, cst.SimpleStatementLine) else ()
        for small in smalls:
            if isinstance(small, cst.Assign) and names_in(small.value) & (told | kept):
                kept |= {
                    target.target.value
                    for target in small.targets
                    if isinstance(target.target, cst.Name)
                }
    return kept


def _read_outside(node: cst.CSTNode, name: str, handler: cst.CSTNode) -> bool:
    if node is handler or isinstance(node, cst.AssignTarget):
        return False
    if isinstance(node, cst.Name):
        return node.value == name
    return any(_read_outside(child, name, handler) for child in children(node))


def _does_nothing(block: cst.BaseSuite) -> bool:
    only = _last_small(block) if len(block.body) == 1 else None
    if isinstance(only, cst.Return):
        return only.value is None
    return isinstance(only, (cst.Pass, cst.Continue))


def _last_small(block: cst.BaseSuite) -> cst.CSTNode | None:
    last = block.body[-1] if block.body else None
    return last.body[-1] if isinstance(last, cst.SimpleStatementLine) else last


def _answers(handler: cst.ExceptHandler | cst.ExceptStarHandler) -> bool:
    """Does an `except` return an object that tells its caller what went wrong?"""
    small = _last_small(handler.body)
    if not isinstance(small, cst.Return) or not isinstance(small.value, cst.Call):
        return False
    told = {_caught_name(handler)} - {""}
    return last_name(small.value.func)[:1].isupper() or bool(names_in(small.value) & told)


def _catches_everything(block: cst.BaseSuite) -> bool:
    """Is all the block does inside a `try` that lets no exception of the work out?"""
    statements = list(block.body)
    while len(statements) == 1 and isinstance(statements[0], cst.With):
        statements = list(statements[0].body.body)
    if len(statements) != 1 or not isinstance(statements[0], cst.Try):
        return False
    last = statements[0].handlers[-1] if statements[0].handlers else None
    if last is None or (last.type is not None and last_name(last.type) not in _EVERYTHING):
        return False
    return not _raises(last.body)


def _raises(node: cst.CSTNode) -> bool:
    return isinstance(node, cst.Raise) or any(_raises(child) for child in children(node))


def _defines(statement: cst.CSTNode) -> bool:
    return any(True for _ in suites_of(statement))


_SIMPLE: dict[type[cst.CSTNode], Callable[..., None]] = {
    cst.Expr: Statements._expression,
    cst.Assign: Statements._assign,
    cst.AnnAssign: Statements._annotated_assign,
    cst.AugAssign: Statements._augmented_assign,
    cst.Return: Statements._return_statement,
    cst.Raise: Statements._raise,
    cst.Break: Statements._break,
    cst.Continue: Statements._continue,
    cst.Assert: Statements._assert,
    cst.Import: Statements._import,
    cst.ImportFrom: Statements._import,
    cst.Global: Statements._global,
    cst.Nonlocal: Statements._global,
    cst.Del: Statements._delete,
}
_COMPOUND: dict[type[cst.CSTNode], Callable[..., None]] = {
    cst.If: Statements._if,
    cst.Match: Statements._match,
    cst.While: Statements._while,
    cst.For: Statements._for,
    cst.With: Statements._with,
    cst.Try: Statements._try,
    cst.TryStar: Statements._try,
    cst.FunctionDef: Statements._function,
    cst.ClassDef: Statements._class,
}

__all__ = ["ClassInfo", "Scope", "Statements"]
