"""Failures that no exception tells: a call has answered so, and what follows is a log line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

import libcst as cst

from contractlint.code.calls import Calls
from contractlint.code.conditions import last_name, names_in
from contractlint.code.readings import (
    absence_in,
    counted,
    exhaustion_in,
    reading_of,
    root_of,
)
from contractlint.code.unknown import ADDING_METHODS
from contractlint.code.values import GAVE_UP
from contractlint.code.walking import calls_in, children

_CALM = frozenset({"info", "debug"})
_LIMIT = re.compile(r"(?i)max|most|limit|allowed")
_LOOKS = frozenset({"len", "str", "repr", "format", "join", "bool", "any", "all", "isinstance"})


class ToldFailure(NamedTuple):
    """A way out of a test on which something has failed before; `told` says so, in the code."""

    way: bool
    told: cst.CSTNode
    of: str


class Outcomes(Calls):
    """Calls, and what a test of their answers tells of a failure."""

    def told_failure(self, node: cst.If) -> ToldFailure | None:
        """Return what the test that was lowered last tells of a failure before it."""
        return self._by_answer(node) or self._by_value(node) or self._by_count(node)

    def told(self, node: int, failure: ToldFailure | None, way: bool) -> int:
        """Let the failure be told behind `node`, where one way of the test begins."""
        self.current = node
        if failure is not None and failure.way is way:
            self.emit("told_failure", self.source(failure.told), {"of": failure.of})
        return self.current

    def _by_answer(self, node: cst.If) -> ToldFailure | None:
        """A helper has given up, and what it answers is nothing."""
        tested = absence_in(node.test)
        if tested is None or self.outcome_behind(tested.answer) != GAVE_UP:
            return None
        block = _way(node, tested.failed)
        if block is not None and any(last_name(call) in ADDING_METHODS for call in calls_in(block)):
            return None  # whoever reads the list learns of it
        return ToldFailure(tested.failed, node.test, "answer")

    def _by_value(self, node: cst.If) -> ToldFailure | None:
        """A call has answered with errors, and they are only logged."""
        reading, outcome = reading_of(node.test, self.idioms), self.outcome_told_by(node.test)
        block = _way(node, reading.failed) if reading is not None else None
        if reading is None or block is None or outcome in ("", GAVE_UP):
            return None
        log = self._all_that_is_told(block)
        if log is None or self._is_handed_on(reading.answer, block):
            return None
        return ToldFailure(reading.failed, log, outcome)

    def _by_count(self, node: cst.If) -> ToldFailure | None:
        """There is no attempt left, and the message goes with a log line."""
        exhausted = exhaustion_in(node.test, self._counts_attempts)
        block = _way(node, exhausted) if exhausted is not None else None
        if exhausted is None or block is None:
            return None
        other = _way(node, not exhausted)
        tried = other is not None and self._all_that_is_told(other) is None
        if not (_leaves(block) or (tried and self._all_that_is_told(block))):
            return None
        log = next(self._logs_in(block), None)
        return ToldFailure(exhausted, log, "attempts") if log is not None else None

    def _counts_attempts(self, node: cst.BaseExpression, limit: cst.BaseExpression) -> bool:
        names, limits = names_in(node), names_in(limit)
        if any(map(_LIMIT.search, names)):
            return False
        if any(_LIMIT.search(name) and self._is_counter({name}) for name in limits):
            return True
        with self.aside():
            value = self.evaluate(node)
        counted = value.has("attempt-count") or value.has("broker-death-count")
        return counted or self._is_counter(names)

    def _is_counter(self, names: set[str]) -> bool:
        return any(self.idioms.any_name(role, names) for role in ("attempts", "death-count"))

    def _all_that_is_told(self, block: cst.BaseSuite) -> cst.Call | None:
        """Return the log line of a block that does nothing else."""
        for statement in block.body:
            if not isinstance(statement, cst.SimpleStatementLine):
                return None
            raises = any(isinstance(small, cst.Raise) for small in statement.body)
            if raises or not all(map(self._only_watches, calls_in(statement))):
                return None
        return next(self._logs_in(block), None)

    def tells_calmly(self, block: cst.BaseSuite) -> bool:
        """Does a block only tell, and as something that may well happen (`info`, `debug`)?"""
        levels = {last_name(call) for call in self._logs_in(block)}
        return levels <= _CALM and self._all_that_is_told(block) is not None

    def _logs_in(self, block: cst.BaseSuite) -> Iterator[cst.Call]:
        lines = (line for line in block.body if isinstance(line, cst.SimpleStatementLine))
        return (call for line in lines for call in calls_in(line) if self._is_log(call))

    def _only_watches(self, call: cst.Call) -> bool:
        name = last_name(call)
        return name in _LOOKS or self.idioms.is_name("housekeeping", name) or self._is_log(call)

    def _is_log(self, call: cst.Call) -> bool:
        if isinstance(call.func, cst.Attribute):
            return self.idioms.is_name("observer", last_name(call.func.value))
        return last_name(call) == "print"

    def _is_handed_on(self, answer: cst.BaseExpression, block: cst.BaseSuite) -> bool:
        """Does somebody else get the answer, or a text made of it: a caller, a function, a loop?"""
        root, function = root_of(answer), self.frame.function
        assert root is not None
        body = function.node.body if function is not None else self.scope.module.tree
        names = {root.value} if counted(answer) is root else set()
        names |= _made_of(root.value, block)
        return self._returns(body, root.value) or any(self._gives_away(body, n) for n in names)

    def _returns(self, node: cst.CSTNode, name: str) -> bool:
        """Is it returned, or asked to raise (`raise_for_status`)?"""
        if isinstance(node, cst.Call) and last_name(node).startswith("raise_"):
            return name in names_in(node.func)
        if isinstance(node, (cst.Return, cst.Yield)):
            return node.value is not None and name in names_in(node.value)
        return any(self._returns(child, name) for child in children(node))

    def _gives_away(self, node: cst.CSTNode, name: str) -> bool:
        """Is it put into another function, a loop, an attribute or a list?"""
        if isinstance(node, cst.Call) and self._only_watches(node):
            return False
        if any(name in names_in(part) for part in _given_away(node)):
            return True
        return any(self._gives_away(child, name) for child in children(node))


def _way(node: cst.If, holds: bool) -> cst.BaseSuite | None:
    if holds:
        return node.body
    return node.orelse.body if isinstance(node.orelse, cst.Else) else None


def _leaves(block: cst.BaseSuite) -> bool:
    last = block.body[-1] if block.body else None
    small = last.body[-1] if isinstance(last, cst.SimpleStatementLine) else None
    return isinstance(small, (cst.Return, cst.Continue, cst.Break))


def _made_of(name: str, block: cst.BaseSuite) -> set[str]:
    """Return the local names to which the block assigns something made of `name`."""
    smalls = (small for line in block.body for small in getattr(line, "body", ()))
    made = (one for one in smalls if isinstance(one, cst.Assign) and name in names_in(one.value))
    return {t.target.value for one in made for t in one.targets if isinstance(t.target, cst.Name)}


def _given_away(node: cst.CSTNode) -> list[cst.CSTNode]:
    if isinstance(node, cst.Call):
        return [arg.value for arg in node.args]
    if isinstance(node, (cst.For, cst.CompFor)):
        return [node.iter]
    if isinstance(node, cst.Return) and node.value is not None:
        return [node.value]
    if isinstance(node, cst.AugAssign) or (isinstance(node, cst.Assign) and _keeps(node)):
        return [node.value]
    return []


def _keeps(node: cst.Assign) -> bool:
    return not all(isinstance(one.target, cst.Name) for one in node.targets)
