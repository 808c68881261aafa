"""`contractlint check`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import TypeVar

import click

from contractlint.cli.common import (
    default_paths,
    load_settings,
    report_options,
    start_folder,
    wants_colour,
    words,
    write,
)
from contractlint.project.config import ConfigError
from contractlint.project.run import Options, Report, check_paths, check_text
from contractlint.project.selectors import Selectors
from contractlint.report.formats import render
from contractlint.report.writer import View

Command = TypeVar("Command", bound=Callable[..., object])


def _rules_option(name: str, purpose: str) -> Callable[[Command], Command]:
    return click.option(name, metavar="RULES", multiple=True, help=purpose)


@click.command("check")
@click.argument("paths", nargs=-1, type=click.Path())
@_rules_option("--select", "Run these rules only: codes, prefixes, names or ALL.")
@_rules_option("--ignore", "Leave these rules out.")
@_rules_option("--extend-select", "Run these rules as well.")
@click.option("--preview", is_flag=True, help="Let rules in preview take part in the selection.")
@click.option("--config", "config_file", type=click.Path(), help="Use this file's settings.")
@click.option("--isolated", is_flag=True, help="Use no settings file.")
@click.option("--jobs", type=click.IntRange(min=1), help="Processes.  [default: processors]")
@click.option("--no-cache", is_flag=True, help="Neither read nor write the cache.")
@click.option("--stdin-filename", help="What to call the source given as `-`.")
@click.option("--list-handlers", is_flag=True, help="Also list the handlers that were found.")
@click.option("--statistics", is_flag=True, help="Count the findings of each rule instead.")
@report_options
@click.option("--quiet", "-q", is_flag=True, help="Print findings and errors, and nothing else.")
def command(
    paths: tuple[str, ...],
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    extend_select: tuple[str, ...],
    preview: bool,
    config_file: str | None,
    isolated: bool,
    output_format: str,
    output: str | None,
    jobs: int | None,
    no_cache: bool,
    stdin_filename: str | None,
    list_handlers: bool,
    statistics: bool,
    exit_zero: bool,
    quiet: bool,
) -> None:
    """Find delivery faults in Python handlers.

    PATHS are files and folders; without any, those of the settings or the current folder. `-`
    reads one source from standard input.

    Exit codes: 0 clean, 1 findings, 2 the job could not be done.
    """
    if isolated and config_file:
        raise click.UsageError("--isolated and --config exclude each other")
    if stdin_filename and paths != ("-",):
        raise click.UsageError("--stdin-filename goes with the path `-` alone")
    if "-" in paths and len(paths) > 1:
        raise click.UsageError("`-` cannot be combined with other paths")
    selectors = Selectors(words(select), words(ignore), words(extend_select), preview)
    options = Options(selectors, jobs, use_cache=not no_cache)
    report = _check(paths, stdin_filename, config_file, isolated, options)
    view = View(wants_colour(output), quiet, list_handlers, statistics)
    write(render(report, output_format, view), output)
    sys.exit(0 if exit_zero and report.exit_code == 1 else report.exit_code)


def _check(
    paths: tuple[str, ...],
    stdin_filename: str | None,
    config_file: str | None,
    isolated: bool,
    options: Options,
) -> Report:
    named = (stdin_filename,) if stdin_filename else ()
    start = start_folder(named if paths == ("-",) else paths)
    try:
        config = load_settings(start, config_file, isolated)
    except ConfigError as error:
        return Report(problems=error.problems)
    if paths == ("-",):
        source = sys.stdin.buffer.read()
        return check_text(stdin_filename or "-", source, config, options)
    return check_paths(paths or default_paths(config), config, options)
