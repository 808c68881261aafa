"""Tests: which way control goes, and what having passed a test proves.

A branch may carry the events `classified` (the error has been told apart), `bounded` (attempts
have been counted), `ledger_check` (the work was looked up), `shutdown` and `idle` (nothing came).
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

import libcst as cst

from contractlint.code.expressions import Expressions
from contractlint.code.flow import NOWHERE
from contractlint.code.modules import dotted_name, string_value
from contractlint.code.readings import reading_of, root_of
from contractlint.code.values import NOTHING, Value, derived
from contractlint.code.walking import children
from contractlint.events import IS_FALSY, IS_NONE, IS_TRUTHY, Change, Need

_NOT_TRUE = IS_NONE | IS_FALSY
_NOT_NONE = IS_FALSY | IS_TRUTHY
_TOLD_APART, _REST = ("classified", "test"), ("classified", "rest")
# Comparisons of a number that tell none from some, by the number they compare with.
_NONE_OR_SOME = {
    cst.GreaterThan: 0,
    cst.LessThanEqual: 0,
    cst.GreaterThanEqual: 1,
    cst.LessThan: 1,
}
# What makes a test of a value more than one of the message's own content.
_SAYS_MORE = frozenset(
    {
        *("delivery", "fetched", "lookup", "claim", "ledger", "write-count", "answered"),
        *("exception", "unstable", "attempt-count", "broker-death-count", "delivery-identity"),
    }
)


@dataclass(slots=True)
class Verdict:
    """A test's value, the needs of its two branches, and whether either is impossible."""

    value: Value
    holds: Need | None = None
    fails: Need | None = None
    always: bool | None = None
    absent_if: bool | None = None  # the branch on which the tested value is missing
    names: set[str] = field(default_factory=set)
    is_check: bool = False
    in_memory: bool = False  # is something of the message looked for in a container in memory?


