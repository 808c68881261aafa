"""How often each rule was found."""

from __future__ import annotations

from collections import Counter

from contractlint.project.run import Report


def count_rules(report: Report) -> list[tuple[str, str, int]]:
    """Return code, name and number of findings of each rule, the most frequent first."""
    counted = Counter((one.finding.code, one.finding.rule) for one in report.findings)
    ordered = sorted(counted.items(), key=lambda item: (-item[1], item[0]))
    return [(code, rule, count) for (code, rule), count in ordered]
