"""Checks on messages and schemas as pages of Markdown, with the headings of a rule's page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from contractlint.messages.checks import CHECKS as MESSAGE_CHECKS
from contractlint.messages.checks import Check
from contractlint.messages.producer.checks import CHECKS as SCHEMA_CHECKS

TABLES = {
    "messages": tuple(MESSAGE_CHECKS.values()),
    "schemas": tuple(SCHEMA_CHECKS.values()),
}


def find_checks(code_or_name: str) -> list[tuple[str, Check]]:
    """Return the checks of this code or name, each with the command that makes it."""
    return [
        (command, check)
        for command, checks in TABLES.items()
        for check in checks
        if code_or_name in (check.code, check.name)
    ]


def check_page(command: str, check: Check) -> str:
    """Return the page of one check."""
    return "\n\n".join(_sections(command, check)) + "\n"


def check_pages() -> dict[str, str]:
    """Return one page for each command by file name."""
    return {f"{command}.md": _table_page(command, checks) for command, checks in TABLES.items()}


def _sections(command: str, check: Check) -> Iterator[str]:
    yield f"# {check.code} {check.name}"
    summary = _sentence(check.summary)
    yield f"{summary} Severity: {check.severity}. Found by `contractlint {command}`."
    yield f"## Why is this bad?\n\n{check.why.strip()}"
    yield f"## How to mend it\n\n{_sentence(check.fix)}"


def _table_page(command: str, checks: Sequence[Check]) -> str:
    head = f"# Checks of `contractlint {command}`\n\n| code | name | severity | what it finds |\n"
    rows = "\n".join(
        f"| {one.code} | {one.name} | {one.severity} | {one.summary} |" for one in checks
    )
    pages = (check_page(command, one).replace("# ", "## ").rstrip("\n") for one in checks)
    return head + "|---|---|---|---|\n" + "\n\n".join((rows, *pages)) + "\n"


def _sentence(text: str) -> str:
    text = text.strip()
    return f"{text[:1].upper()}{text[1:]}."
