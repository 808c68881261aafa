"""Writes docs/rules/ from rules/ and the tables of checks."""

from pathlib import Path

from contractlint.report.rulepage import rule_pages
from contractlint.rules.catalog import load_catalog

HOME = Path(__file__).resolve().parent.parent / "docs" / "rules"


def main() -> None:
    pages = rule_pages(load_catalog())
    HOME.mkdir(parents=True, exist_ok=True)
    for stale in {path.name for path in HOME.glob("*.md")} - pages.keys():
        (HOME / stale).unlink()
    for name, page in pages.items():
        (HOME / name).write_text(page, encoding="utf-8")


if __name__ == "__main__":
    main()
