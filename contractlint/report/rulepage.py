"""One rule as a page of Markdown: what `contractlint explain` prints and docs/rules/ holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from contractlint.report.checkpage import check_pages
from contractlint.rules.catalog import Catalog, Example, Rule

_PREVIEW = "It is not yet shown to be right nine times out of ten, and runs with"


def rule_page(rule: Rule) -> str:
    """Return the page of one rule."""
    return "\n\n".join(_sections(rule)) + "\n"


def rule_index(catalog: Catalog) -> str:
    """Return the page that lists all rules."""
    rows = [
        f"| [{rule.code}]({rule.name}.md) | {rule.name} | {rule.severity} | "
        f"{rule.standing} | {rule.headline} |"
        for rule in catalog.rules
    ]
    head = "| code | name | severity | runs | what it finds |\n|---|---|---|---|---|"
    more = "Checks of [messages and streams](messages.md) and of [producers' schemas](schemas.md)."
    return "# Rules\n\n" + "\n".join([head, *rows]) + f"\n\n{more}\n"


def rule_pages(catalog: Catalog) -> dict[str, str]:
    """Return the content of docs/rules/ by file name."""
    pages = {f"{rule.name}.md": rule_page(rule) for rule in catalog.rules}
    return {"index.md": rule_index(catalog), **pages, **check_pages()}


def _sections(rule: Rule) -> Iterator[str]:
    yield f"# {rule.code} {rule.name}"
    headline = f"{rule.headline[:1].upper()}{rule.headline[1:]}"
    yield f"{headline}. Severity: {rule.severity}, {rule.standing}."
    if rule.preview:
        yield f"{_PREVIEW} `--select {rule.code}`, or `--preview`."
    yield f"## Why\n\n{rule.why.strip()}"
    yield f"## Fix\n\n{rule.fix.strip()}"
    yield from _examples("Found", rule.bad)
    yield from _examples("Not found", rule.good)
    if rule.patterns:
        yield "## Pattern\n\n```\n" + "\n".join(p.strip() for p in rule.patterns) + "\n```"
    if rule.references:
        yield "## References\n\n" + "\n".join(f"- <{link}>" for link in rule.references)


def _examples(heading: str, examples: Sequence[Example]) -> Iterator[str]:
    if examples:
        yield f"## {heading}"
    for example in examples:
        title = f"{example.title}:\n\n" if example.title else ""
        yield f"{title}```python\n{example.code.strip()}\n```"
