"""Loops, and what they iterate over: deliveries, parts of one, generators of the project."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import libcst as cst

from contractlint.code.branches import Branches
from contractlint.code.conditions import last_name, names_in
from contractlint.code.flow import NOWHERE, Catch, Frame, Loop
from contractlint.code.modules import FunctionInfo, dotted_name
from contractlint.code.values import LASTING, NOTHING, Arguments, Value, derived, merged, row_of
from contractlint.code.walking import calls_in
from contractlint.events import BOUNDARIES, IS_FALSY, IS_NONE, IS_TRUTHY, Change, Need
from contractlint.vocabulary.model import CallSpec

_YIELD_COPIES = 4
_COUNTERS = {"range": "counted", "count": "endless"}  # a loop over one of them tries again


class Loops(Branches):
    """Branches that can lower loops."""

    def _while(self, node: cst.While) -> None:
        head = self.join([self.current, self._head()])
        loop = Loop(len(self.cleanups), flags=frozenset(names_in(node.test)))
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
        self._tried_in_vain(node, loop)
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
        generator = self.generator_of(node.iter)
        if generator is not None:
            self._for_generated(node, *generator)
            return
        iterated = self.evaluate(node.iter)
        if dotted_name(node.iter) in self.buffers and not self._may_settle(node.body):
            self.emit("join", self.source(node))
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
        loop.of_others = not self.received_since(start)
        self._round(node.body, loop)
        if last_name(node.iter) in _COUNTERS:
            self._begin_again(node, start, _COUNTERS[last_name(node.iter)])
        self._back_to(head)
        body_names = self.scope.names
        self.scope.names = before
        self.current = exhausted
        self._tried_in_vain(node, loop)
        if node.orelse is not None:
            self.suite(node.orelse.body)
        self._merge_loop(loop, before, body_names)
        self.note_gone_through(node.iter)

    def _tried_in_vain(self, node: cst.While | cst.For, loop: Loop) -> None:
        """Whoever leaves the loop at its head, and not from a round, has had no success."""
        if loop.tries:
            self.emit("told_failure", self.source(node), {"of": "rounds"})

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

    def _may_settle(self, body: cst.BaseSuite) -> bool:
        """Does a name in it say that something is acknowledged, whatever it is called on?"""
        named = {last_name(call) for call in calls_in(body)}
        specs = [spec for name in named for spec in self.vocabulary.bare_calls(name)]
        return any(spec.event is not None and spec.event.event == "ack" for spec in specs)

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
            kind = self.result_class(spec, Arguments()) if spec.returns != "message" else ""
            labels = set(spec.labels) | ({"message", "whole"} if receives else set())
            return Value(type=kind, labels=frozenset(labels), batch=spec.batch, options={})

        return take

    def _next_of(self, value: Value, node: cst.CSTNode) -> Value:
        """The project's own iterator: its `__next__` is followed, its end is the loop's end."""
        for name in ("__next__", "__anext__"):
            method = self.attribute(value, name)
            if isinstance(method.definition, FunctionInfo):
                return self._fetched_by(method, node)
        return self._taken_element(value, node)

    def _fetched_by(self, method: Value, node: cst.CSTNode) -> Value:
        taken: list[Value] = []
        self.fetching, before = True, self.fetching
        caught = self.collect(lambda: taken.append(self.inline(method, Arguments(), node)))
        self.fetching = before
        for row in caught.raised:
            if not row[1].endswith(("StopIteration", "StopAsyncIteration")):
                self.catches[-1].raised[row] = None
        return taken[0]

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
            again = "yes" if value.has("gone-through") else ""
            told = {"grade": "typed", "of": "batch", "redelivers": self.redelivers, "again": again}
            self.emit("receive", self.source(node), told)
        return self.element_of(value)

    def element_of(self, value: Value) -> Value:
        if value.elements is not None:
            return row_of(value.elements)
        if value.batch:
            filled = {"filled"} if value.batch > 1 else set()
            whole = {"whole"} if value.batch == 1 else set()
            labels = frozenset(value.labels & LASTING) | {"message"} | whole | filled
            return Value(labels=labels, batch=value.batch - 1)
        return replace(derived(value), alternatives=value.alternatives)

    def generator_of(self, node: cst.BaseExpression) -> tuple[Value, cst.Call] | None:
        """Return the project generator that a loop or `with` calls, if it is one."""
        inner = node.expression if isinstance(node, cst.Await) else node
        if not isinstance(inner, cst.Call):
            return None
        with self.aside():
            callee = self.callee(inner.func)
        info = callee.definition
        if not isinstance(info, FunctionInfo) or not info.is_generator:
            return None
        if info in [frame.function for frame in self.frames] or self.is_deep:
            return None
        return callee, inner

    def yield_from(self, node: cst.BaseExpression) -> bool:
        generator = self.generator_of(node)
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
            self.in_frame(outer, catches, lambda: self._yielded_body(node, value, loop))
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

    def in_frame(self, frame: Frame, catches: list[Catch], run: Callable[[], None]) -> None:
        inner_catches, self.catches = self.catches, catches
        chain, self.chain = self.chain, self.chain[: len(self.frames) - 1]
        handler, inner_frames = frame, list(self.frames)
        self.frames = [*inner_frames, handler]
        run()
        self.frames = inner_frames
        self.chain = chain
        self.catches = inner_catches
