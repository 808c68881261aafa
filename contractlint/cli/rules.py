"""`contractlint rules`."""

from __future__ import annotations

import json

import click

from contractlint.cli.common import project_catalog
from contractlint.rules.catalog import Rule


@click.command("rules")
@click.option(
    "--output-format", type=click.Choice(["text", "json"]), default="text", show_default=True
)
def command(output_format: str) -> None:
    """List the rules."""
    rules = project_catalog().rules
    click.echo(_as_json(rules) if output_format == "json" else _table(rules))


def _table(rules: tuple[Rule, ...]) -> str:
    width = max(len(rule.name) for rule in rules)
    return "\n".join(
        f"{rule.code}  {rule.name:<{width}}  {rule.severity:<7}  {_summary(rule)}" for rule in rules
    )


def _summary(rule: Rule) -> str:
    return rule.headline if rule.default else f"{rule.headline} (off unless selected)"


def _as_json(rules: tuple[Rule, ...]) -> str:
    listed = [
        {
            "code": rule.code,
            "name": rule.name,
            "severity": rule.severity,
            "default": rule.default,
            "summary": rule.headline,
            "why": rule.why.strip(),
            "fix": rule.fix.strip(),
        }
        for rule in rules
    ]
    return json.dumps(listed, indent=2, ensure_ascii=False)
