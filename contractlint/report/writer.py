"""What all output formats share: a report is written while it grows."""

from __future__ import annotations

import tempfile
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import IO, TYPE_CHECKING

from contractlint.findings import Problem, Reported, Summary
from contractlint.project.book import SourceBook

if TYPE_CHECKING:
    from contractlint.engine import HandlerRecord
    from contractlint.messages.run import Decided
    from contractlint.rules.catalog import Rule


@dataclass(frozen=True)
class View:
    """How a report is shown: in colour, without the summary, with handlers, counted by rule.

    `concise`: without the sources, and without a word where there is nothing to say.
    """

    colour: bool = False
    quiet: bool = False
    handlers: bool = False
    statistics: bool = False
    concise: bool = False


@dataclass(frozen=True)
class Background:
    """What a report may show beside the findings: sources, handlers, the rules of the project."""

    book: SourceBook = field(default_factory=SourceBook)
    handlers: Sequence[HandlerRecord] = ()
    rules: Sequence[Rule] = ()


class Writer(ABC):
    """Writes one report: findings and outcomes as they come, and in the end the rest."""

    def __init__(self, out: IO[str], view: View, background: Background) -> None:
        self._out = out
        self._view = view
        self._background = background
        self._problems: list[Problem] = []
        self._counts: Counter[tuple[str, str]] = Counter()

    def add(self, reported: Reported) -> None:
        """Take a finding."""
        self._counts[reported.finding.code, reported.finding.rule] += 1
        self._finding(reported)

    def add_problem(self, problem: Problem) -> None:
        """Take what could not be done; it is told after all findings."""
        self._problems.append(problem)

    # No abstract method: most formats have no words for it.
    def add_outcome(self, decided: Decided) -> None:  # noqa: B027
        """Take what a consumer does with a message."""

    @abstractmethod
    def close(self, summary: Summary) -> None:
        """Write what comes after the findings."""

    @abstractmethod
    def _finding(self, reported: Reported) -> None: ...

    def _rules(self) -> list[tuple[str, str, int]]:
        """Return code, name and number of findings of each rule, the most frequent first."""
        ordered = sorted(self._counts.items(), key=lambda item: (-item[1], item[0]))
        return [(code, rule, count) for (code, rule), count in ordered]


def spool() -> IO[str]:
    """Return a file for what has to wait until the findings are written, however much it is."""
    return tempfile.TemporaryFile("w+", encoding="utf-8", errors="backslashreplace")


def counted(looked_at: Mapping[str, int]) -> Iterator[str]:
    """Yield each number with its noun in the right form."""
    return (count(number, noun) for noun, number in looked_at.items())


def count(number: int, noun: str) -> str:
    """Return a number with its noun in the right form."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
