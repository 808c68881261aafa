"""Patterns over traces: a small language, compiled to automata.

    receive ...not(persist|effect) !ack[by=call] crash ... (persist | effect)

A pattern is a row of steps. `...` between two steps lets any events of the same delivery pass,
`...not(a|b)` any but these, `...next` also those of later deliveries; without it the next event
must be the step. `!` marks the step that is reported, `crash` the moment at which the process dies.
 docs/rule-language.md has the grammar.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from contractlint.events import BOUNDARIES, Event


class PatternError(ValueError):
    """A pattern that cannot be read; says where (`column`, from 1) and what is expected."""

    def __init__(self, text: str, position: int, expected: str) -> None:
        found = repr(text[position : position + 12]) if position < len(text) else "the end"
        super().__init__(f"column {position + 1}: expected {expected}, found {found}")
        self.column = position + 1
        self.expected = expected


@dataclass(frozen=True, slots=True)
class Test:
    """`name=a|b` or `name!=a|b` on an attribute of an event; a missing one is empty."""

    name: str
    values: frozenset[str]
    negated: bool

    def holds(self, event: Event) -> bool:
        return (event[self.name] in self.values) is not self.negated


@dataclass(frozen=True, slots=True)
class Step:
    """One event: a kind (`*` for any) and tests of its attributes."""

    kind: str
    tests: tuple[Test, ...] = ()

    def matches(self, event: Event) -> bool:
        return (self.kind in ("*", event.kind)) and all(test.holds(event) for test in self.tests)


@dataclass(frozen=True, slots=True)
class Stage:
    """A step with its alternatives and what may pass before it (`gap` None: nothing)."""

    alternatives: tuple[Step, ...]
    gap: tuple[Step, ...] | None
    marked: bool = False
    crash: bool = False
    goes_on: bool = False  # the gap reaches into later deliveries

    def matches(self, event: Event) -> bool:
        return any(step.matches(event) for step in self.alternatives)

    def lets_pass(self, event: Event) -> bool:
        if event.kind in BOUNDARIES and not self.goes_on:
            return False
        return self.gap is not None and not any(step.matches(event) for step in self.gap)


@dataclass(frozen=True, slots=True)
class Pattern:
    """The automaton: state n has seen the first n stages; the last state accepts."""

    text: str
    stages: tuple[Stage, ...]
    crash_at_end: bool = False

    @property
    def marked_stage(self) -> int:
        return next(i for i, stage in enumerate(self.stages) if stage.marked)

    def kinds_needed(self) -> list[frozenset[str]]:
        """For each stage, the kinds one of which a graph must have for the pattern to match."""
        return [frozenset(step.kind for step in stage.alternatives) for stage in self.stages]

    def advance(self, state: int, event: Event) -> tuple[int, ...]:
        """Return the states that can follow `state` when `event` happens."""
        stage = self.stages[state]
        following = []
        if stage.matches(event):
            following.append(state + 1)
        if state == 0 or stage.lets_pass(event):
            following.append(state)
        return tuple(following)


_TOKEN = re.compile(
    r"\s*(?:(?P<gap>\.\.\.(?:next)?)|(?P<not>not\()|(?P<word>[a-z_*][a-z_]*)|(?P<sign>[!()|\[\],]|!=|=))"
)
_ATTRIBUTE = re.compile(r"\s*([a-z_-]+)\s*(!=|=)\s*([^\],]+)")


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0

    def peek(self) -> str:
        match = _TOKEN.match(self.text, self.position)
        return match.group().strip() if match else ""

    def take(self, token: str) -> bool:
        if self.peek() != token:
            return False
        match = _TOKEN.match(self.text, self.position)
        assert match is not None
        self.position = match.end()
        return True

    def fail(self, expected: str) -> PatternError:
        gap = len(self.text[self.position :]) - len(self.text[self.position :].lstrip())
        return PatternError(self.text, self.position + gap, expected)

    def at_end(self) -> bool:
        return not self.text[self.position :].strip()


def parse_pattern(text: str) -> Pattern:
    """Compile `text`.

    Raises:
        PatternError: the text is no pattern, or does not mark exactly one step.
    """
    reader = _Reader(text)
    stages: list[Stage] = []
    crash = False
    while not reader.at_end():
        goes_on = reader.peek() == "...next"
        gap = _gap(reader, first=not stages)
        if reader.take("crash"):
            crash = True
            goes_on = reader.peek() == "...next" or goes_on
            gap = _gap(reader, first=False) if gap is None else gap
            if reader.at_end():
                break
        marked = reader.take("!")
        stages.append(Stage(_alternatives(reader), gap, marked, crash, goes_on))
        crash = False
    if sum(stage.marked for stage in stages) != 1:
        raise PatternError(text, len(text), "exactly one step marked with '!'")
    return Pattern(text, tuple(stages), crash_at_end=crash)


def _gap(reader: _Reader, *, first: bool) -> tuple[Step, ...] | None:
    if not (reader.take("...") or reader.take("...next")):
        return () if first else None
    if not reader.take("not("):
        return ()
    steps = _steps(reader)
    if not reader.take(")"):
        raise reader.fail("')'")
    return steps


def _alternatives(reader: _Reader) -> tuple[Step, ...]:
    if not reader.take("("):
        return (_step(reader),)
    steps = _steps(reader)
    if not reader.take(")"):
        raise reader.fail("')'")
    return steps


def _steps(reader: _Reader) -> tuple[Step, ...]:
    steps = [_step(reader)]
    while reader.take("|"):
        steps.append(_step(reader))
    return tuple(steps)


def _step(reader: _Reader) -> Step:
    kind = reader.peek()
    if not re.fullmatch(r"\*|[a-z][a-z_]*", kind) or not reader.take(kind):
        raise reader.fail("an event, '(' or '...'")
    if not reader.take("["):
        return Step(kind)
    tests = [_test(reader)]
    while reader.take(","):
        tests.append(_test(reader))
    if not reader.take("]"):
        raise reader.fail("']' or ','")
    return Step(kind, tuple(tests))


def _test(reader: _Reader) -> Test:
    match = _ATTRIBUTE.match(reader.text, reader.position)
    if not match:
        raise reader.fail("an attribute such as by=call")
    reader.position = match.end()
    values = frozenset(value.strip() for value in match[3].split("|"))
    return Test(match[1], values, negated=match[2] == "!=")
