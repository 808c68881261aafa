"""What several commands need."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from io import TextIOWrapper
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import click

from contractlint.findings import Finding, Problem
from contractlint.project.config import Config, ConfigError, find_root, load_config, read_config
from contractlint.project.paths import shown_path
from contractlint.report.formats import FORMATS
from contractlint.rules.catalog import Catalog, Rule, load_catalog

if TYPE_CHECKING:
    from contractlint.messages.run import Event, Tally


class Failure(click.ClickException):
    """The command could not do its job; nothing is known of what it should have checked."""

    exit_code = 2


def failure(error: ConfigError) -> Failure:
    """Return what to raise for settings that cannot be used."""
    return Failure(_listed(error.problems))


def project_catalog() -> Catalog:
    """Return the rules of this project: the bundled ones and its own.

    Raises:
        Failure: the project's settings or rule files are broken.
    """
    try:
        config = load_config(Path.cwd())
        catalog = load_catalog(config.rules, config.inline_rules)
    except ConfigError as error:
        raise failure(error) from None
    if catalog.problems:
        raise Failure(_listed(catalog.problems))
    return catalog


def project_settings(config_file: str | None = None) -> Config:
    """Return the settings that hold for the current folder, or those of a given file.

    Raises:
        Failure: they are broken.
    """
    try:
        return load_settings(Path.cwd(), config_file, isolated=False)
    except ConfigError as error:
        raise failure(error) from None


def report_options(command: Callable[..., None]) -> Callable[..., None]:
    """Add the options of every command that reports findings."""
    formats = click.Choice(FORMATS)
    for option in (
        click.option("--exit-zero", is_flag=True, help="Exit with 0 even when there are findings."),
        click.option("--output", type=click.Path(), help="Write the report to this file."),
        click.option("--output-format", type=formats, default="text", show_default=True),
    ):
        command = option(command)
    return command


def start_folder(paths: tuple[str, ...]) -> Path:
    """Return the folder from which the settings are looked for: the one all paths share."""
    if not paths:
        return Path.cwd()
    try:
        return Path(os.path.commonpath([os.path.abspath(path) for path in paths]))
    except ValueError:
        return Path.cwd()


def load_settings(start: Path, config_file: str | None, isolated: bool) -> Config:
    """Return the settings that hold for `start`, those of a given file, or none.

    Raises:
        ConfigError: they are broken.
    """
    if isolated:
        return Config(root=find_root(start))
    if config_file:
        return read_config(Path(config_file), root=Path.cwd())
    return load_config(start)


def default_paths(config: Config) -> tuple[str, ...]:
    """Return the paths of the settings, relative to their file, or the current folder."""
    if config.paths is None:
        return (".",)
    return tuple(str(config.root / path) for path in config.paths)


def words(values: tuple[str, ...]) -> tuple[str, ...]:
    """Return what was given, in several options or separated by commas."""
    parts = (part.strip() for value in values for part in value.split(","))
    return tuple(part for part in parts if part)


def wants_colour(output: str | None) -> bool:
    """Does a person look at a terminal?"""
    return output is None and not os.environ.get("NO_COLOR") and sys.stdout.isatty()


def write(text: str, output: str | None) -> None:
    """Write a report to the file `output`, or to standard output.

    Raises:
        Failure: the file cannot be written.
    """
    if output is None:
        sys.stdout.buffer.write(text.encode("utf-8", "backslashreplace"))
        sys.stdout.flush()
        return
    try:
        Path(output).write_text(text, encoding="utf-8", errors="backslashreplace")
    except OSError as error:
        raise Failure(f"{output} cannot be written: {error.strerror}") from None


@contextmanager
def opened_output(output: str | None) -> Iterator[IO[str]]:
    """Open the file `output`, or standard output, for a report that is written as it grows.

    Raises:
        Failure: the file cannot be written.
    """
    if output is None:
        # A report may hold what the terminal cannot show, or half a surrogate pair.
        if isinstance(sys.stdout, TextIOWrapper):
            sys.stdout.reconfigure(errors="backslashreplace")
        yield sys.stdout
        return
    try:
        with open(output, "w", encoding="utf-8", errors="backslashreplace") as out:
            yield out
    except OSError as error:
        raise Failure(f"{output} cannot be written: {error.strerror}") from None


def configured_files(config: Config, section: str, table: Mapping[str, Any]) -> list[str]:
    """Return the files that `files` in a table of the settings names, relative to here.

    Raises:
        UsageError: the table names none.
    """
    patterns = table.get("files", ())
    if not patterns:
        raise click.UsageError(f"name the files to check, or set {section}.files in the settings")
    found = {path for pattern in patterns for path in config.root.glob(pattern)}
    return [shown_path(path) for path in sorted(found) if path.is_file()]


def tell(
    events: Iterable[Event],
    tally: Tally,
    root: Path,
    output_format: str,
    output: str | None,
    rules: Sequence[Rule] = (),
) -> None:
    """Write a report while a run goes on, so that memory does not grow with what is found.

    `tally` counts what the run has seen, and is complete when `events` is at its end. `rules` are
    those of the project, if it has any.
    """
    from contractlint.project.fingerprints import Fingerprints
    from contractlint.report.formats import open_writer
    from contractlint.report.writer import Background, View

    fingerprints = Fingerprints(root)
    with opened_output(output) as out:
        writer = open_writer(
            output_format, out, View(wants_colour(output), concise=True), Background(rules=rules)
        )
        for event in events:
            if isinstance(event, Finding):
                writer.add(fingerprints.reported(event, event.pointer, event.message))
            elif isinstance(event, Problem):
                writer.add_problem(event)
            else:
                writer.add_outcome(event)
        writer.close(tally.summary)


def exit_code(tally: Tally, exit_zero: bool) -> int:
    """Return 0 for clean, 1 for findings, 2 where the job could not be done."""
    if tally.errors:
        return 2
    return 1 if tally.findings and not exit_zero else 0


def _listed(problems: tuple[Problem, ...]) -> str:
    return "\n".join(f"{one.path}:{one.line}: {one.message}" for one in problems)
