"""The output formats by name."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from io import StringIO
from typing import IO

from contractlint.project.run import Report
from contractlint.report.writer import Background, View, Writer

_MODULES: Mapping[str, str] = {
    "text": "contractlint.report.text",
    "json": "contractlint.report.document",
    "github": "contractlint.report.github",
    "gitlab": "contractlint.report.gitlab",
    "junit": "contractlint.report.junit",
    "sarif": "contractlint.report.sarif",
}

FORMATS = tuple(_MODULES)


def open_writer(
    output_format: str, out: IO[str], view: View, background: Background | None = None
) -> Writer:
    """Return what writes a report to `out` in one of FORMATS."""
    make: type[Writer] = import_module(_MODULES[output_format]).FormatWriter
    return make(out, view, background or Background())


def render(report: Report, output_format: str, view: View) -> str:
    """Return the report as text in one of FORMATS, ending with a newline unless it is empty."""
    out = StringIO()
    background = Background(report.book, report.handlers, report.rules)
    writer = open_writer(output_format, out, view, background)
    for reported in report.findings:
        writer.add(reported)
    for problem in report.problems:
        writer.add_problem(problem)
    writer.close(report.summary)
    return out.getvalue()
