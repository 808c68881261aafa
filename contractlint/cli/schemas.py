"""`contractlint schemas`."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from typing import Any

import click

from contractlint.cli.common import (
    Failure,
    configured_files,
    exit_code,
    project_settings,
    report_options,
    tell,
)
from contractlint.messages.producer.compatibility import LEVELS
from contractlint.messages.producer.earlier import AgainstError, earlier_versions
from contractlint.messages.producer.run import Settings, run
from contractlint.messages.references import SchemaError, SchemaSet
from contractlint.messages.roles import (
    PROFILES,
    RoleError,
    Roles,
    roles_from_schema,
    roles_from_table,
)
from contractlint.messages.run import Tally
from contractlint.project.config import Config

_LEVELS = (*LEVELS, *(f"{level}-transitive" for level in LEVELS))
_DEFAULT_LEVEL = "full"


@click.command("schemas")
@click.argument("paths", nargs=-1, type=click.Path())
@click.option(
    "--against",
    multiple=True,
    metavar="GITREF|FILE|DIR",
    help="Earlier version to compare with; several go from old to new.",
)
@click.option("--level", type=click.Choice(_LEVELS), help=f"  [default: {_DEFAULT_LEVEL}]")
@click.option(
    "--tolerant/--strict",
    default=True,
    show_default=True,
    help="Trust writers to write declared members only, or expect what their schema accepts.",
)
@click.option("--profile", type=click.Choice(sorted(PROFILES)), help="Envelope to conform to.")
@report_options
def command(
    paths: tuple[str, ...],
    against: tuple[str, ...],
    level: str | None,
    tolerant: bool,
    profile: str | None,
    output_format: str,
    output: str | None,
    exit_zero: bool,
) -> None:
    """Check a producer's message schemas.

    PATHS are JSON Schema, AsyncAPI and OpenAPI 3.1 documents (JSON or YAML), and folders; without
    any, those of the settings.

    Exit codes: 0 clean, 1 findings, 2 the job could not be done.
    """
    config = project_settings()
    roles = _roles(config, profile)
    chosen = _level(level or config.schemas.get("level", _DEFAULT_LEVEL))
    settings = Settings(config.root.resolve(), roles, chosen, tolerant)
    earlier = against or _listed(config.schemas, "against")
    chosen_paths = paths or configured_files(config, "schemas", config.schemas)
    tally = Tally(noun="schema")
    try:
        with earlier_versions(earlier, settings.root, chosen_paths) as versions:
            events = run(chosen_paths, settings, versions, tally)
            tell(events, tally, config.root, output_format, output)
    except AgainstError as error:
        raise Failure(f"--against: {error}") from None
    if output_format == "text" and not roles.pointers and not tally.findings:
        click.echo("no roles are configured: conformance was checked by annotations only", err=True)
    sys.exit(exit_code(tally, exit_zero))


def _roles(config: Config, profile: str | None) -> Roles:
    """Return the roles of the profile, or else of the settings: their table, then their schema."""
    try:
        if profile:
            return _annotated(config, PROFILES[profile])
        named = config.messages.get("profile")
        if named is not None and named not in PROFILES:
            raise Failure(f'messages.profile: there is no profile "{named}"')
        table = roles_from_table(config.messages.get("roles", {}))
        return table.over(_annotated(config, PROFILES[named])) if named else table
    except (RoleError, SchemaError) as error:
        raise Failure(str(error)) from None


def _annotated(config: Config, uri: str) -> Roles:
    return roles_from_schema(SchemaSet(config.root).contents(uri))


def _level(level: str) -> str:
    if level not in _LEVELS:
        raise Failure(f'schemas.level: there is no level "{level}"; there are {", ".join(_LEVELS)}')
    return level


def _listed(table: Mapping[str, Any], key: str) -> tuple[str, ...]:
    value = table.get(key, ())
    return (value,) if isinstance(value, str) else tuple(value)
