"""`contractlint journal`."""

from __future__ import annotations

import gc
import sys

import click

from contractlint.cli.common import (
    configured_files,
    exit_code,
    failure,
    project_settings,
    tell,
    words,
)
from contractlint.journal.jobs import DEFAULT_REMEMBER
from contractlint.journal.mapping import MappingError, make_mapping
from contractlint.journal.run import JournalTally, Settings, run
from contractlint.project.config import Config, ConfigError
from contractlint.project.run import load_rules
from contractlint.project.selectors import Selectors, selected_codes
from contractlint.report.formats import FORMATS
from contractlint.rules.findings import compile_rules

_RARELY = 100_000


@click.command("journal")
@click.argument("paths", nargs=-1, type=click.Path())
@click.option("--select", metavar="RULES", multiple=True, help="Run these rules only.")
@click.option("--ignore", metavar="RULES", multiple=True, help="Leave these rules out.")
@click.option("--config", "config_file", type=click.Path(), help="Use this file's settings.")
@click.option("--limit", type=click.IntRange(min=1), help="The limit of attempts.")
@click.option(
    "--remember",
    type=click.IntRange(min=1),
    default=DEFAULT_REMEMBER,
    show_default=True,
    help="How many closed jobs to remember at least.",
)
@click.option("--output-format", type=click.Choice(FORMATS), default="text", show_default=True)
@click.option("--output", type=click.Path(), help="Write the report to this file.")
@click.option("--exit-zero", is_flag=True, help="Exit with 0 even when there are findings.")
def command(
    paths: tuple[str, ...],
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    config_file: str | None,
    limit: int | None,
    remember: int,
    output_format: str,
    output: str | None,
    exit_zero: bool,
) -> None:
    """Check the journals of workers.

    PATHS are files of JSON Lines and folders; without any, those of the settings. `-` reads
    standard input. All files are one journal, in the given order; `.gz` is unpacked.

    Exit codes: 0 clean, 1 findings, 2 the job could not be done.
    """
    config = project_settings(config_file)
    # What happened is certain, however sure a rule in preview is about code.
    selectors = Selectors(words(select), words(ignore), preview=True)
    settings = _settings(config, selectors, limit or 0, remember)
    tally = JournalTally()
    # Lines are trees and die by themselves; looking for cycles among them is a waste.
    gc.set_threshold(_RARELY)
    chosen = paths or configured_files(config, "journal", config.journal)
    tell(run(chosen, settings, tally), tally, config.root, output_format, output)
    sys.exit(exit_code(tally, exit_zero or not tally.faults))


def _settings(config: Config, selectors: Selectors, limit: int, remember: int) -> Settings:
    try:
        mapping = make_mapping(config.journal, limit)
        catalog = load_rules(config, selectors)
    except MappingError as error:
        place = ("journal", *error.key)
        problem = config.problem(place, f"{'.'.join(place)}: {error}")
        raise failure(ConfigError([problem])) from None
    except ConfigError as error:
        raise failure(error) from None
    codes = selected_codes(catalog, config, selectors)
    checks = {rule.name: rule for rule in catalog.rules if not rule.searched}
    return Settings(mapping, compile_rules(catalog.rules, codes), checks, codes, remember)
