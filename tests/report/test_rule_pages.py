"""A rule's page is generated from its file; docs/rules/ holds the pages as they are now."""

from pathlib import Path

from contractlint.report.rulepage import rule_page, rule_pages
from contractlint.rules.catalog import Example, Rule, load_catalog

DOCS = Path(__file__).resolve().parents[2] / "docs" / "rules"

RULE = Rule(
    code="CL999",
    name="some-rule",
    severity="warning",
    summary="{marked} is wrong",
    why="\nIt loses work.\n",
    fix="Do it right.",
    default=False,
    patterns=("ack ... persist",),
    bad=(Example("Wrong", "\nack()  # <- CL999\n"),),
    good=(Example("", "persist()\n"),),
    ignore="\nThe work may be lost.\n",
    limits=("It sees one file.",),
    references=("https://example.org/ack",),
)

PAGE = """\
# CL999 some-rule

A statement is wrong. Severity: warning, off unless selected.

## Why is this bad?

It loses work.

## Example

Wrong:

```python
ack()  # <- CL999
```

## Mended

```python
persist()
```

## How to mend it

Do it right.

## When to ignore it

The work may be lost.

## Known limits

- It sees one file.

## Pattern

```
ack ... persist
```

## References

- <https://example.org/ack>
"""


def test_page():
    assert rule_page(RULE) == PAGE


def test_docs_are_up_to_date():
    """Mended by `python scripts/rule_pages.py`."""
    pages = {path.name: path.read_text(encoding="utf-8") for path in DOCS.glob("*.md")}
    assert pages == rule_pages(load_catalog())
