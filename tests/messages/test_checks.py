"""The table of checks, and the page that shows it."""

from __future__ import annotations

from pathlib import Path

from contractlint.messages.checks import CHECKS

PAGE = Path(__file__).parents[2] / "docs" / "messages.md"


def test_codes_and_names_are_unique() -> None:
    codes = [check.code for check in CHECKS.values()]
    assert len(set(codes)) == len(codes)
    assert codes == sorted(codes)
    assert {check.severity for check in CHECKS.values()} <= {"error", "warning"}


def test_the_page_shows_the_table() -> None:
    page = PAGE.read_text(encoding="utf-8")
    table = page.partition("<!-- checks: begin -->\n")[2].partition("<!-- checks: end -->")[0]
    rows = [
        f"| {one.code} | `{one.name}` | {one.summary} | {one.why} | {one.fix} |"
        for one in CHECKS.values()
    ]
    assert table.splitlines()[2:] == rows
