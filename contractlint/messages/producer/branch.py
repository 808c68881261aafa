"""One consistent set of facts about a value, free of choices; and the ways to get there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from contractlint.messages.producer.meaning import failures_of, is_partial, terms_of
from contractlint.messages.producer.nodes import Home, Key, Node, same
from contractlint.messages.producer.terms import (
    ALL_TYPES,
    Choice,
    Claim,
    Declares,
    Fact,
    Has,
    Lacks,
    Size,
    Term,
    Types,
    Values,
)

Kind = TypeVar("Kind")


class Exhausted(Exception):
    """The search has used up its steps."""


@dataclass(slots=True)
class Effort:
    """How much the search may still do, and why its silence proves nothing."""

    steps: int
    doubts: set[str] = field(default_factory=set)

    def spend(self) -> None:
        self.steps -= 1
        if self.steps < 0:
            raise Exhausted

    def doubt(self, reason: str) -> None:
        self.doubts.add(reason)


@dataclass(frozen=True, slots=True)
class Branch:
    """Facts that hold together, and the claims they came from."""

    types: frozenset[str] = ALL_TYPES
    among: Values | None = None
    facts: tuple[Fact, ...] = ()
    claims: frozenset[Claim] = frozenset()
    has: frozenset[str] = frozenset()
    lacks: frozenset[str] = frozenset()

    def of(self, kind: type[Kind]) -> list[Kind]:
        """Return the facts of one kind."""
        return [fact for fact in self.facts if isinstance(fact, kind)]

    def with_fact(self, fact: Fact) -> Branch | None:
        """Return the branch with one more fact, or None when both cannot be true."""
        types, among, has, lacks = self.types, self.among, self.has, self.lacks
        if isinstance(fact, Types):
            types &= fact.allowed
        elif isinstance(fact, Values):
            among = self._narrowed(fact)
        elif isinstance(fact, Has):
            has |= {fact.name}
        elif isinstance(fact, Lacks):
            lacks |= {fact.name}
        if has & lacks:
            types -= {"object"}
        if not types or (among is not None and not among.table):
            return None
        return Branch(types, among, (*self.facts, fact), self.claims, has, lacks)

    def _narrowed(self, fact: Values) -> Values | None:
        """Return the values that remain possible, or None while any value is."""
        if not fact.among:
            return _kept(self.among, self.among.known - fact.known) if self.among else None
        known = fact.known if self.among is None else fact.known & self.among.known
        for other in self.of(Values):
            known = known if other.among else known - other.known
        return _kept(fact, known)

    def with_claim(self, claim: Claim) -> Branch:
        claims = self.claims | {claim}
        return Branch(self.types, self.among, self.facts, claims, self.has, self.lacks)


def _kept(one: Values, known: frozenset[str]) -> Values:
    if len(known) == len(one.known):
        return one
    table = {key: value for key, value in one.table.items() if key in known}
    return Values(known, True, table)


def size_of(branch: Branch, kind: str) -> tuple[int, int | None]:
    """Return the least and the greatest size that the facts allow for a value of this type."""
    sizes = [fact for fact in branch.of(Size) if fact.type == kind]
    limits = [fact.high for fact in sizes if fact.high is not None]
    return max((fact.low for fact in sizes), default=0), min(limits, default=None)


@dataclass(frozen=True, slots=True)
class _Todo:
    definite: tuple[Term, ...]
    choices: tuple[Choice, ...]
    branch: Branch


class Branches:
    """Takes claims apart. `writer`: the side that writes only what it declares, if any."""

    def __init__(self, effort: Effort, writer: Home | None) -> None:
        self._effort = effort
        self._writer = writer
        self._same: dict[tuple[Key, Key], bool] = {}

    def of(self, terms: Sequence[Term]) -> Iterator[Branch]:
        """Yield every consistent way in which all `terms` are true."""
        stack = [_Todo(tuple(terms), (), Branch())]
        while stack:
            self._effort.spend()
            todo = stack.pop()
            if todo.definite:
                stack += self._settle(todo, todo.definite[0], todo.definite[1:])
            elif todo.choices:
                first, rest = todo.choices[0], todo.choices[1:]
                stack += [_Todo(terms, rest, todo.branch) for terms in reversed(first.alternatives)]
            else:
                yield todo.branch

    def _settle(self, todo: _Todo, term: Term, rest: tuple[Term, ...]) -> list[_Todo]:
        if isinstance(term, Choice):
            return [_Todo(rest, (*todo.choices, term), todo.branch)]
        if not isinstance(term, Claim):
            branch = todo.branch.with_fact(term)
            return [_Todo(rest, todo.choices, branch)] if branch else []
        if term in todo.branch.claims:
            return [_Todo(rest, todo.choices, todo.branch)]
        if self._contradicts(term, todo.branch):
            return []
        return [_Todo((*rest, *self._expand(term)), todo.choices, todo.branch.with_claim(term))]

    def _expand(self, claim: Claim) -> tuple[Term, ...]:
        if claim.holds:
            return (*self._declared(claim.node), *terms_of(claim.node))
        if is_partial(claim.node):
            self._effort.doubt(claim.node.pointer)
        ways = Choice(tuple(failure.terms for failure in failures_of(claim.node)))
        return (ways,)

    def _declared(self, node: Node) -> tuple[Term, ...]:
        if self._writer is None or node.home is not self._writer:
            return ()
        return (declared_by(node),)

    def _contradicts(self, claim: Claim, branch: Branch) -> bool:
        return any(
            claim.holds is not known.holds and self._equal(claim.node, known.node)
            for known in branch.claims
        )

    def _equal(self, one: Node, other: Node) -> bool:
        pair = (one.key, other.key)
        if pair not in self._same:
            self._same[pair] = same(one, other)
        return self._same[pair]


def declared_by(node: Node) -> Declares:
    """Return the names that `node` itself declares for an object."""
    contents = node.contents if isinstance(node.contents, dict) else {}
    names = {*contents.get("properties", ()), *_listed(contents.get("required"))}
    for asked in contents.get("dependentRequired", {}).values():
        names |= set(asked)
    others = (contents.get("additionalProperties"), contents.get("unevaluatedProperties"))
    is_map = any(isinstance(other, dict) and other for other in others)
    return Declares(frozenset(names), tuple(contents.get("patternProperties", ())), is_map)


def _listed(value: object) -> list[str]:
    return value if isinstance(value, list) else []
