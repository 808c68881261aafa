"""`contractlint messages`."""

from __future__ import annotations

import gc
import sys
from pathlib import Path

import click

from contractlint.cli.common import (
    Failure,
    configured_files,
    exit_code,
    project_settings,
    report_options,
    tell,
)
from contractlint.messages.run import Tally, run
from contractlint.messages.settings import (
    DEFAULT_REMEMBER,
    Settings,
    SettingsError,
    Wishes,
    make_settings,
)
from contractlint.project.config import Config

_RARELY = 100_000


@click.command("messages")
@click.argument("paths", nargs=-1, type=click.Path())
@click.option("--schema", type=click.Path(path_type=Path), help="JSON Schema of the messages.")
@click.option("--profile", help="Built-in form: contractlint or cloudevents.")
@click.option(
    "--reference",
    "references",
    type=click.Path(path_type=Path),
    multiple=True,
    help="Another schema that --schema refers to by its $id.",
)
@click.option("--stream", is_flag=True, help="Decide about every message as a consumer would.")
@click.option("--partial", is_flag=True, help="The stream is cut out of a longer one.")
@click.option("--last", multiple=True, metavar="KEY=NUMBER", help="Last number applied for a key.")
@click.option("--known-version", multiple=True, help="A payload version the consumer knows.")
@click.option("--reason", multiple=True, help="A reason that may be compensated.")
@click.option(
    "--remember",
    type=click.IntRange(min=1),
    default=DEFAULT_REMEMBER,
    show_default=True,
    help="How many ids and keys to remember at least.",
)
@report_options
def command(
    paths: tuple[str, ...],
    schema: Path | None,
    profile: str | None,
    references: tuple[Path, ...],
    stream: bool,
    partial: bool,
    last: tuple[str, ...],
    known_version: tuple[str, ...],
    reason: tuple[str, ...],
    remember: int,
    output_format: str,
    output: str | None,
    exit_zero: bool,
) -> None:
    """Check messages and event streams.

    PATHS are files (JSON, JSON Lines, YAML) and folders; without any, those of the settings. `-`
    reads standard input. Each file is one stream.

    Exit codes: 0 clean, 1 findings, 2 the job could not be done.
    """
    wishes = Wishes(
        schema=schema,
        profile=profile or "",
        references=references,
        versions=known_version,
        reasons=reason,
        stream=stream,
        starts_at_first=partial,
        last=dict(_last_number(text) for text in last),
        remember=remember,
    )
    config = project_settings()
    settings = _settings(config, wishes)
    tally = Tally()
    # Messages are trees and die by themselves; looking for cycles among them is a waste.
    gc.set_threshold(_RARELY)
    chosen = paths or configured_files(config, "messages", config.messages)
    tell(run(chosen, settings, tally), tally, config.root, output_format, output)
    sys.exit(exit_code(tally, exit_zero))


def _settings(config: Config, wishes: Wishes) -> Settings:
    try:
        return make_settings(config.root, config.messages, wishes)
    except SettingsError as error:
        problem = error.problem
        place = f"{problem.path}:{problem.line}: " if problem.path else ""
        raise Failure(place + problem.message) from None


def _last_number(text: str) -> tuple[str, int]:
    key, _, number = text.rpartition("=")
    if not key or not number.isdecimal():
        raise click.UsageError(f"--last wants KEY=NUMBER, not {text}")
    return key, int(number)
