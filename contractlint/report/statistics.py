"""How often each rule was found."""

from __future__ import annotations

from collections import Counter

from contractlint.project.run import Report


def render_statistics(report: Report) -> str:
    """Return one line a rule, the most frequent first."""
    counted = Counter((one.finding.code, one.finding.rule) for one in report.findings)
    ordered = sorted(counted.items(), key=lambda item: (-item[1], item[0]))
    return "".join(f"{count:>5}  {code}  {rule}\n" for (code, rule), count in ordered)
