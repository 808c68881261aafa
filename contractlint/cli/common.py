"""What several commands need."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import click

from contractlint.findings import Problem
from contractlint.project.config import Config, ConfigError, find_root, load_config, read_config
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
        config = load_config(Path.cwd())
        catalog = load_catalog(config.rules, config.inline_rules)
    except ConfigError as error:
        raise Failure(_listed(error.problems)) from None
    if catalog.problems:
        raise Failure(_listed(catalog.problems))
    return catalog


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


def _listed(problems: tuple[Problem, ...]) -> str:
    return "\n".join(f"{one.path}:{one.line}: {one.message}" for one in problems)
