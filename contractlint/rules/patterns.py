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

from contractlint.events import BOUNDARIES, Event, meant_event
from contractlint.events import EVENTS as EVENTS


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

    def kinds(self) -> frozenset[str]:
        """Return all kinds of events that the pattern speaks of, also those that may not pass."""
        steps = (step for s in self.stages for step in (*s.alternatives, *(s.gap or ())))
        return frozenset(step.kind for step in steps)

    def advance(self, state: int, event: Event) -> tuple[int, ...]:
        """Return the states that can follow `state` when `event` happens."""
        stage = self.stages[state]
        following = []
        if stage.matches(event):
            following.append(state + 1)
        if state == 0 or stage.lets_pass(event):
            following.append(state)
        return tuple(following)


_KEYWORDS = frozenset({"crash", "next", "not"})

_SPACE = re.compile(r"\s*")
_WORD = re.compile(r"\*|[a-z][a-z0-9_-]*")
_ATTRIBUTE = re.compile(
    r"(?P<name>[a-z][a-z0-9_-]*)\s*(?P<sign>!=|=)\s*(?P<values>[\w.-]*(?:\s*\|\s*[\w.-]*)*)"
)


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0
        self.skip()

    def skip(self) -> None:
        match = _SPACE.match(self.text, self.position)
        assert match is not None
        self.position = match.end()

    def take(self, token: str) -> bool:
        """Go past `token` if it stands here; a word only if it ends here as well."""
        end = self.position + len(token)
        if not self.text.startswith(token, self.position):
            return False
        if token[-1].isalpha() and _WORD.match(self.text, end):
            return False
        self.position = end
        self.skip()
        return True

    def word(self) -> str:
        match = _WORD.match(self.text, self.position)
        return match.group() if match else ""

    def match(self, expression: re.Pattern[str], expected: str) -> re.Match[str]:
        match = expression.match(self.text, self.position)
        if match is None:
            raise self.fail(expected)
        self.position = match.end()
        self.skip()
        return match

    def fail(self, expected: str) -> PatternError:
        return PatternError(self.text, self.position, expected)

    def at_end(self) -> bool:
        return self.position == len(self.text)


def parse_pattern(text: str, *, marks: bool = True) -> Pattern:
    """Compile `text`.

    Raises:
        PatternError: the text is no pattern, or does not mark exactly one step (none, if it does
            not `marks`).
    """
    reader = _Reader(text)
    stages = [_stage(reader, None, crash=False, goes_on=False)]
    crash_at_end = False
    while not reader.at_end():
        gap, goes_on = _gap(reader)
        crash = reader.take("crash")
        if crash and reader.at_end() and gap is None:
            crash_at_end = True
            break
        if crash and gap is None:
            gap, goes_on = _gap(reader)
        stages.append(_stage(reader, gap, crash=crash, goes_on=goes_on))
    if sum(stage.marked for stage in stages) != marks:
        how_many = "exactly one step" if marks else "no step"
        raise PatternError(text, len(text), f"{how_many} marked with '!'")
    return Pattern(text, tuple(stages), crash_at_end)


def _stage(reader: _Reader, gap: tuple[Step, ...] | None, *, crash: bool, goes_on: bool) -> Stage:
    marked = reader.take("!")
    return Stage(_alternatives(reader), gap, marked, crash, goes_on)


def _gap(reader: _Reader) -> tuple[tuple[Step, ...] | None, bool]:
    """Return what may not pass here (None: nothing may), and whether later deliveries count."""
    if not reader.take("..."):
        return None, False
    goes_on = reader.take("next")
    if not reader.take("not"):
        return (), goes_on
    if not reader.take("("):
        raise reader.fail("'(' after 'not'")
    return _steps_in_brackets(reader), goes_on


def _alternatives(reader: _Reader) -> tuple[Step, ...]:
    if reader.take("("):
        return _steps_in_brackets(reader)
    return (_step(reader),)


def _steps_in_brackets(reader: _Reader) -> tuple[Step, ...]:
    steps = [_step(reader)]
    while reader.take("|"):
        steps.append(_step(reader))
    if not reader.take(")"):
        raise reader.fail("'|' or ')'")
    return tuple(steps)


def _step(reader: _Reader) -> Step:
    kind = reader.word()
    if not kind or kind in _KEYWORDS:
        raise reader.fail("an event or '('")
    _refuse_misspelt(reader, kind)
    reader.position += len(kind)
    reader.skip()
    if not reader.take("["):
        return Step(kind)
    tests = [_test(reader)]
    while reader.take(","):
        tests.append(_test(reader))
    if not reader.take("]"):
        raise reader.fail("']' or ','")
    return Step(kind, tuple(tests))


def _refuse_misspelt(reader: _Reader, kind: str) -> None:
    meant = meant_event(kind)
    if meant:
        raise reader.fail(f"an event such as {meant}")


def _test(reader: _Reader) -> Test:
    expected = "an attribute such as by=call"
    match = reader.match(_ATTRIBUTE, expected)
    if not match["values"]:
        raise reader.fail("a value")
    values = frozenset(value.strip() for value in match["values"].split("|"))
    return Test(match["name"], values, negated=match["sign"] == "!=")
