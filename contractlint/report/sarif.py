"""The report as SARIF 2.1.0: code scanning shows the crash scenario as the path to the finding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any
from urllib.parse import quote

from contractlint import __version__
from contractlint.findings import Finding, Problem, Reported, Step, Summary
from contractlint.report.checkpage import check_page, find_checks
from contractlint.report.jsonlist import JsonWriter, line
from contractlint.report.rulepage import rule_page
from contractlint.rules.catalog import bundled_rules

_SCHEMA = (
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
)
_HOME = "https://github.com/contractlint/contractlint"
_LEVELS = {"error": "error", "warning": "warning", "info": "note"}


class FormatWriter(JsonWriter):
    """One run. The rules stand behind the results, when it is known which ones were found."""

    def _head(self) -> str:
        return (
            f'{{\n"$schema": {line(_SCHEMA)},\n"version": "2.1.0",\n'
            '"runs": [{\n"columnKind": "unicodeCodePoints",\n"results": '
        )

    def _entry(self, reported: Reported) -> dict[str, Any]:
        finding = reported.finding
        return {
            "ruleId": finding.code,
            "level": _LEVELS[finding.severity],
            "message": {"text": f"{finding.message}\n{finding.fix}".strip()},
            "locations": [_location(finding)],
            "partialFingerprints": {"contractlint/v1": reported.fingerprint},
            "properties": {"confidence": finding.confidence, "pointer": finding.pointer},
            **_flow(finding),
            **_related(finding),
        }

    def _write_end(self, summary: Summary) -> None:
        driver = {
            "name": "contractlint",
            "version": __version__,
            "informationUri": _HOME,
            "rules": list(self._descriptors()),
        }
        self._out.write(f',\n"invocations": [{line(_invocation(self._problems))}]')
        self._out.write(f',\n"tool": {{"driver": {line(driver)}}}\n}}]\n}}')

    def _descriptors(self) -> Iterator[dict[str, Any]]:
        """Yield what is known of each rule that was found."""
        known = {rule.code: rule for rule in (*bundled_rules(), *self._background.rules)}
        for code, _ in self._counts:
            if code in known:
                rule = known[code]
                texts = (rule.headline, rule.why, rule.fix, rule_page(rule))
                yield _descriptor(code, rule.name, rule.severity, *texts)
            for command, check in find_checks(code):
                texts = (check.summary, check.why, check.fix, check_page(command, check))
                yield _descriptor(code, check.name, check.severity, *texts)


def _descriptor(
    code: str, name: str, severity: str, summary: str, why: str, fix: str, page: str
) -> dict[str, Any]:
    return {
        "id": code,
        "name": name,
        "shortDescription": {"text": summary},
        "fullDescription": {"text": why.strip()},
        "help": {"text": f"{why.strip()}\n\n{fix.strip()}", "markdown": page},
        "defaultConfiguration": {"level": _LEVELS[severity]},
    }


def _location(finding: Finding) -> dict[str, Any]:
    region = {
        "startLine": finding.line,
        "startColumn": finding.column,
        "endLine": finding.end_line,
        "endColumn": finding.end_column,
    }
    place: dict[str, Any] = {"artifactLocation": _artifact(finding.path), "region": region}
    if not finding.handler:
        return {"physicalLocation": place}
    handler = {"name": finding.handler, "fullyQualifiedName": finding.handler}
    return {"physicalLocation": place, "logicalLocations": [handler]}


def _artifact(path: str) -> dict[str, str]:
    if path.startswith("/"):
        return {"uri": f"file://{quote(path)}"}
    return {"uri": quote(path), "uriBaseId": "%SRCROOT%"}


def _flow(finding: Finding) -> dict[str, Any]:
    steps = finding.happening
    if not steps:
        return {}
    return {"codeFlows": [{"threadFlows": [{"locations": list(_flow_locations(finding, steps))}]}]}


def _flow_locations(finding: Finding, steps: Sequence[Step]) -> Iterator[dict[str, Any]]:
    """A step without a place, such as the crash, happens where the one before it stands."""
    path, number = finding.path, finding.line
    for step in steps:
        if step.line:
            path, number = step.path, step.line
        yield {"location": _spot(path, number, step.text), "kinds": [step.event]}


def _related(finding: Finding) -> dict[str, Any]:
    others = [step for step in finding.scenario if step.is_reference]
    if not others:
        return {}
    return {"relatedLocations": [_spot(one.path, one.line, one.text) for one in others]}


def _spot(path: str, number: int, text: str) -> dict[str, Any]:
    place: dict[str, Any] = {"artifactLocation": _artifact(path)}
    if number:
        place["region"] = {"startLine": number}
    return {"physicalLocation": place, "message": {"text": text}}


def _invocation(problems: Sequence[Problem]) -> dict[str, Any]:
    notes = [
        {
            "level": "error",
            "message": {"text": one.message},
            "locations": [_spot(one.path, one.line, one.message)],
        }
        for one in problems
    ]
    return {"executionSuccessful": not problems, "toolExecutionNotifications": notes}
