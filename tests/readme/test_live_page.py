"""docs/live-tests.md shows the crash tables that tests/live carries out."""

from __future__ import annotations

from pathlib import Path

from tests.live.tables import ROOT, cards


def test_the_page_tells_what_was_carried_out():
    page = (ROOT / "docs" / "live-tests.md").read_text(encoding="utf-8")
    shown = [line for line in page.splitlines() if ".py`" in line and " · " in line]
    assert shown == [line_of(card) for card in cards()]


def line_of(card: dict) -> str:
    outcomes = [("during " if row["during"] else "") + row["outcome"] for row in card["crash"]]
    path = Path(card["path"])
    return f"| `{path.parent.name}/{path.name}` | `{card['name']}` | {' · '.join(outcomes)} |"
