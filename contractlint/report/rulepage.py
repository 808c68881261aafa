"""One rule as a page of Markdown: what `contractlint explain` prints and docs/rules/ holds."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from contractlint.report.checkpage import check_pages
from contractlint.rules.catalog import Catalog, Example, Rule, measured_accuracy

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
    where = " Found by `contractlint journal`." if rule.of_journals else ""
    yield f"{headline}. Severity: {rule.severity}, {rule.standing}.{where}"
    if rule.preview:
        yield f"{_PREVIEW} `--select {rule.code}`, or `--preview`."
    yield f"## Why is this bad?\n\n{rule.why.strip()}"
    yield from _examples("Example", rule.bad)
    yield from _examples("Mended", rule.good)
    yield f"## How to mend it\n\n{rule.fix.strip()}"
    if rule.ignore:
        yield f"## When to ignore it\n\n{rule.ignore.strip()}"
    if rule.limits:
        yield "## Known limits\n\n" + "\n".join(f"- {limit}" for limit in rule.limits)
    yield from _accuracy(rule)
    if rule.patterns:
        yield "## Pattern\n\n```\n" + "\n".join(p.strip() for p in rule.patterns) + "\n```"
    if rule.references:
        yield "## References\n\n" + "\n".join(f"- <{link}>" for link in rule.references)


def _accuracy(rule: Rule) -> Iterator[str]:
    """What was measured on real handlers; a rule that was never found there says so."""
    counts = measured_accuracy().get(rule.code)
    if counts is None:
        return
    judged = counts["true"] + counts["false"]
    found = (
        f"Of {judged} findings on the handlers of public projects, {counts['true']} were right."
        if judged
        else "It found nothing on the handlers of public projects."
    )
    labelled = (
        f" Of {counts['labelled']} faults of this kind that readers had found there, contractlint "
        f"reports {counts['found']}."
        if counts["labelled"]
        else " Readers had found no fault of this kind there."
    )
    yield f"## Accuracy\n\n{found}{labelled} [How it was measured](../accuracy.md)."


def _examples(heading: str, examples: Sequence[Example]) -> Iterator[str]:
    if examples:
        yield f"## {heading}"
    for example in examples:
        title = f"{example.title}:\n\n" if example.title else ""
        yield f"{title}```{example.language}\n{example.code.strip()}\n```"
