"""The command line of the benchmark."""

from __future__ import annotations

import json
import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from benchmarks.accuracy.cases import (
    CaseFile,
    CaseResult,
    compare,
    read_cases,
    read_false_alarms,
)
from benchmarks.accuracy.labels import LabelError, Repository, read_labels
from benchmarks.accuracy.matching import judge
from benchmarks.accuracy.report import (
    case_data,
    case_report,
    figures,
    json_report,
    judgement_stubs,
    markdown_report,
    text_report,
)
from benchmarks.accuracy.rules import chosen_codes, codes_of
from benchmarks.accuracy.runner import DEFAULT_COMMAND, Run, run_check
from benchmarks.accuracy.score import Result

FAILED = 2
"""Exit code when something could not be run: a missing checkout, a crash, a broken labels file."""

_FOLDER = click.Path(exists=True, file_okay=False, path_type=Path)


@dataclass(frozen=True)
class Options:
    """How to run the linter."""

    codes: Sequence[str]
    command: Sequence[str]
    timeout: float
    keep: Path | None

    def run(self, folder: Path, name: str) -> Run:
        keep = self.keep and self.keep / f"{name.replace('/', '+')}.json"
        return run_check(folder, self.codes, self.command, self.timeout, keep)


@click.command()
@click.argument("checkouts", required=False, type=_FOLDER)
@click.argument("labels", required=False, type=click.Path(exists=True, path_type=Path))
@click.option("--cases", type=_FOLDER, help="Folder of cases, NAME/{bad.py,good.py,case.toml}.")
@click.option("--false-alarms", type=_FOLDER, help="Folder of faultless files with an index.toml.")
@click.option("--rule", "rules", multiple=True, help="Count only this code or rule (repeatable).")
@click.option("--repo", "repos", multiple=True, help="Only repositories whose name has this in it.")
@click.option("--json", "form", flag_value="json", help="Print everything as JSON.")
@click.option("--markdown", "form", flag_value="markdown", help="Print the tables as Markdown.")
@click.option("--figures", "form", flag_value="figures", help="Print rules/accuracy.toml.")
@click.option("--stubs", "form", flag_value="stubs", help="Print judgements to fill in.")
@click.option("--keep", type=_FOLDER, help="Write the linter's JSON of every run into this folder.")
@click.option("--timeout", default=900.0, show_default=True, help="Seconds for one repository.")
@click.option("--command", "command", help="Command line of the linter, instead of this Python's.")
def main(
    checkouts: Path | None,
    labels: Path | None,
    cases: Path | None,
    false_alarms: Path | None,
    rules: tuple[str, ...],
    repos: tuple[str, ...],
    form: str | None,
    keep: Path | None,
    timeout: float,
    command: str | None,
) -> None:
    """Measure contractlint on labelled handlers.

    CHECKOUTS holds the repositories, each at its labelled commit, as OWNER+NAME, OWNER/NAME or
    NAME. LABELS is the labels file, or a folder of them.
    """
    _check_usage(checkouts, labels, cases or false_alarms, rules)
    words = tuple(shlex.split(command)) if command else DEFAULT_COMMAND
    options = Options(chosen_codes(rules), words, timeout, keep)
    try:
        repositories = _chosen(read_labels(labels), repos) if labels else []
        small = [
            (folder, read(folder))
            for folder, read in ((cases, read_cases), (false_alarms, read_false_alarms))
            if folder is not None
        ]
    except LabelError as error:
        raise click.ClickException(str(error)) from error
    results, failures = _run_repositories(repositories, checkouts, options)
    case_results, case_failures = _run_cases(small, options)
    _print(form, results, case_results, options.codes)
    for failure in failures + case_failures:
        click.echo(failure, err=True)
    sys.exit(FAILED if failures or case_failures else 0)


def _check_usage(
    checkouts: Path | None, labels: Path | None, folder: Path | None, rules: Sequence[str]
) -> None:
    if (checkouts is None) != (labels is None) or (checkouts is None and folder is None):
        raise click.UsageError("give CHECKOUTS and LABELS, or --cases or --false-alarms")
    unknown = [rule for rule in rules if not codes_of(rule)]
    if unknown:
        raise click.UsageError(f"not a counted rule: {', '.join(unknown)}")


def _chosen(repositories: Sequence[Repository], names: Sequence[str]) -> list[Repository]:
    return [one for one in repositories if not names or any(name in one.name for name in names)]


def _run_repositories(
    repositories: Sequence[Repository], checkouts: Path | None, options: Options
) -> tuple[list[Result], list[str]]:
    """Measure every repository that is there; one without a checkout is a failure, not a miss."""
    results: list[Result] = []
    failures: list[str] = []
    for repository in repositories:
        folder = find_checkout(checkouts, repository.name) if checkouts else None
        if folder is None:
            failures.append(f"{repository.name}: no checkout")
            continue
        click.echo(f"checking {repository.name}", err=True)
        run = options.run(folder, repository.name)
        judgement = judge(repository, run.findings, run.handlers, options.codes)
        results.append(Result(repository, run, judgement))
        if run.failure:
            failures.append(f"{repository.name}: {run.failure}")
    return results, failures


def find_checkout(checkouts: Path, name: str) -> Path | None:
    """Return the folder of a repository, None when there is none."""
    for candidate in (name.replace("/", "+"), name, name.rsplit("/", 1)[-1]):
        if (checkouts / candidate).is_dir():
            return checkouts / candidate
    return None


def _run_cases(
    folders: Sequence[tuple[Path, list[CaseFile]]], options: Options
) -> tuple[list[CaseResult], list[str]]:
    results: list[CaseResult] = []
    failures: list[str] = []
    for folder, files in folders:
        run = options.run(folder, folder.name)
        if run.failure:
            failures.append(f"{folder}: {run.failure}")
        else:
            results += compare(files, run.findings, options.codes)
    return results, failures


def _print(
    form: str | None, results: Sequence[Result], cases: Sequence[CaseResult], codes: Sequence[str]
) -> None:
    if form == "json":
        data: dict[str, Any] = json_report(results, codes) if results else {}
        document = data | ({"cases": case_data(cases)} if cases else {})
        click.echo(json.dumps(document, indent=2, ensure_ascii=False))
        return
    if form == "stubs":
        click.echo(judgement_stubs(results), nl=False)
        return
    show: Callable[[Sequence[Result], Sequence[str]], str]
    show = {"markdown": markdown_report, "figures": figures}.get(form or "", text_report)
    parts = ([show(results, codes)] if results else []) + ([case_report(cases)] if cases else [])
    click.echo("\n\n".join(parts))
