"""Handlers and crash tables as JSON, as handlers.schema.json describes it."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from contractlint import __version__
from contractlint.crash.card import HandlerCard
from contractlint.project.run import Report
from contractlint.report.handlers import HandlersView


def render(report: Report, view: HandlersView) -> str:
    content = {
        "version": __version__,
        "handlers": [_handler(card, view) for card in report.cards],
        "errors": [asdict(problem) for problem in report.problems],
    }
    return json.dumps(content, indent=2, ensure_ascii=False) + "\n"


def _handler(card: HandlerCard, view: HandlersView) -> dict[str, Any]:
    content = asdict(card)
    if not view.crash:
        for name in ("chain", "crash", "failures"):
            del content[name]
    return content
