"""`contractlint journal`."""

from __future__ import annotations

import gc
import sys
from collections.abc import Sequence
from dataclasses import replace

import click

from contractlint.cli.common import (
    Failure,
    configured_files,
    exit_code,
    failure,
    project_settings,
    report_options,
    tell,
    words,
    write,
)
from contractlint.findings import Problem
from contractlint.journal.jobs import DEFAULT_REMEMBER
from contractlint.journal.mapping import DEFAULT_LIMIT, MappingError, make_mapping
from contractlint.journal.observing import Observed, Proofs, diagnoses
from contractlint.journal.run import JournalTally, Settings, run
from contractlint.project.config import Config, ConfigError
from contractlint.project.run import load_rules
from contractlint.project.selectors import Selectors, selected_codes
from contractlint.report.journal import ANSWER_FORMATS, render_diagnoses, render_proofs
from contractlint.rules.catalog import Catalog
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
@click.option("--diagnose", is_flag=True, help="Tell what each job shows, and what to do next.")
@click.option("--verify", is_flag=True, help="Tell whether the journal proves the contract.")
@report_options
def command(
    paths: tuple[str, ...],
    select: tuple[str, ...],
    ignore: tuple[str, ...],
    config_file: str | None,
    limit: int | None,
    remember: int,
    diagnose: bool,
    verify: bool,
    output_format: str,
    output: str | None,
    exit_zero: bool,
) -> None:
    """Check the journals of workers.

    PATHS are files of JSON Lines and folders; without any, those of the settings. `-` reads
    standard input. All files are one journal, in the given order; `.gz` is unpacked.

    Exit codes: 0 clean, 1 findings (or --verify finds no proof), 2 the job could not be done.
    """
    if diagnose and verify:
        raise click.UsageError("--diagnose and --verify exclude each other")
    if (diagnose or verify) and output_format not in ANSWER_FORMATS:
        raise click.UsageError("--diagnose and --verify answer as text or json")
    config = project_settings(config_file)
    # What happened is certain, however sure a rule in preview is about code.
    selectors = Selectors(words(select), words(ignore), preview=True)
    limit = limit or (DEFAULT_LIMIT if verify and "limit" not in config.journal else 0)
    catalog = _catalog(config, selectors)
    settings = _settings(config, catalog, selectors, limit, remember)
    chosen = paths or configured_files(config, "journal", config.journal)
    # Lines are trees and die by themselves; looking for cycles among them is a waste.
    gc.set_threshold(_RARELY)
    if diagnose or verify:
        answer = _diagnosis if diagnose else _verification
        text, code = answer(chosen, settings, output_format)
        write(text, output)
        sys.exit(code)
    tally = JournalTally()
    told = (one for one in run(chosen, settings, tally) if not isinstance(one, Observed))
    tell(told, tally, config.root, output_format, output, catalog.rules)
    sys.exit(exit_code(tally, exit_zero or not tally.faults))


def _diagnosis(paths: Sequence[str], settings: Settings, output_format: str) -> tuple[str, int]:
    """Return what there is to tell, and the exit code."""
    settings = replace(settings, rules=(), observations=diagnoses())
    told = list(run(paths, settings, JournalTally()))
    seen = [one for one in told if isinstance(one, Observed)]
    problems = [one for one in told if isinstance(one, Problem)]
    return render_diagnoses(seen, problems, output_format), 2 if problems else 0


def _verification(paths: Sequence[str], settings: Settings, output_format: str) -> tuple[str, int]:
    proofs = Proofs()
    settings = replace(settings, observations=proofs.observations())
    for told in run(paths, settings, JournalTally()):
        if isinstance(told, Problem):
            raise Failure(f"{told.path}: {told.message}")
        proofs.take(told)
    answers = proofs.answers()
    return render_proofs(answers, output_format), 0 if all(answers.values()) else 1


def _catalog(config: Config, selectors: Selectors) -> Catalog:
    try:
        return load_rules(config, selectors)
    except ConfigError as error:
        raise failure(error) from None


def _settings(
    config: Config, catalog: Catalog, selectors: Selectors, limit: int, remember: int
) -> Settings:
    try:
        mapping = make_mapping(config.journal, limit)
    except MappingError as error:
        place = ("journal", *error.key)
        problem = config.problem(place, f"{'.'.join(place)}: {error}")
        raise failure(ConfigError([problem])) from None
    codes = selected_codes(catalog, config, selectors)
    checks = {rule.name: rule for rule in catalog.rules if not rule.searched}
    return Settings(mapping, compile_rules(catalog.rules, codes), checks, codes, remember)
