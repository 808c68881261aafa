"""Objects that obey the facts of a branch: the smallest one first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain, islice
from typing import Any, Protocol

from contractlint.messages.producer import strings
from contractlint.messages.producer.branch import Branch, Effort, size_of
from contractlint.messages.producer.terms import (
    Claim,
    Declares,
    Member,
    Members,
    Names,
    SomeMember,
    Term,
    Text,
    Types,
    values,
)

_VARIANTS = 3
_MOST_NAMES = 40
_FRESH = ("other", "another", "more", *(f"x{number}" for number in range(20)))


class Solver(Protocol):
    """What is needed of the search: it calls back into itself for members and items."""

    @property
    def effort(self) -> Effort: ...

    def first(self, terms: Sequence[Term]) -> tuple[bool, Any]: ...

    def solve(self, terms: Sequence[Term]) -> Iterator[Any]: ...


def objects(solver: Solver, branch: Branch) -> Iterator[dict[str, Any]]:
    """Yield objects that obey `branch`; a doubt is recorded where it was not tried fully."""
    maker = _Maker(solver, branch)
    smallest = maker.smallest()
    if smallest is not None:
        yield smallest
        yield from maker.variants(smallest)


class _Maker:
    def __init__(self, solver: Solver, branch: Branch) -> None:
        self._solver = solver
        self._branch = branch
        self._declared = branch.of(Declares)
        self._members = branch.of(Member)
        self._groups = branch.of(Members)
        self._name_terms = tuple(chain.from_iterable(fact.terms for fact in branch.of(Names)))
        self._demanded: dict[str, tuple[Term, ...]] = {}

    def smallest(self) -> dict[str, Any] | None:
        low, high = size_of(self._branch, "object")
        if not all(map(self._may_have, self._branch.has)):
            return None
        if not all(map(self._demand, self._branch.of(SomeMember))):
            return None
        wanted = sorted(self._branch.has | self._demanded.keys())
        made = self._with_members({}, wanted)
        if made is not None and len(made) < low:
            made = self._grown(made, low)
        if made is not None and high is not None and len(made) > high:
            self._doubt_if(bool(self._demanded))
            return None
        return made

    def variants(self, smallest: dict[str, Any]) -> Iterator[dict[str, Any]]:
        """Yield objects that differ from `smallest` in one member."""
        for name, value in smallest.items():
            others = islice(self._solver.solve(self._terms(name)), _VARIANTS)
            yield from ({**smallest, name: other} for other in others if other != value)
        grown = self._grown(smallest, len(smallest) + 1, quietly=True)
        high = size_of(self._branch, "object")[1]
        if grown is not None and (high is None or len(grown) <= high):
            yield grown

    def _with_members(self, made: dict[str, Any], names: Sequence[str]) -> dict[str, Any] | None:
        for name in names:
            found, value = self._solver.first(self._terms(name))
            if not found:
                return None
            made = {**made, name: value}
        return made

    def _grown(
        self, made: dict[str, Any], size: int, quietly: bool = False
    ) -> dict[str, Any] | None:
        for name in self._free_names():
            if len(made) < size and name not in made and self._may_have(name):
                made = self._with_members(made, [name]) or made
        if len(made) < size:
            self._doubt_if(not quietly and not self._is_closed())
            return None
        return made

    def _terms(self, name: str) -> tuple[Term, ...]:
        own = (fact.terms for fact in self._members if fact.name == name)
        groups = (fact.terms for fact in self._groups if _covers(fact, name))
        return tuple(chain(*own, *groups, self._demanded.get(name, ())))

    def _may_have(self, name: str) -> bool:
        if name in self._branch.lacks or not self._is_declared(name):
            return False
        return self._is_name(name, self._name_terms)

    def _is_name(self, name: str, terms: tuple[Term, ...]) -> bool:
        return not terms or self._solver.first((*terms, values([name], among=True)))[0]

    def _is_declared(self, name: str) -> bool:
        if not self._declared:
            return True
        return any(
            fact.any_name
            or name in fact.names
            or any(strings.passes(Text("pattern", pattern), name) for pattern in fact.patterns)
            for fact in self._declared
        )

    def _is_closed(self) -> bool:
        """Tell whether the free names are all the names there are."""
        closed = bool(self._declared) and not any(
            fact.any_name or fact.patterns for fact in self._declared
        )
        return closed or any(not fact.patterns and _forbids(fact) for fact in self._groups)

    def _free_names(self) -> Iterator[str]:
        known = {fact.name for fact in self._members} | self._branch.has
        known |= set(chain.from_iterable(fact.names for fact in self._declared))
        declared = chain.from_iterable(fact.patterns for fact in self._declared)
        patterns = chain(declared, chain.from_iterable(fact.patterns for fact in self._groups))
        sampled = chain.from_iterable(map(strings.pattern_samples, patterns))
        named: Iterator[Any] = iter(())
        if self._name_terms:
            named = self._solver.solve((Types(frozenset({"string"})), *self._name_terms))
        yield from dict.fromkeys(
            chain(sorted(known), islice(sampled, _MOST_NAMES), islice(named, 5), _FRESH)
        )

    def _demand(self, fact: SomeMember) -> bool:
        """Give the member that `fact` asks for a name; return False where none was found."""
        asked: Iterator[Any] = iter(())
        if fact.name_terms:
            wanted = (Types(frozenset({"string"})), *fact.name_terms, *self._name_terms)
            asked = islice(self._solver.solve(wanted), _MOST_NAMES)
        for name in chain(self._free_names(), asked):
            if name in fact.names or not self._may_have(name):
                continue
            if not self._is_name(name, fact.name_terms):
                continue
            terms = (*self._demanded.get(name, ()), *fact.terms)
            if self._solver.first((*self._terms(name), *fact.terms))[0]:
                self._demanded[name] = terms
                return True
        if not self._is_refuted(fact):
            self._doubt_if(not self._is_closed() or len(self._demanded) > 0)
        return False

    def _is_refuted(self, fact: SomeMember) -> bool:
        """Tell whether no name at all would do, beside those that have a rule of their own."""
        is_string = Types(frozenset({"string"}))
        if not self._solver.first((is_string, *fact.name_terms, *self._name_terms))[0]:
            return True
        refused = {t.value for t in fact.name_terms if isinstance(t, Text) and not t.holds}
        always = (one.terms for one in self._groups if _covers_others(one, refused))
        return not self._solver.first((*chain.from_iterable(always), *fact.terms))[0]

    def _doubt_if(self, unsure: bool) -> None:
        if unsure:
            self._solver.effort.doubt("object")


def _covers(fact: Members, name: str) -> bool:
    if name in fact.names:
        return False
    matched = any(strings.passes(Text("pattern", pattern), name) for pattern in fact.patterns)
    return matched is fact.matching


def _covers_others(fact: Members, refused: set[str]) -> bool:
    return not fact.matching and refused.issuperset(fact.patterns)


def _forbids(fact: Members) -> bool:
    return not fact.matching and any(
        isinstance(term, Claim) and term.holds and term.node.contents is False
        for term in fact.terms
    )
