"""Handlers and crash tables for a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from contractlint.crash.card import HandlerCard
from contractlint.project.run import Report
from contractlint.report.handlers import HandlersView
from contractlint.report.handlers.cells import (
    CRASH,
    FAILURES,
    NOTHING,
    OVERVIEW,
    crash_rows,
    failure_rows,
    overview,
)
from contractlint.report.text import problem_lines
from contractlint.report.writer import count

_WIDEST = 44
_WIDEST_IN_LIST = 24  # ten columns have to fit beside each other
_COLOURS = {
    **dict.fromkeys(("lost", "repeated", "loops", "dropped"), "red"),
    **dict.fromkeys(("unknown", "incomplete", "rejected", "given-up", "escapes"), "yellow"),
    **dict.fromkeys(("safe", "done", "suppressed", "retried", "set-aside"), "green"),
}


def render(report: Report, view: HandlersView) -> str:
    blocks = [_with_crash(card, view) for card in report.cards] if view.crash else [_list(report)]
    blocks += ["\n".join(problem_lines(report.problems, view.colour)), _summary(report)]
    return "\n\n".join(block for block in blocks if block) + "\n"


def _summary(report: Report) -> str:
    return f"{count(len(report.cards), 'handler')} in {count(report.files, 'file')}"


def _list(report: Report) -> str:
    rows = [overview(card) for card in report.cards]
    return _table(OVERVIEW, rows, widest=_WIDEST_IN_LIST) if rows else ""


def _with_crash(card: HandlerCard, view: HandlersView) -> str:
    name, where, *cells = overview(card)
    lines = [f"{where}  {name}"]
    facts = zip(OVERVIEW[2:], cells, strict=True)
    lines += [f"  {head}: {cell}" for head, cell in facts if cell != NOTHING]
    for head, rows in ((CRASH, crash_rows(card)), (FAILURES, failure_rows(card))):
        if rows:
            lines += ["", _indented(_table(head, rows, view.colour))]
    return "\n".join(lines)


def _indented(text: str) -> str:
    return "\n".join(f"  {line}" for line in text.split("\n"))


def _table(
    head: Sequence[str], rows: Sequence[Sequence[str]], colour: bool = False, widest: int = _WIDEST
) -> str:
    """Return aligned columns; all but the last are cut at a bounded width."""
    last = len(head) - 1
    cut = [
        [_cut(cell, widest) if n < last else cell for n, cell in enumerate(row)]
        for row in (head, *rows)
    ]
    widths = [max(len(row[n]) for row in cut) for n in range(last)]
    return "\n".join("  ".join(_padded(row, widths, colour)).rstrip() for row in cut)


def _padded(row: Sequence[str], widths: Sequence[int], colour: bool) -> Iterator[str]:
    for number, cell in enumerate(row):
        padded = cell.ljust(widths[number]) if number < len(widths) else cell
        yield _painted(padded, fg=_COLOURS[cell]) if colour and cell in _COLOURS else padded


def _painted(text: str, **style: Any) -> str:
    import click

    return click.style(text, **style)


def _cut(text: str, widest: int) -> str:
    if len(text) <= widest:
        return text
    end = "…`" if text.endswith("`") else "…"
    return text[: widest - len(end)] + end
