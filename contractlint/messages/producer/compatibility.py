"""Whom does a change break? Every place where a reader rejects what a writer may write.

The whole question is asked first; only when a message was found is it asked again for each place,
so that the report names what to change and not merely that something is wrong.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import reduce
from typing import Any

from contractlint.messages.documents import Json, escape
from contractlint.messages.producer.meaning import (
    ITEMS,
    SAME_VALUE,
    Failure,
    Outer,
    Where,
    failures_of,
)
from contractlint.messages.producer.nodes import Home, Key, Node, same
from contractlint.messages.producer.opened import Opened
from contractlint.messages.producer.requirements import Path, mentioned_values
from contractlint.messages.producer.search import STEPS, Answer, find
from contractlint.messages.producer.terms import (
    Claim,
    Has,
    Lacks,
    Member,
    Term,
    Types,
    value_key,
    values,
)

_MOST_PLACES = 400
_STEPS_A_PLACE = 4_000
_DEEPEST = 40
_DEPENDS_ON_SIBLINGS = frozenset(
    [
        "items",
        "additionalItems",
        "additionalProperties",
        "contains",
        "minContains",
        "if",
        "minimum",
        "maximum",
        "unevaluatedProperties",
        "unevaluatedItems",
    ]
)


_CLOSING = frozenset({"additionalProperties", "unevaluatedProperties"})


class Direction(Enum):
    """Who reads what: `BACKWARD` new consumers old messages, `FORWARD` the other way round."""

    BACKWARD = "backward"
    FORWARD = "forward"


LEVELS = {
    "backward": (Direction.BACKWARD,),
    "forward": (Direction.FORWARD,),
    "full": (Direction.FORWARD, Direction.BACKWARD),
}


@dataclass(frozen=True)
class Break:
    """`message` is accepted by the writer and rejected by the reader, for what stands at `pointer`.

    `missing`: the member that the reader misses; `written`: its subschema at the reader.
    """

    direction: Direction
    pointer: str
    message: Json
    reason: str
    missing: str = ""
    written: Node | None = None


@dataclass(frozen=True)
class Undecided:
    """Nothing was found and nothing proved; `places` lie in the reader's schema."""

    direction: Direction
    places: tuple[str, ...]


@dataclass(frozen=True)
class Change:
    """The schema before and after. `tolerant`: writers write only what they declare."""

    before: Opened
    after: Opened
    version: Path = ()
    tolerant: bool = True

    def sides(self, direction: Direction) -> tuple[Opened, Opened]:
        """Return writer and reader."""
        old, new = self.before, self.after
        return (old, new) if direction is Direction.BACKWARD else (new, old)


def breaks(change: Change, direction: Direction) -> list[Break] | Undecided:
    """Return every place where the reader rejects a message, or that it could not be decided."""
    writer, reader = change.sides(direction)
    question = _Question(writer, reader, change.version, _shared_version(change), change.tolerant)
    if question.has_no_subject:
        return []
    answer = question.ask((Claim(reader.node, False),))
    if answer.proved:
        return []
    found = list(_found_places(question, direction))
    if found or not answer.found:
        return found or Undecided(direction, answer.doubts)
    return [Break(direction, reader.node.pointer, answer.value, _reason(reader, answer.value))]


def _shared_version(change: Change) -> list[Json] | None:
    """Return the versions that both schemas know, or None when one of them is not pinned."""
    if not change.version:
        return None
    old, new = (_pinned(side, change.version) for side in (change.before, change.after))
    if old is None or new is None:
        return None
    known = {value_key(value) for value in new}
    return [value for value in old if value_key(value) in known]


def _pinned(side: Opened, path: Path) -> list[Json] | None:
    known = mentioned_values(side.node, path)
    other = _at(path, (values(known, among=False),))
    answer = find([Claim(side.node, True), *other], side.checker.is_valid)
    return known if known and answer.proved else None


def _at(path: Path, terms: tuple[Term, ...]) -> tuple[Term, ...]:
    """Return terms that say: the value has a member at `path`, and it obeys `terms`."""
    for name in reversed(path):
        terms = (Types(frozenset({"object"})), Has(name), Member(name, terms))
    return terms


def _if_present(path: Path, known: list[Json] | None) -> tuple[Term, ...]:
    """Return terms that say: if the value has a member at `path`, it is one of `known`."""
    if known is None:
        return ()
    terms: tuple[Term, ...] = (values(known, among=True),)
    for name in reversed(path):
        terms = (Member(name, terms),)
    return terms


class _Question:
    """Is there a message of a shared version that the writer writes and the reader rejects?"""

    def __init__(
        self,
        writer: Opened,
        reader: Opened,
        version: Path,
        versions: list[Json] | None,
        tolerant: bool,
    ) -> None:
        self.writer, self.reader = writer, reader
        self.has_no_subject = versions == []
        self._of_version = _if_present(version, versions)
        self._closed: Home | None = writer.home if tolerant else None

    def ask(self, terms: Sequence[Term], steps: int = STEPS) -> Answer:
        claims: list[Term] = [Claim(self.writer.node, True), *self._of_version, *terms]
        return find(claims, self._is_broken, self._closed, steps)

    def _is_broken(self, message: Json) -> bool:
        """Verify a message with both validators; nothing else makes it an example."""
        accepted = self.writer.checker.is_valid(message)
        return accepted and not self.reader.checker.is_valid(message)


def _found_places(question: _Question, direction: Direction) -> Iterator[Break]:
    reported: set[str] = set()
    for number, place in enumerate(_places(question)):
        if number == _MOST_PLACES:
            return
        if place.pointer in reported:
            continue
        answer = question.ask(place.terms, _STEPS_A_PLACE)
        if answer.found:
            reported.add(place.pointer)
            reason = _reason(question.reader, answer.value)
            yield _break(direction, place, answer.value, reason)


