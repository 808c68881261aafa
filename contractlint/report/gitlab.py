"""The report that GitLab shows in merge requests as code quality."""

from __future__ import annotations

import hashlib
from typing import Any

from contractlint.findings import Problem, Reported, Summary
from contractlint.report.jsonlist import JsonWriter

_SEVERITIES = {"error": "major", "warning": "minor", "info": "info"}


class FormatWriter(JsonWriter):
    """One entry a finding; what could not be done is a blocker."""

    def _entry(self, reported: Reported) -> dict[str, Any]:
        finding = reported.finding
        return {
            "description": f"{finding.code} {finding.message}",
            "check_name": finding.rule,
            "fingerprint": reported.fingerprint,
            "severity": _SEVERITIES[finding.severity],
            "location": {"path": finding.path, "lines": {"begin": finding.line}},
        }

    def _write_rest(self, summary: Summary) -> None:
        for problem in self._problems:
            self._write_entry(_problem(problem))


def _problem(problem: Problem) -> dict[str, Any]:
    named = f"{problem.path}\0{problem.message}".encode("utf-8", "surrogatepass")
    return {
        "description": problem.message,
        "check_name": "contractlint",
        "fingerprint": hashlib.sha256(named).hexdigest()[:32],
        "severity": "blocker",
        "location": {"path": problem.path, "lines": {"begin": max(problem.line, 1)}},
    }
