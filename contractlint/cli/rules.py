"""`contractlint rules`."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict, dataclass

import click

from contractlint.cli.common import project_catalog
from contractlint.report.checkpage import TABLES
from contractlint.rules.catalog import Rule


@dataclass(frozen=True)
class _Row:
    """A rule, or a check of another command; the names are those of the JSON output."""

    code: str
    name: str
    severity: str
    command: str
    default: bool
    preview: bool
    summary: str
    why: str
    fix: str


@click.command("rules")
@click.option(
    "--output-format", type=click.Choice(["text", "json"]), default="text", show_default=True
)
def command(output_format: str) -> None:
    """List the rules, and the checks of messages and schemas."""
    rows = [*map(_of_rule, project_catalog().rules), *_of_checks()]
    rows.sort(key=lambda row: row.code)
    click.echo(_as_json(rows) if output_format == "json" else _table(rows))


def _of_rule(rule: Rule) -> _Row:
    return _Row(
        code=rule.code,
        name=rule.name,
        severity=rule.severity,
        command="journal" if rule.of_journals else "check",
        default=rule.default and not rule.preview,
        preview=rule.preview,
        summary=rule.headline,
        why=rule.why.strip(),
        fix=rule.fix.strip(),
    )


def _of_checks() -> Iterator[_Row]:
    for name, checks in TABLES.items():
        for check in checks:
            yield _Row(**asdict(check), command=name, default=True, preview=False)


def _table(rows: list[_Row]) -> str:
    width = max(len(row.name) for row in rows)
    return "\n".join(
        f"{row.code}  {row.name:<{width}}  {row.severity:<7}  {row.command:<8}  {_summary(row)}"
        for row in rows
    )


def _summary(row: _Row) -> str:
    if row.default:
        return row.summary
    return f"{row.summary} ({'in preview' if row.preview else 'off unless selected'})"


def _as_json(rows: list[_Row]) -> str:
    return json.dumps([asdict(row) for row in rows], indent=2, ensure_ascii=False)
