"""`contractlint handlers`."""

from __future__ import annotations

import sys

import click

from contractlint.cli.common import default_paths, load_settings, start_folder, wants_colour, write
from contractlint.project.config import ConfigError
from contractlint.project.run import Options, Report, check_paths
from contractlint.report.handlers import FORMATS, HandlersView, render


@click.command("handlers")
@click.argument("paths", nargs=-1, type=click.Path())
@click.option("--crash", is_flag=True, help="Also tell what happens when the worker dies.")
@click.option("--format", "output_format", type=click.Choice(FORMATS), default="text")
@click.option("--output", type=click.Path(), help="Write to this file.")
@click.option("--config", "config_file", type=click.Path(), help="Use this file's settings.")
@click.option("--isolated", is_flag=True, help="Use no settings file.")
@click.option("--jobs", type=click.IntRange(min=1), help="Processes.  [default: processors]")
def command(
    paths: tuple[str, ...],
    crash: bool,
    output_format: str,
    output: str | None,
    config_file: str | None,
    isolated: bool,
    jobs: int | None,
) -> None:
    """List the handlers, and what happens if the worker dies right here.

    PATHS are files and folders; without any, those of the settings or the current folder. HTML
    always holds the crash tables.

    Exit codes: 0 done, 2 something could not be read.
    """
    if isolated and config_file:
        raise click.UsageError("--isolated and --config exclude each other")
    report = _report(paths, config_file, isolated, Options(jobs=jobs, cards=True))
    write(render(report, output_format, HandlersView(crash, wants_colour(output))), output)
    sys.exit(2 if report.problems else 0)


def _report(
    paths: tuple[str, ...], config_file: str | None, isolated: bool, options: Options
) -> Report:
    try:
        config = load_settings(start_folder(paths), config_file, isolated)
    except ConfigError as error:
        return Report(problems=error.problems)
    return check_paths(paths or default_paths(config), config, options)
