"""What several commands need."""

from __future__ import annotations

from pathlib import Path

import click

from contractlint.findings import Problem
from contractlint.project.config import ConfigError, load_config
from contractlint.rules.catalog import Catalog, load_catalog


class Failure(click.ClickException):
    """The command could not do its job; nothing is known of what it should have checked."""

    exit_code = 2


def project_catalog() -> Catalog:
    """Return the rules of this project: the bundled ones and its own.

    Raises:
        Failure: the project's settings or rule files are broken.
    """
    try:
        catalog = load_catalog(load_config(Path.cwd()).rules)
    except ConfigError as error:
        raise Failure(_listed(error.problems)) from None
    if catalog.problems:
        raise Failure(_listed(catalog.problems))
    return catalog


def _listed(problems: tuple[Problem, ...]) -> str:
    return "\n".join(f"{one.path}:{one.line}: {one.message}" for one in problems)
