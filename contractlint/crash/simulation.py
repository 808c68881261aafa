"""Dies at a point, is delivered again: what comes of it.

The first run follows the main chain up to its death. The second run meets what has outlived the
first. As long as no ledger remembers a step, it gets the same answers and repeats the same chain;
where one does, it has to find another way through the graph.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Collection
from dataclasses import dataclass
from typing import NamedTuple

from contractlint.crash.chain import Chain
from contractlint.crash.world import World, world_after
from contractlint.ways import Facts, SearchSpace

SAFE, DONE, SUPPRESSED = "safe", "done", "suppressed"
UNKNOWN, INCOMPLETE = "unknown", "incomplete"
REPEATED, LOST = "repeated", "lost"
HARMS = frozenset({REPEATED, LOST})

# Steps that are missed if they are never reached.
_SUBSTANCE = frozenset({"persist", "stage", "effect", "publish", "work", "handoff", "buffer"})
_RECORDS = frozenset({"persist", "stage", "effect", "publish"})
_MARKS = frozenset({"persist", "stage", "ledger_record"})
_SETS_ASIDE = frozenset({"quarantine", "reject", "dead_letter", "raise"})
_ENDS = frozenset({"receive", "poll", "idle", "exit"})
_GETS_PAST = "check-decides-nothing"
_MOST_STATES = 20_000


class Fate(NamedTuple):
    """What comes of a death: one of the outcomes above, why, and the steps it is about."""

    outcome: str
    reason: str
    steps: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Simulation:
    """Deaths along one chain of one graph."""

    space: SearchSpace
    chain: Chain

    def die_after(self, position: int) -> Fate:
        """Let the worker die when the steps up to `position` are done, and the broker go on."""
        world = world_after(self.chain.events, position)
        if self._comes_only_once():
            missed = self._missed(world, position)
            return Fate(INCOMPLETE, "comes-only-once", missed) if missed else Fate(DONE, "finished")
        if not world.owned:
            return self._forgotten(world, position)
        if world.marked:
            return self._marked(world, position)
        return self._redelivered(world, position)

    def die_during(self, position: int) -> Fate | None:
        """Let the worker die while it waits for an effect to answer; None for any other step.

        What a store or a broker does not confirm has either happened or not, and both are rows of
        the table already. Of an effect the outside may have seen either.
        """
        event = self.chain.events[position]
        if event.kind != "effect" or event["repeat"] == "safe":
            return None
        after = self.die_after(position)
        if after.outcome == SUPPRESSED and after.reason == "callee-knows":
            return after
        again = after.outcome == REPEATED
        return Fate(UNKNOWN, "in-flight-again" if again else "in-flight", (position,))

    def _comes_only_once(self) -> bool:
        """Does this consumer choose to go on with what is new, whatever was interrupted?"""
        return any(event["redelivers"] == "no" for event in self.chain.events)

    def _forgotten(self, world: World, position: int) -> Fate:
        """The broker does not deliver again: what has not been done never will be."""
        missed = self._missed(world, position)
        if not missed:
            return Fate(DONE, "finished")
        if any(self._kind(p) in _RECORDS and not self._is_claim(p) for p in world.done):
            return Fate(INCOMPLETE, "rest-skipped", missed)
        if all(self._kind(p) == "publish" for p in missed) and not self._left_unsent(world):
            return Fate(INCOMPLETE, "not-published", missed)
        return Fate(LOST, "never-done", missed)

    def _marked(self, world: World, position: int) -> Fate:
        """The message was marked in its table: only who looks for such marks delivers it again."""
        missed = self._missed(world, position)
        return Fate(UNKNOWN, "marked", missed) if missed else Fate(DONE, "finished")

    def _missed(self, world: World, position: int) -> tuple[int, ...]:
        later = range(position + 1, len(self.chain.events))
        return (*world.lost, *(p for p in later if self._kind(p) in _SUBSTANCE))

    def _left_unsent(self, world: World) -> bool:
        """Did the handler acknowledge while its own messages were only in the client's memory?

        An acknowledgement on a timer leaves the client the time to send them.
        """
        acks = (e for e in self.chain.events if e.kind == "ack")
        return bool(world.lost) and any(ack["by"] == "call" for ack in acks)

    def _redelivered(self, world: World, position: int) -> Fate:
        doubled = tuple(p for p in world.done if self._doubles(p))
        unguarded = tuple(p for p in doubled if not self._guards(p))
        if unguarded:
            return Fate(REPEATED, "done-again", unguarded)
        if doubled:
            return self._meets_the_ledger(world, doubled)
        return self._nothing_doubled(world, position)

    def _meets_the_ledger(self, world: World, doubled: tuple[int, ...]) -> Fate:
        last = doubled[-1]
        if any(p > last and self._kind(p) in _MARKS for p in world.done):
            return self._turned_away(last, Fate(SUPPRESSED, "recorded", doubled))
        if any(p < last and self._is_claim(p) for p in world.done):
            return self._turned_away(last, Fate(UNKNOWN, "claim-stands", doubled))
        return Fate(UNKNOWN, "not-recorded-yet", doubled)

    def _nothing_doubled(self, world: World, position: int) -> Fate:
        keyed = tuple(p for p in world.done if self._is_keyed(p))
        claims = tuple(p for p in world.done if self._is_claim(p))
        if claims and self._still_to_do(world):
            met = self._turned_away(claims[-1] + 1, Fate(UNKNOWN, "claimed-not-done", claims))
            if met.reason != _GETS_PAST:
                return met
        marks = [p for p in world.done if self._kind(p) in _MARKS and self._guards(p)]
        if marks:
            met = self._turned_away(marks[-1], Fate(SUPPRESSED, "recorded", tuple(marks)))
            if met.reason != _GETS_PAST:
                return met
        if keyed:
            return Fate(SUPPRESSED, "callee-knows", keyed)
        asked = tuple(p for p in range(position + 1) if self._is_opaque_check(p))
        if asked and self._still_to_do(world):
            return Fate(UNKNOWN, "may-have-claimed", asked)
        return Fate(SAFE, "starts-over", tuple(p for p in world.done if self._kind(p) in _RECORDS))

    def _turned_away(self, step: int, fate: Fate) -> Fate:
        """Return `fate`, as the second run meets it: does it get past `step`, and how?"""
        way = self._other_way(self.chain.nodes[step:], self._guard_nodes())
        if way == "none":
            return Fate(UNKNOWN, _GETS_PAST, fate.steps)
        if way == "aside" and fate.outcome == UNKNOWN:
            return Fate(UNKNOWN, "set-aside", fate.steps)
        return fate

    def _other_way(self, avoided: Collection[int], guards: Collection[int]) -> str:
        """Search a way past the guards to an end without the steps `avoided`.

        Returns `aside` if a person gets the message on one, `plain` if there are only others.
        """
        forbidden = {n for n in avoided if self._node_kind(n) in _SUBSTANCE}
        start = self._delivery()
        first = (start, self.space.arrive(start), False, False)
        seen: set[tuple[int, Facts, bool, bool]] = {first}
        waiting = deque([first])
        answer = "none"
        while waiting and len(seen) < _MOST_STATES:
            node, facts, guarded, aside = waiting.popleft()
            if node != start and self._node_kind(node) in _ENDS:
                if guarded and aside:
                    return "aside"
                if guarded and not self._leaves_by_raising(node):
                    answer = "plain"
                continue
            for target, known in self.space.leave(node, facts):
                if target in forbidden:
                    continue
                kind = self._node_kind(target)
                state = (
                    target,
                    known,
                    guarded or target in guards,
                    aside or kind in _SETS_ASIDE,
                )
                if state not in seen:
                    seen.add(state)
                    waiting.append(state)
        return answer

    def _delivery(self) -> int:
        """Return the node at which the message arrives; a batch arrives before its messages."""
        return [n for n in self.chain.nodes if self._node_kind(n) == "receive"][-1]

    # -- what a step is --------------------------------------------------------------------------

    def _kind(self, position: int) -> str:
        return self.chain.events[position].kind

    def _node_kind(self, node: int) -> str:
        """Return the kind of the event there; a batch gone through again brings no new message."""
        event = self.space.events[node]
        if event is None or (event.kind == "receive" and event["again"] == "yes"):
            return ""
        return event.kind

    def _leaves_by_raising(self, node: int) -> bool:
        event = self.space.events[node]
        return event is not None and event.kind == "exit" and event["by"] == "raise"

    def _doubles(self, position: int) -> bool:
        """Is there one thing too many in the world if this step is done again?"""
        event = self.chain.events[position]
        if event.kind == "effect":
            return event["repeat"] != "safe" and event["key"] != "stable"
        return event.kind in _RECORDS and self._is_named_anew(position)

    def _is_named_anew(self, position: int) -> bool:
        before = position - 1
        while before > 0 and self._kind(before) in ("name", "identity"):
            if self.chain.events[before]["from"] == "unstable":
                return True
            before -= 1
        return False

    def _is_keyed(self, position: int) -> bool:
        event = self.chain.events[position]
        return event.kind == "effect" and event["key"] == "stable"

    def _is_claim(self, position: int) -> bool:
        return self.chain.events[position]["claim"] == "yes"

    def _is_opaque_check(self, position: int) -> bool:
        """Is it a ledger that was only declared? It may take note already when it is asked."""
        return self._kind(position) == "ledger_check" and not self.chain.events[position]["by"]

    def _guards(self, position: int) -> list[int]:
        return [p for p in range(position) if self._kind(p) == "ledger_check"]

    def _guard_nodes(self) -> set[int]:
        """Return the looks at the ledger, and the tests one branch of which begins with a look.

        A look that finds nothing stands on its own branch only; who is turned away takes another.
        """
        nodes = range(len(self.space.events))
        looks = {n for n in nodes if self._node_kind(n) == "ledger_check"}
        tests = {n for n in nodes if any(edge.target in looks for edge in self.space.edges[n])}
        return looks | tests

    def _still_to_do(self, world: World) -> bool:
        positions = range(len(self.chain.events))
        return any(
            self._kind(p) in _SUBSTANCE and not self._is_claim(p) and p not in world.done
            for p in positions
        )
