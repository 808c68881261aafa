"""The output formats by name."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module

from contractlint.project.run import Report


@dataclass(frozen=True)
class View:
    """How a report is shown: in colour, without the summary, with handlers, counted by rule."""

    colour: bool = False
    quiet: bool = False
    handlers: bool = False
    statistics: bool = False


_MODULES: Mapping[str, str] = {
    "text": "contractlint.report.text",
    "json": "contractlint.report.document",
    "github": "contractlint.report.github",
}

FORMATS = tuple(_MODULES)


def render(report: Report, output_format: str, view: View) -> str:
    """Return the report as text in one of FORMATS, ending with a newline unless it is empty."""
    renderer: Callable[[Report, View], str] = import_module(_MODULES[output_format]).render
    return renderer(report, view)