class Conditions(Expressions):
    """Expressions that can also decide branches."""

    proves_nothing = False
    judged: Value = NOTHING  # what the last test looked at

    @contextmanager
    def proving_nothing(self, really: bool) -> Iterator[None]:
        """Lower tests inside without what having passed them proves."""
        before, self.proves_nothing = self.proves_nothing, self.proves_nothing or really
        try:
            yield
        finally:
            self.proves_nothing = before

    def condition(self, node: cst.BaseExpression) -> tuple[int, int]:
        if isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Not):
            holds, fails = self.condition(node.expression)
            return fails, holds
        if isinstance(node, cst.BooleanOperation):
            return self._short_circuit(node)
        verdict = self._judge(node)
        return self._split(verdict, node)

    def _short_circuit(self, node: cst.BooleanOperation) -> tuple[int, int]:
        holds, fails = self.condition(node.left)
        if isinstance(node.operator, cst.And):
            self.current = holds
            right_holds, right_fails = self.condition(node.right)
            return right_holds, self._meet(fails, right_fails)
        self.current = fails
        right_holds, right_fails = self.condition(node.right)
        return self._meet(holds, right_holds), right_fails

    def _meet(self, one: int, other: int) -> int:
        return self.join([one, other])

    def _test_value(self, value: Value) -> tuple[int, int]:
        return self._branch_on(self._truth(value))

    def _judge(self, node: cst.BaseExpression) -> Verdict:
        if isinstance(node, cst.Comparison) and len(node.comparisons) == 1:
            verdict = self._compare(node)
        else:
            value = self.judged = self.evaluate(node)
            verdict = self._truth(value)
            if (
                isinstance(node, cst.Name) and node.value in ("True", "False", "None")
            ) or isinstance(node, cst.Integer):
                verdict.always = bool(value.const)
        verdict.names = set(_names_in(node))
        return verdict

    def _truth(self, value: Value) -> Verdict:
        if value.slot < 0:
            return Verdict(value, absent_if=False)
        holds, fails = Need(value.slot, IS_TRUTHY), Need(value.slot, _NOT_TRUE)
        return Verdict(value, holds, fails, absent_if=False)

    def _compare(self, node: cst.Comparison) -> Verdict:
        left = self.evaluate(node.left)
        target = node.comparisons[0]
        right = self.evaluate(target.comparator)
        self.judged = left
        self.weighed((left, right), node)
        value = derived(left, right)
        verdict = Verdict(value)
        operator = target.operator
        equal = isinstance(operator, (cst.Is, cst.Equal))
        if isinstance(operator, (cst.Is, cst.IsNot, cst.Equal, cst.NotEqual)) and right.known:
            self._compare_constant(verdict, left, right.const, equal)
        elif type(operator) in _NONE_OR_SOME and right.const == _NONE_OR_SOME[type(operator)]:
            verdict.absent_if = isinstance(operator, (cst.LessThan, cst.LessThanEqual))
        elif isinstance(operator, (cst.In, cst.NotIn)):
            verdict.absent_if = isinstance(operator, cst.NotIn)
            verdict.is_check = not left.known and not right.has("gathered")
            verdict.in_memory = right.has("memory") and left.has("message")
        return verdict

    def _compare_constant(
        self, verdict: Verdict, left: Value, constant: object, equal: bool
    ) -> None:
        if constant is None:
            matches, differs = IS_NONE, _NOT_NONE
            verdict.absent_if = equal
        elif isinstance(constant, bool):
            matches = IS_TRUTHY if constant else IS_FALSY
            differs = _NOT_TRUE if constant else IS_NONE | IS_TRUTHY
            verdict.absent_if = equal is not constant
        elif constant in (0, ""):
            matches, differs = IS_FALSY, IS_NONE | IS_TRUTHY
            verdict.absent_if = equal
        else:
            verdict.absent_if = not equal if constant == 1 else None
            return
        if left.slot >= 0:
            same, other = Need(left.slot, matches), Need(left.slot, differs)
            verdict.holds, verdict.fails = (same, other) if equal else (other, same)

    def _split(self, verdict: Verdict, node: cst.BaseExpression) -> tuple[int, int]:
        holds, fails = self._branch_on(verdict)
        on_both, on_true, on_false = self._proofs(verdict, node)
        # An error that was asked for is told apart where the test holds; the rest can be any.
        others = [_REST if proof == _TOLD_APART else proof for proof in on_both]
        asked, rest = (others, on_both) if _is_negated(node) else (on_both, others)
        holds = self._prove(holds, [*asked, *on_true], node)
        fails = self._prove(fails, [*rest, *on_false], node)
        return holds, fails

    def _branch_on(self, verdict: Verdict) -> tuple[int, int]:
        holds = NOWHERE if verdict.always is False else self.branch(verdict.holds)
        fails = NOWHERE if verdict.always is True else self.branch(verdict.fails)
        return holds, fails

    def _prove(self, node: int, proofs: list[tuple[str, str]], test: cst.BaseExpression) -> int:
        self.current = node
        for kind, by in () if self.proves_nothing else proofs:
            if kind == "ledger_check":
                self.consulted |= self.asked
            self.emit(kind, self.source(test), {"by": by})
        self._rule_out_last_round(test)
        return self.current

    def _rule_out_last_round(self, test: cst.BaseExpression) -> None:
        """Whoever asks for the round in an `except` leaves on the last one: the loop goes on."""
        loop = self.frame.loops[-1] if self.frame.loops else None
        if loop is not None and self.frame.handling and loop.counter in set(_names_in(test)):
            self.change(Change(loop.going_on, IS_TRUTHY))

    def _proofs(
        self, verdict: Verdict, node: cst.BaseExpression
    ) -> tuple[list[tuple[str, str]], list[tuple[str, str]], list[tuple[str, str]]]:
        both: list[tuple[str, str]] = []
        absent: list[tuple[str, str]] = []
        on_true: list[tuple[str, str]] = []
        value, names = verdict.value, verdict.names
        if verdict.always is not None:
            return both, absent, []
        both += self._error_proofs(value, names)
        if value.has("claim") or value.has("ledger") or self._asks_ledger(node, names, verdict):
            both.append(("ledger_check", "ledger"))
        elif self._asks_lookup(value, node):
            absent.append(("ledger_check", "lookup"))
        if self._asks_state(value, node):
            both.append(("ledger_check", "state"))
        if verdict.in_memory:
            both.append(("recall", "memory"))
        elif value.has("message") and not value.labels & _SAYS_MORE and not (both or absent):
            both.append(("content", ""))
        if value.has("delivery"):
            absent.append(("idle", ""))
        if self.idioms.any_name("shutdown", names):
            on_true.append(("shutdown", ""))
        if verdict.absent_if is True:
            return both, on_true + absent, []
        if verdict.absent_if is False:
            return both, on_true, absent
        return both, on_true, []

    def _error_proofs(self, value: Value, names: set[str]) -> list[tuple[str, str]]:
        proofs = []
        counts_deaths = value.has("broker-death-count") or self.idioms.any_name(
            "death-count", names
        )
        if counts_deaths:
            proofs.append(("bounded", "deaths"))
        elif value.has("attempt-count") or self.idioms.any_name("attempts", names):
            proofs.append(("bounded", "attempts"))
        caught = set(self.frame.caught)
        if value.has("exception") or names & caught:
            proofs.append(_TOLD_APART if self.handling else ("classified", "answer"))
            if any(self.idioms.errors.kind(name) == "duplicate" for name in names):
                proofs.append(("ledger_check", "unique"))
        elif not value.has("message") and value.labels != {"flag"}:
            proofs.append(("classified", "condition"))
        return proofs

    def _asks_ledger(self, node: cst.BaseExpression, names: set[str], verdict: Verdict) -> bool:
        if isinstance(node, cst.Name) and verdict.value.labels == {"flag"}:
            return False
        if verdict.value.has("gathered"):
            return False  # filled by this delivery, it tells of no earlier one
        if verdict.is_check or isinstance(node, (cst.Call, cst.Name, cst.Attribute)):
            return self.idioms.any_name("ledger", names)
        return False

    def _asks_lookup(self, value: Value, node: cst.BaseExpression) -> bool:
        if not value.has("message") or self.outcome_told_by(node):
            return False
        return value.has("lookup") or (value.has("fetched") and not any(fields_in(node)))

    def outcome_told_by(self, node: cst.BaseExpression) -> str:
        """Return what was done by the call that has answered, if a test asks whether it failed."""
        reading = reading_of(node, self.idioms)
        return self.outcome_behind(reading.answer) if reading is not None else ""

    def outcome_behind(self, answer: cst.BaseExpression) -> str:
        """Return what was done by the call behind the answer that was judged last."""
        root = root_of(answer)
        return self.judged.outcome or (self.name(root.value).outcome if root is not None else "")

    def _asks_state(self, value: Value, node: cst.BaseExpression) -> bool:
        """Is it a test of a state that was loaded, not of a field the message brought along?"""
        if value.has("message") and not (value.has("fetched") or value.has("lookup")):
            return False
        return any(self.idioms.is_name("state", name) for name in fields_in(node))


