"""Arrays that obey the facts of a branch: the shortest one first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Any

from contractlint.messages.producer.branch import Branch, size_of
from contractlint.messages.producer.objects import Solver
from contractlint.messages.producer.terms import Distinct, Items, SomeItem, Term, value_key

_LONGEST = 200
_MOST_TRIED = 40

Layout = dict[int, tuple[Term, ...]]


def arrays(solver: Solver, branch: Branch) -> Iterator[list[Any]]:
    """Yield arrays that obey `branch`; a doubt is recorded where it was not tried fully."""
    low, high = size_of(branch, "array")
    if high is not None and low > high:
        return
    if low > _LONGEST:
        solver.effort.doubt("array")
        return
    maker, built = _Maker(solver, branch), False
    for layout in maker.layouts():
        length = max([low, *(position + 1 for position in layout)])
        made = None if high is not None and length > high else maker.fill(layout, length)
        if made is not None:
            built = True
            yield made
            yield from maker.longer(made, layout, high)
    if not built and not maker.is_exact:
        solver.effort.doubt("array")


class _Maker:
    def __init__(self, solver: Solver, branch: Branch) -> None:
        self._solver = solver
        self._items = branch.of(Items)
        self._demands = list(chain(*([fact] * fact.count for fact in branch.of(SomeItem))))
        self._distinct = any(fact.holds for fact in branch.of(Distinct))
        self._repeats = any(not fact.holds for fact in branch.of(Distinct))

    @property
    def is_exact(self) -> bool:
        """Tell whether `layouts` lists every place that makes a difference."""
        return len(self._demands) <= 1 and not self._distinct and not self._repeats

    def layouts(self) -> Iterator[Layout]:
        """Yield ways to place what is demanded of single items."""
        if len(self._demands) > _LONGEST:
            return
        fixed = [fact for fact in self._demands if fact.stop is not None]
        free = [fact for fact in self._demands if fact.stop is None]
        for base in range(self._first_alike(), -1, -1):
            layout: Layout = {}
            for fact in fixed:
                layout[fact.start] = (*layout.get(fact.start, ()), *fact.terms)
            positions = (max([base, *(fact.start for fact in free)]) + n for n in range(len(free)))
            for position, fact in zip(positions, free, strict=False):
                layout[position] = (*layout.get(position, ()), *fact.terms)
            yield self._with_repeat(layout, base) if self._repeats else layout
            if not free and not self._repeats:
                return

    def _first_alike(self) -> int:
        """Return the position from which on all positions obey the same terms."""
        edges = [fact.stop if fact.stop is not None else fact.start for fact in self._items]
        return min(max(edges, default=0), _LONGEST)

    def _with_repeat(self, layout: Layout, base: int) -> Layout:
        both = (*self._terms(base), *self._terms(base + 1))
        merged = (*layout.get(base, ()), *layout.get(base + 1, ()), *both)
        return {**layout, base: merged, base + 1: merged}

    def _terms(self, position: int) -> tuple[Term, ...]:
        return tuple(
            chain.from_iterable(
                fact.terms
                for fact in self._items
                if fact.start <= position and (fact.stop is None or position < fact.stop)
            )
        )

    def fill(self, layout: Layout, length: int) -> list[Any] | None:
        """Return an array of `length` items, or None when an item cannot be made."""
        made: list[Any] = []
        for position in range(length):
            terms = (*self._terms(position), *layout.get(position, ()))
            found, item = self._item(terms, made)
            if not found:
                return None
            made.append(item)
        return made

    def _item(self, terms: Sequence[Term], before: list[Any]) -> tuple[bool, Any]:
        if not self._distinct:
            return self._solver.first(terms)
        taken = {value_key(item) for item in before}
        for item in islice(self._solver.solve(terms), _MOST_TRIED + len(taken)):
            if value_key(item) not in taken:
                return True, item
        return False, None

    def longer(self, made: list[Any], layout: Layout, high: int | None) -> Iterator[list[Any]]:
        """Yield one array with one item more."""
        if high is None or len(made) < high:
            more = self.fill(layout, len(made) + 1)
            if more is not None:
                yield more
