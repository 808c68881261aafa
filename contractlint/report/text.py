"""The report for people: each finding with its source, its crash scenario and its fix."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from textwrap import wrap
from typing import TYPE_CHECKING, Any

from contractlint.findings import Finding, Problem, Reported, Step, Summary
from contractlint.project.book import SourceBook
from contractlint.report.writer import Writer, count, counted

if TYPE_CHECKING:
    from contractlint.engine import HandlerRecord
    from contractlint.messages.run import Decided

_WIDTH = 100
_SEVERITY_COLOURS = {"error": "red", "warning": "yellow", "info": "cyan"}


class FormatWriter(Writer):
    """Blocks of lines, with an empty line between them unless the view is concise."""

    _written = False

    def _finding(self, reported: Reported) -> None:
        if self._view.statistics:
            return
        paint, finding = _Paint(self._view.colour), reported.finding
        if self._view.concise:
            self._block([*_head(finding, paint), *_advice(finding)])
        else:
            more = f"  more: contractlint explain {finding.code}"
            excerpt = _excerpt(finding, self._background.book, paint)
            self._block([*_head(finding, paint), *excerpt, *_advice(finding), more])

    def add_outcome(self, decided: Decided) -> None:
        waits = f", waits for {decided.awaited}" if decided.awaited else ""
        replayed = ", replayed" if decided.replayed else ""
        place = f"{decided.path}:{decided.line}"
        self._block([f"{place}: {decided.id}: {decided.outcome}{waits}{replayed}"])

    def close(self, summary: Summary) -> None:
        if self._view.statistics:
            self._block(f"{count:>5}  {code}  {rule}" for code, rule, count in self._rules())
        self._block(problem_lines(self._problems, self._view.colour))
        if self._view.handlers:
            self._block(_handler_table(self._background.handlers))
        self._block(f"{n:>10}  {outcome}" for outcome, n in sorted(summary.outcomes.items()))
        if not self._view.quiet and (summary.findings or not self._view.concise):
            self._block([_summary_line(summary)])

    def _block(self, lines: Iterable[str]) -> None:
        text = "".join(f"{line}\n" for line in lines)
        if text and self._written and not self._view.concise:
            text = f"\n{text}"
        self._out.write(text)
        self._written = self._written or bool(text)


def told(finding: Finding) -> Iterator[str]:
    """Yield the lines of a finding, without its source."""
    yield from _head(finding, _Paint(False))
    yield from _advice(finding)


def problem_lines(problems: Iterable[Problem], colour: bool) -> Iterator[str]:
    """Yield a line for each problem."""
    return (_problem(problem, _Paint(colour)) for problem in problems)


class _Paint:
    """Colours text, or leaves it alone."""

    def __init__(self, colour: bool) -> None:
        self._colour = colour

    def __call__(self, text: str, **style: Any) -> str:
        if not self._colour:
            return text
        import click

        return click.style(text, **style)


def _head(finding: Finding, paint: _Paint) -> Iterator[str]:
    place = f"{finding.path}:{finding.line}:{finding.column}:"
    code = paint(finding.code, fg=_SEVERITY_COLOURS[finding.severity], bold=True)
    yield f"{paint(place, bold=True)} {code} {finding.message}"


def _advice(finding: Finding) -> Iterator[str]:
    """Yield what the finding refers to, what happens, and what to do."""
    for step in finding.scenario:
        if step.event == "also":
            yield f"  also: {step.text}  ({step.path}:{step.line})"
        elif step.is_reference:
            yield f"  see: {step.path}:{step.line}"
    if finding.happening:
        yield "  what happens:"
        yield from _scenario(finding.happening, finding.path)
    yield from _paragraph("  fix: ", finding.fix)


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


def _handler_table(handlers: Sequence[HandlerRecord]) -> Iterator[str]:
    rows = [
        (f"{h.path}:{h.line}", h.name, f"called by {h.via}" if h.via else h.library)
        for h in handlers
    ]
    widths = [max((len(row[column]) for row in rows), default=0) for column in (0, 1)]
    for place, name, origin in rows:
        yield f"{place:<{widths[0]}}  {name:<{widths[1]}}  {origin}".rstrip()


def _summary_line(summary: Summary) -> str:
    """Return one line that accounts for everything that was looked at."""
    found = f"{count(summary.findings, 'finding')} in {', '.join(counted(summary.looked_at))}"
    return f"{found}, {count(summary.errors, 'error')}" if summary.errors else found
