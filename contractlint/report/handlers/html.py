"""Handlers and crash tables as one page that needs nothing else: no network, no script."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from html import escape
from pathlib import Path

from contractlint import __version__
from contractlint.crash.card import HandlerCard
from contractlint.findings import Finding, Step
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
from contractlint.report.handlers.picture import BAD, GOOD, picture, tone

_CODE = re.compile(r"`([^`]+)`")


def render(report: Report, view: HandlersView) -> str:
    findings = [one.finding for one in report.findings]
    parts = [_head(report), _contents(report.cards)]
    parts += [_section(number, card, findings) for number, card in enumerate(report.cards)]
    parts += [_errors(report)] if report.problems else []
    return _page("".join(parts))


def _page(body: str) -> str:
    style = Path(__file__).with_name("page.css").read_text(encoding="utf-8")
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>Crash tables</title>\n<style>\n{style}</style></head>\n"
        f"<body>{body}</body></html>\n"
    )


def _head(report: Report) -> str:
    legend = "".join(f"<li>{_mark(name)} {text}</li>" for name, text in _LEGEND)
    return (
        "<header><h1>What happens if it dies right here?</h1>"
        f'<p class="dim">{len(report.cards)} handlers in {report.files} files, '
        f"contractlint {__version__}</p>"
        f"<details><summary>The outcomes</summary><ul>{legend}</ul></details></header>\n"
    )


_LEGEND = (
    ("safe", "delivered again and starts over"),
    ("suppressed", "delivered again; what was done is known and not done twice"),
    ("done", "nothing is left to do"),
    ("incomplete", "the result is there, something behind it never happens"),
    ("unknown", "nobody can tell from here whether it happened"),
    ("repeated", "happens twice"),
    ("lost", "never happens"),
)


def _contents(cards: Sequence[HandlerCard]) -> str:
    rows = "".join(
        f'<li>{_mark(_worst(card))} <a href="#handler-{number}">{escape(card.name)}</a> '
        f'<span class="dim">{escape(card.path)}</span></li>'
        for number, card in enumerate(cards)
    )
    return f"<nav><ul>{rows}</ul></nav>\n"


def _worst(card: HandlerCard) -> str:
    outcomes = [row.outcome for row in card.crash] + [row.outcome for row in card.failures]
    bad = [one for one in outcomes if one in BAD]
    open_ends = [row.outcome for row in card.crash if row.outcome not in GOOD]
    return (bad or open_ends or ["safe"])[0]


def _section(number: int, card: HandlerCard, findings: Iterable[Finding]) -> str:
    own = [one for one in findings if (one.handler, one.path) == (card.name, card.path)]
    name, where, *cells = overview(card)
    facts = "".join(
        f"<dt>{escape(head)}</dt><dd>{_coded(cell)}</dd>"
        for head, cell in zip(OVERVIEW[2:], cells, strict=True)
        if cell != NOTHING
    )
    links = [_link(row.step, row.outcome, own) for row in card.crash]
    tables = _table("When the process dies", CRASH, crash_rows(card), links)
    links = [_link(row.settled, row.outcome, own) for row in card.failures]
    tables += _table("When a step fails", FAILURES, failure_rows(card), links)
    return (
        f'<section id="handler-{number}"><h2>{escape(name)}</h2>'
        f'<p class="dim"><code>{escape(where)}</code></p><dl>{facts}</dl>'
        f'<div class="sides"><div>{picture(card) if card.crash else ""}</div>'
        f"<div>{tables}{''.join(map(_finding, own))}</div></div></section>\n"
    )


def _link(step: Step, outcome: str, findings: Iterable[Finding]) -> str:
    """Return the anchor of the finding that tells the harm of a row; empty if there is none."""
    if outcome in BAD:
        for finding in findings:
            if any((one.path, one.line) == (step.path, step.line) for one in finding.scenario):
                return f"#{_anchor(finding)}"
    return ""


def _anchor(finding: Finding) -> str:
    place = re.sub(r"\W+", "-", f"{finding.path}-{finding.line}-{finding.column}")
    return f"finding-{finding.code}-{place}"


def _table(
    title: str, head: Sequence[str], rows: Sequence[Sequence[str]], links: Sequence[str]
) -> str:
    if not rows:
        return ""
    cells = "".join(f"<th>{escape(cell)}</th>" for cell in head)
    body = "".join(
        f"<tr>{''.join(_cell(name, cell, link) for name, cell in zip(head, row, strict=True))}</tr>"
        for row, link in zip(rows, links, strict=True)
    )
    return f"<h3>{title}</h3><table><thead><tr>{cells}</tr></thead><tbody>{body}</tbody></table>"


def _cell(column: str, cell: str, link: str) -> str:
    if column == "outcome":
        mark = _mark(cell)
        return f'<td><a href="{link}">{mark}</a></td>' if link else f"<td>{mark}</td>"
    return (
        f'<td class="line">{escape(cell)}</td>' if column == "line" else f"<td>{_coded(cell)}</td>"
    )


def _mark(outcome: str) -> str:
    return f'<span class="mark {tone(outcome)}">{escape(outcome)}</span>'


def _finding(finding: Finding) -> str:
    steps = "".join(f"<li>{_coded(text)}</li>" for text in _told(finding.happening))
    return (
        f'<details open id="{_anchor(finding)}">'
        f"<summary><b>{finding.code}</b> {_coded(finding.message)}</summary>"
        f"<ol>{steps}</ol><p>{_coded(finding.fix)}</p></details>"
    )


def _told(steps: Iterable[Step]) -> Iterator[str]:
    for step in steps:
        yield f"{step.text} (line {step.line})" if step.line else step.text


def _errors(report: Report) -> str:
    rows = "".join(
        f"<li><code>{escape(one.path)}:{one.line}</code> {escape(one.message)}</li>"
        for one in report.problems
    )
    return f"<section><h2>Not read</h2><ul>{rows}</ul></section>\n"


def _coded(text: str) -> str:
    """Escape a text; what stands between back quotes is code."""
    return _CODE.sub(r"<code>\1</code>", escape(text))
