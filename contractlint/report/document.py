"""The report as JSON, as report.schema.json describes it."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Any

from contractlint import __version__
from contractlint.findings import Problem, Step
from contractlint.project.run import Report, Reported
from contractlint.report.formats import View
from contractlint.report.statistics import count_rules


def render(report: Report, view: View) -> str:
    return json.dumps(document(report, view), indent=2, ensure_ascii=False) + "\n"


def document(report: Report, view: View) -> dict[str, Any]:
    """Return the report as plain data."""
    content: dict[str, Any] = {
        "version": __version__,
        "findings": [_finding(one) for one in report.findings],
        "errors": [_error(problem) for problem in report.problems],
        "summary": {
            "files": report.files,
            "handlers": report.handler_count,
            "findings": len(report.findings),
            "errors": len(report.problems),
        },
    }
    if view.handlers:
        content["handlers"] = [asdict(handler) for handler in report.handlers]
    if view.statistics:
        content["statistics"] = [
            {"code": code, "rule": rule, "count": count}
            for code, rule, count in count_rules(report)
        ]
    return content


def _finding(reported: Reported) -> dict[str, Any]:
    finding = reported.finding
    return {
        "code": finding.code,
        "rule": finding.rule,
        "severity": finding.severity,
        "confidence": finding.confidence,
        "path": finding.path,
        "line": finding.line,
        "column": finding.column,
        "end_line": finding.end_line,
        "end_column": finding.end_column,
        "handler": finding.handler,
        "message": finding.message,
        "fix": finding.fix,
        "fingerprint": reported.fingerprint,
        "scenario": [_step(step) for step in finding.scenario],
        **({"pointer": finding.pointer} if finding.pointer else {}),
    }


def _step(step: Step) -> dict[str, Any]:
    return {"path": step.path, "line": step.line, "event": step.event, "text": step.text}


def _error(problem: Problem) -> dict[str, Any]:
    return {"path": problem.path, "line": problem.line, "message": problem.message}