def _break(direction: Direction, place: Failure, message: Json, reason: str) -> Break:
    missing = place.missing or ""
    named = place.node.contents.get("properties", {}) if missing else {}
    written = place.node.child("properties", missing) if missing in named else None
    return Break(direction, place.pointer, message, reason, missing, written)


def _reason(reader: Opened, message: Json) -> str:
    violations = reader.checker.explain(message, limit=1)
    return violations[0].message if violations else "the schema rejects it"


# --- the places of a schema, each with the terms of failing just there ----------------------------


@dataclass(frozen=True)
class _Spot:
    """A reader's subschema, the writer's subschemas that surely hold for the same value, and how
    to say of the whole message, step by step, that something is true here."""

    reader: Node
    writers: tuple[Node, ...]
    outers: tuple[Outer, ...]
    passed: frozenset[Key]

    def tell(self, terms: tuple[Term, ...]) -> tuple[Term, ...]:
        return reduce(lambda told, outer: outer(told), reversed(self.outers), terms)

    def inside(self, inner: Node, outer: Outer, member: Where) -> _Spot:
        writers = tuple(_below(self.writers, member))
        return _Spot(inner, writers, (*self.outers, outer), self.passed | {inner.key})


def _places(question: _Question) -> Iterator[Failure]:
    """Yield every failure of the reader that the writer does not rule out at once."""
    reader = question.reader.node
    writers = tuple(_certain(question.writer.node))
    pending = [_Spot(reader, writers, (), frozenset({reader.key}))]
    while pending:
        spot = pending.pop(0)
        if any(same(spot.reader, writer) for writer in spot.writers):
            continue
        for failure in failures_of(spot.reader):
            inner = failure.inner
            if inner is not None and failure.outer is not None and not _is_plain(inner):
                if inner.key not in spot.passed and len(spot.outers) < _DEEPEST:
                    pending.append(spot.inside(inner, failure.outer, failure.member))
            elif not _ruled_out(failure, spot.writers):
                for place in _by_name(failure, spot.writers):
                    terms = spot.tell(place.terms)
                    yield Failure(place.node, place.pointer, terms, missing=place.missing)


def _by_name(failure: Failure, writers: Sequence[Node]) -> Iterator[Failure]:
    """Split the failure of a closed object into one for each member that the writers declare."""
    node, keyword = failure.node, failure.pointer.rpartition("/")[2]
    names: list[str] = []
    if failure.inner is not None and keyword in _CLOSING:
        written = {name for writer in writers for name in _keyword(writer, "properties", ())}
        names = sorted(written.difference(_keyword(node, "properties", ())))
    for name in names:
        pointer = f"{node.pointer}/properties/{escape(name)}"
        yield Failure(node, pointer, (*failure.terms, Has(name), *_without(names, but=name)))
    yield Failure(
        node, failure.pointer, (*failure.terms, *_without(names)), missing=failure.missing
    )


def _without(names: Sequence[str], but: str = "") -> tuple[Term, ...]:
    return tuple(Lacks(name) for name in names if name != but)


def _is_plain(node: Node) -> bool:
    return isinstance(node.contents, bool)


def _ruled_out(failure: Failure, writers: Sequence[Node]) -> bool:
    """Tell whether a writer says the very same as the keyword that fails here."""
    if failure.missing is not None:
        return any(failure.missing in _keyword(node, "required", ()) for node in writers)
    keyword = failure.pointer.removeprefix(f"{failure.node.pointer}/")
    if keyword in _DEPENDS_ON_SIBLINGS or "/" in keyword:
        return False
    value = _keyword(failure.node, keyword)
    return isinstance(value, str | int | float) and any(
        value == _keyword(node, keyword) for node in writers
    )


def _keyword(node: Node, keyword: str, default: Any = None) -> Any:
    return default if _is_plain(node) else node.keywords().get(keyword, default)


def _certain(node: Node) -> Iterator[Node]:
    """Yield `node` and what it applies to the same value without a condition."""
    pending, seen = [node], {node}
    while pending:
        current = pending.pop(0)
        yield current
        inner = [current.child("allOf", i) for i in range(len(_keyword(current, "allOf", ())))]
        target = current.target() if _keyword(current, "$ref") is not None else None
        fresh = [one for one in (*inner, *([target] if target else [])) if one not in seen]
        seen.update(fresh)
        pending += fresh


def _below(writers: Sequence[Node], member: Where) -> Iterator[Node]:
    """Yield what the writers surely say about a member, about every item, or the value itself."""
    for node in writers:
        if member is SAME_VALUE:
            yield node
        elif isinstance(member, str) and member in _keyword(node, "properties", ()):
            yield from _certain(node.child("properties", member))
        elif member is ITEMS and _covers_items(node):
            yield from _certain(node.child("items"))


def _covers_items(node: Node) -> bool:
    return isinstance(_keyword(node, "items"), dict) and not _keyword(node, "prefixItems")


# --- one finding a change -------------------------------------------------------------------------


def renamed(lost: Break, found: Sequence[Break]) -> Break | None:
    """Return the break of the member that `lost` was renamed to, if there is just one."""
    if lost.direction is not Direction.FORWARD or lost.written is None:
        return None
    owner = lost.pointer.rpartition("/")[0]
    candidates = [
        other
        for other in found
        if other.direction is Direction.BACKWARD
        and other.written is not None
        and other.pointer == f"{owner}/{escape(other.missing)}"
        and same(lost.written, other.written)
    ]
    return candidates[0] if len(candidates) == 1 else None
