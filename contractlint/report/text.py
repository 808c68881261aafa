"""The report for people: each finding with its source, its crash scenario and its fix."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap
from typing import Any

from contractlint.findings import Finding, Problem, Step
from contractlint.project.book import SourceBook
from contractlint.project.run import Report
from contractlint.report.formats import View
from contractlint.report.statistics import count_rules

_WIDTH = 100
_SEVERITY_COLOURS = {"error": "red", "warning": "yellow", "info": "cyan"}


def render(report: Report, view: View) -> str:
    paint = _Paint(view.colour)
    blocks = [_counts(report)] if view.statistics else _findings(report, paint)
    blocks.append(problem_lines(report, view.colour))
    if view.handlers:
        blocks.append("\n".join(_handler_table(report)))
    if not view.quiet:
        blocks.append(summary(report))
    return "".join(f"{block}\n" for block in _spaced(blocks) if block)


def problem_lines(report: Report, colour: bool) -> str:
    """Return a line for each problem."""
    return "\n".join(_problem(problem, _Paint(colour)) for problem in report.problems)


def _spaced(blocks: Sequence[str]) -> Iterator[str]:
    """Put an empty line after every block but the last."""
    filled = [block for block in blocks if block]
    for number, block in enumerate(filled, 1):
        yield block if number == len(filled) else f"{block}\n"


class _Paint:
    """Colours text, or leaves it alone."""

    def __init__(self, colour: bool) -> None:
        self._colour = colour

    def __call__(self, text: str, **style: Any) -> str:
        if not self._colour:
            return text
        import click

        return click.style(text, **style)


def _counts(report: Report) -> str:
    return "\n".join(f"{count:>5}  {code}  {rule}" for code, rule, count in count_rules(report))


def _findings(report: Report, paint: _Paint) -> list[str]:
    return ["\n".join(_finding(one.finding, report.book, paint)) for one in report.findings]


def _finding(finding: Finding, book: SourceBook, paint: _Paint) -> Iterator[str]:
    place = f"{finding.path}:{finding.line}:{finding.column}:"
    code = paint(finding.code, fg=_SEVERITY_COLOURS[finding.severity], bold=True)
    yield f"{paint(place, bold=True)} {code} {finding.message}"
    yield from _excerpt(finding, book, paint)
    if finding.scenario:
        yield "  what happens:"
        yield from _scenario(finding.scenario, finding.path)
    yield from _paragraph("  fix: ", finding.fix)
    yield f"  more: contractlint explain {finding.code}"


def _excerpt(finding: Finding, book: SourceBook, paint: _Paint) -> Iterator[str]:
    source = book.line(finding.path, finding.line)
    if not source.strip():
        return
    number = str(finding.line)
    same_line = finding.end_line == finding.line
    end = finding.end_column - 1 if same_line else len(source.rstrip())
    start = finding.column - 1
    # Tabs in the margin keep the underline below what it marks.
    margin = "".join("\t" if letter == "\t" else " " for letter in source[:start])
    underline = paint("^" * max(end - start, 1), fg="red")
    yield f"  {number} | {source.rstrip()}"
    yield f"  {' ' * len(number)} | {margin}{underline}"


def _scenario(steps: Sequence[Step], path: str) -> Iterator[str]:
    for number, step in enumerate(steps, 1):
        line = f"    {number}. {step.text}"
        yield f"{line}  ({_place(step, path)})" if step.line else line


def _place(step: Step, path: str) -> str:
    return f"line {step.line}" if step.path == path else f"{step.path}:{step.line}"


def _paragraph(head: str, text: str) -> Iterator[str]:
    """Yield `text` in lines of bounded width, the first after `head`, the others below it."""
    yield from wrap(text, _WIDTH, initial_indent=head, subsequent_indent=" " * len(head))


def _problem(problem: Problem, paint: _Paint) -> str:
    place = f"{problem.path}:{problem.line}:" if problem.line else f"{problem.path}:"
    return f"{paint(place, bold=True)} {paint('error:', fg='red', bold=True)} {problem.message}"


def _handler_table(report: Report) -> Iterator[str]:
    rows = [
        (f"{h.path}:{h.line}", h.name, f"called by {h.via}" if h.via else h.library)
        for h in report.handlers
    ]
    widths = [max((len(row[column]) for row in rows), default=0) for column in (0, 1)]
    for place, name, origin in rows:
        yield f"{place:<{widths[0]}}  {name:<{widths[1]}}  {origin}".rstrip()


def summary(report: Report) -> str:
    """Return one line that accounts for every file."""
    looked_at = f"{count(report.files, 'file')}, {count(report.handler_count, 'handler')}"
    found = count(len(report.findings), "finding")
    errors = f", {count(len(report.problems), 'error')}" if report.problems else ""
    return f"{found} in {looked_at}{errors}"


def count(number: int, noun: str) -> str:
    """Return a number with its noun in the right form."""
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
