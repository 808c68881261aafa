"""Context managers: what a `with` opens, and what happens on each way out of it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import partial

import libcst as cst

from contractlint.code.conditions import last_name
from contractlint.code.flow import NOWHERE, Cleanup, Transaction
from contractlint.code.modules import FunctionInfo
from contractlint.code.tries import Failure, Tries
from contractlint.code.values import NOTHING, Arguments, Setting, Source, Value
from contractlint.code.walking import children
from contractlint.vocabulary.model import ContextSpec

_EVERYTHING = frozenset({"Exception", "BaseException"})


class Contexts(Tries):
    """Exceptions, and `with`."""

    def _with(self, node: cst.With) -> None:
        self._with_items(list(node.items), node.body)

    def _with_items(self, items: list[cst.WithItem], block: cst.BaseSuite) -> None:
        if not items:
            self.suite(block)
            return
        item, rest = items[0], items[1:]
        generator = self.generator_of(item.item)
        if generator is not None:
            self._with_generated(item, rest, block, *generator)
            return
        value = self.evaluate(item.item)
        inner = partial(self._with_items, rest, block)
        if value.dotted == "contextlib.suppress" or self._is_suppress(item.item):
            self._suppress(item, inner)
            return
        context = self._context(item.item, value)
        entered = self._entered(value, context)
        if item.asname is not None:
            self.bind_target(item.asname.name, entered)
        settings = self._context_settings(item.item, value)
        covered = _catches_everything(block)
        self.inside(self.source(item.item), settings, value, context, inner, covered=covered)

    def _is_suppress(self, node: cst.BaseExpression) -> bool:
        return isinstance(node, cst.Call) and last_name(node) == "suppress"

    def _suppress(self, item: cst.WithItem, inner: Callable[[], None]) -> None:
        call = item.item
        assert isinstance(call, cst.Call)
        types = [arg.value for arg in call.args]
        start = len(self.graph)
        caught = self.collect(inner)
        done = self.current
        ends = [done]
        kind, names = self.classify(types)
        rest = self.arrive(caught, types)
        if self.current != NOWHERE:
            failing = self.failing_since(start)
            self.enter_handler(call, Failure(kind, names, (), failing, ignored=True))
            ends.append(self.current)
        self.catches[-1].raised.update(rest.raised)
        self.join(ends)

    def _context(self, node: cst.BaseExpression, value: Value) -> ContextSpec | None:
        if isinstance(node, cst.Await):
            node = node.expression
        if isinstance(node, cst.Call):
            with self.aside():
                callee = self.callee(node.func)
            spec = self.spec_of(callee)
            if spec is None and isinstance(node.func, cst.Attribute) and not callee.definition:
                spec = self.bare_spec(
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

    def inside(
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
        caught = self.collect(inner)
        if transaction.library:
            self.transactions.pop()
        self.cleanups.pop()
        if self.current != NOWHERE:
            leave()
        done = self.current
        self.arrive(caught, None)
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

    def _context_settings(self, node: cst.BaseExpression, value: Value) -> dict[str, Setting]:
        settings = dict(value.options)
        if isinstance(node, cst.Call):
            with self.aside():
                callee = self.callee(node.func)
                receiver = callee.receiver or NOTHING
                spec = self.spec_of(callee)
                spec = spec or self.bare_spec(last_name(node.func), receiver, Arguments(), node)
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

            self.in_frame(outer, self.catches, run)
            return NOTHING

        self.inline(callee, arguments, call, on_yield, stands_for=self.source(item.item))
        if not done and self.current != NOWHERE:
            self._with_items(rest, block)


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
