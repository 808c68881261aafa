"""`contractlint explain`."""

from __future__ import annotations

import click

from contractlint.cli.common import project_catalog
from contractlint.report.checkpage import check_page, find_checks
from contractlint.report.rulepage import rule_page


@click.command("explain")
@click.argument("rule")
def command(rule: str) -> None:
    """Print one RULE, given by its code or name: reason, fix and examples."""
    found = project_catalog().find(rule)
    pages = [rule_page(found)] if found else [check_page(*one) for one in find_checks(rule)]
    if not pages:
        raise click.UsageError(f"{rule!r} is no rule; `contractlint rules` lists them all")
    click.echo("\n".join(pages), nl=False)