def _is_negated(test: cst.BaseExpression) -> bool:
    negations = (cst.NotEqual, cst.NotIn, cst.IsNot)
    return isinstance(test, cst.Comparison) and isinstance(test.comparisons[0].operator, negations)


def _names_in(node: cst.CSTNode) -> Iterator[str]:
    """Yield every identifier, attribute and string key of an expression."""
    if isinstance(node, cst.Name):
        yield node.value
    elif isinstance(node, (cst.SimpleString, cst.ConcatenatedString)):
        text = string_value(node)
        if text and len(text) < 60:
            yield text
    else:
        for child in children(node):
            if isinstance(child, (cst.BaseExpression, cst.Arg, cst.ComparisonTarget, *_PARTS)):
                yield from _names_in(child)


_PARTS = (
    cst.SubscriptElement,
    cst.Index,
    cst.Element,
    cst.StarredElement,
    cst.CompFor,
    cst.CompIf,
    cst.DictElement,
)


def fields_in(node: cst.CSTNode) -> Iterator[str]:
    """Yield the attributes and string subscripts read in an expression."""
    if isinstance(node, cst.Attribute):
        yield node.attr.value
    elif isinstance(node, cst.Subscript):
        for element in node.slice:
            if isinstance(element.slice, cst.Index):
                text = string_value(element.slice.value)
                if text:
                    yield text
    for child in children(node):
        if isinstance(child, (cst.BaseExpression, cst.Arg, cst.ComparisonTarget)):
            yield from fields_in(child)


def names_in(node: cst.CSTNode) -> set[str]:
    return set(_names_in(node))


def last_name(node: cst.CSTNode) -> str:
    """Return the last part of a dotted expression, or of the function a call names."""
    if isinstance(node, cst.Call):
        node = node.func
    if isinstance(node, cst.Attribute):
        return node.attr.value
    if isinstance(node, cst.Subscript):
        return last_name(node.value)
    if isinstance(node, cst.Await):
        return last_name(node.expression)
    return dotted_name(node)
