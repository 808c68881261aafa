"""Handlers and crash tables as Markdown, for a wiki or a pull request."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from contractlint.crash.card import HandlerCard
from contractlint.project.run import Report
from contractlint.report.handlers import HandlersView
from contractlint.report.handlers.cells import (
    CRASH,
    FAILURES,
    OVERVIEW,
    crash_rows,
    failure_rows,
    overview,
)

_HARMS = frozenset({"lost", "repeated", "loops", "dropped"})


def render(report: Report, view: HandlersView) -> str:
    parts = [_table(OVERVIEW, [overview(card) for card in report.cards])]
    if view.crash:
        parts += [part for card in report.cards for part in _sections(card)]
    parts += [f"- {one.path}:{one.line}: {one.message}" for one in report.problems]
    return "\n\n".join(parts) + "\n"


def _sections(card: HandlerCard) -> Iterator[str]:
    yield f"## {_cell(card.name)}"
    yield f"`{card.path}:{card.line}`"
    for head, rows in ((CRASH, crash_rows(card)), (FAILURES, failure_rows(card))):
        if rows:
            yield _table(head, rows)


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *([_cell(cell) for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _cell(text: str) -> str:
    text = text.replace("|", "\\|")
    return f"**{text}**" if text in _HARMS else text
