"""The handlers of a project and their crash tables, by format."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from importlib import import_module

from contractlint.project.run import Report


@dataclass(frozen=True)
class HandlersView:
    """How handlers are shown: with their crash tables, in colour."""

    crash: bool = False
    colour: bool = False


_MODULES: Mapping[str, str] = {
    "text": "contractlint.report.handlers.text",
    "json": "contractlint.report.handlers.document",
    "markdown": "contractlint.report.handlers.markdown",
    "html": "contractlint.report.handlers.html",
}

FORMATS = tuple(_MODULES)


def render(report: Report, output_format: str, view: HandlersView) -> str:
    """Return the handlers as text in one of FORMATS, ending with a newline."""
    renderer: Callable[[Report, HandlersView], str] = import_module(_MODULES[output_format]).render
    return renderer(report, view)
