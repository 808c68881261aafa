"""The search for a value that obeys terms: a value, a proof that there is none, or neither.

A subschema that is reached again on the way into itself is not followed: the smallest value that
obeys the terms never needs it. So recursive schemas end, and ending without a value is a proof
unless something was tried only in part, which the effort records as a doubt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import islice
from typing import Any

from contractlint.messages.producer import numbers, strings
from contractlint.messages.producer.arrays import arrays
from contractlint.messages.producer.branch import Branch, Branches, Effort, Exhausted, size_of
from contractlint.messages.producer.nodes import Home
from contractlint.messages.producer.objects import objects
from contractlint.messages.producer.terms import (
    Items,
    Member,
    Multiple,
    Range,
    Term,
    Text,
    Values,
    type_of,
    value_key,
    values,
)

STEPS = 30_000
_MOST_CANDIDATES = 40
_DEEPEST = 60
_ORDER = ("string", "integer", "object", "fraction", "boolean", "array", "null")

Accept = Callable[[Any], bool]


@dataclass(frozen=True, slots=True)
class Answer:
    """`found`: `value` obeys the terms, and the caller has verified it. Otherwise `proved` says
    that no value does; without either, `doubts` are the places that could not be decided."""

    found: bool
    proved: bool = False
    value: Any = None
    doubts: tuple[str, ...] = ()


def find(
    terms: Sequence[Term], accept: Accept, writer: Home | None = None, steps: int = STEPS
) -> Answer:
    """Look for a value that obeys `terms` and for which `accept` is true.

    `writer`: objects hold only members that this side declares.
    """
    effort = Effort(steps)
    tried = 0
    try:
        for value in islice(Search(effort, writer).solve(terms), _MOST_CANDIDATES):
            tried += 1
            if accept(value):
                return Answer(True, value=value)
    except (Exhausted, RecursionError):
        effort.doubt("")
    proved = not tried and not effort.doubts
    return Answer(False, proved, doubts=tuple(sorted(effort.doubts or ({""} if tried else ()))))


class Search:
    """Solves terms; results that depend on nothing above them are remembered."""

    def __init__(self, effort: Effort, writer: Home | None) -> None:
        self.effort = effort
        self._branches = Branches(effort, writer)
        self._open: list[frozenset[Term]] = []
        self._cuts = 0
        self._known: dict[frozenset[Term], Any] = {}
        self._impossible: set[frozenset[Term]] = set()

    def first(self, terms: Sequence[Term]) -> tuple[bool, Any]:
        """Return whether a value was found, and the value."""
        goal = frozenset(terms)
        if goal in self._known:
            return True, self._known[goal]
        for value in self.solve(terms):
            self._known[goal] = value
            return True, value
        return False, None

    def solve(self, terms: Sequence[Term]) -> Iterator[Any]:
        """Yield values that obey `terms` as far as the facts can say."""
        goal = frozenset(terms)
        if goal in self._open:
            self._cuts += 1
            return
        if goal in self._impossible:
            return
        if len(self._open) > _DEEPEST:
            self.effort.doubt("")
            return
        before, empty = self._cuts, True
        for branch in self._branches.of(terms):
            self._open.append(goal)
            made = list(islice(self._of_branch(branch), _MOST_CANDIDATES))
            self._open.pop()
            for value in made:
                empty = False
                yield value
        if empty and before == self._cuts and not self.effort.doubts:
            self._impossible.add(goal)

    def _of_branch(self, branch: Branch) -> Iterator[Any]:
        refused = {key for fact in branch.of(Values) if not fact.among for key in fact.known}
        for made in self._made(branch, len(refused)):
            kept = refusals = 0
            for value in made.values:
                if refused and value_key(value) in refused:
                    refusals += 1
                    continue
                kept += 1
                yield value
            if not kept and not made.complete and (refusals or not made.careful):
                self.effort.doubt(made.kind)

    def _made(self, branch: Branch, skip: int) -> Iterator[_Made]:
        if branch.among is not None:
            fitting = (value for value in branch.among.table.values() if self._fits(value, branch))
            yield _Made("enum", fitting, complete=True)
            return
        for kind in _ORDER:
            if kind in branch.types:
                yield _MAKERS[kind](self, branch, skip)

    def _fits(self, value: Any, branch: Branch) -> bool:
        """Tell whether a listed value obeys the facts."""
        if not fits(value, branch):
            return False
        below: list[tuple[tuple[Term, ...], Any]] = []
        if isinstance(value, dict):
            below = [(f.terms, value[f.name]) for f in branch.of(Member) if f.name in value]
        elif isinstance(value, list):
            below = [(f.terms, v) for f in branch.of(Items) for v in value[f.start : f.stop]]
        return all(self.first((*terms, values([part], True)))[0] for terms, part in below)


@dataclass(frozen=True, slots=True)
class _Made:
    """Values of one kind. `complete`: there are no others; `careful`: the maker records doubts."""

    kind: str
    values: Iterable[Any]
    complete: bool
    careful: bool = False


def _strings(search: Search, branch: Branch, skip: int) -> _Made:
    tests, (low, high) = branch.of(Text), size_of(branch, "string")
    if strings.is_impossible(tests, low, high):
        return _Made("string", (), complete=True)
    return _Made("string", strings.candidates(tests, low, high, skip), complete=high == 0)


def _integers(search: Search, branch: Branch, skip: int) -> _Made:
    found = numbers.integers(branch.of(Range), branch.of(Multiple), skip)
    return _Made("integer", found.numbers, found.complete)


def _fractions(search: Search, branch: Branch, skip: int) -> _Made:
    found = numbers.fractions(branch.of(Range), branch.of(Multiple))
    return _Made("number", found.numbers, found.complete)


def _objects(search: Search, branch: Branch, skip: int) -> _Made:
    return _Made("object", objects(search, branch), complete=False, careful=True)


def _arrays(search: Search, branch: Branch, skip: int) -> _Made:
    return _Made("array", arrays(search, branch), complete=False, careful=True)


def fits(value: Any, branch: Branch) -> bool:
    """Tell whether a listed value obeys the facts about itself, not those about what is in it."""
    kind = type_of(value)
    if kind not in branch.types:
        return False
    if kind in ("integer", "fraction"):
        number = Fraction(str(value))
        bounds = numbers.within(branch.of(Range))
        return numbers.contains(bounds, number) and all(
            ((number / one.of).denominator == 1) is one.holds for one in branch.of(Multiple)
        )
    if kind in ("string", "array", "object"):
        low, high = size_of(branch, kind)
        if len(value) < low or (high is not None and len(value) > high):
            return False
    if kind == "object" and not (branch.has <= value.keys() and branch.lacks.isdisjoint(value)):
        return False
    return kind != "string" or all(strings.passes(test, value) for test in branch.of(Text))


_Maker = Callable[[Search, Branch, int], _Made]
_MAKERS: dict[str, _Maker] = {
    "object": _objects,
    "string": _strings,
    "integer": _integers,
    "fraction": _fractions,
    "boolean": lambda search, branch, skip: _Made("boolean", (False, True), complete=True),
    "array": _arrays,
    "null": lambda search, branch, skip: _Made("null", (None,), complete=True),
}
