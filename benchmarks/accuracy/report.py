"""Prints results: text for reading, JSON for programs, Markdown for the documentation."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from benchmarks.accuracy.cases import CaseResult
from benchmarks.accuracy.matching import Verdict
from benchmarks.accuracy.rules import family_of
from benchmarks.accuracy.score import (
    Result,
    Tally,
    disagreements,
    tally_codes,
    tally_rules,
    total,
)

_RULE_HEADER = (
    "rule", "labelled", "found", "missed", "recall", "recall (high)",
    "true", "false", "precision", "precision (high)", "unjudged",
)  # fmt: skip


def text_report(results: Sequence[Result], codes: Sequence[str]) -> str:
    """Return tables in columns, then every disagreement."""
    parts = [
        columns(rule_table(results, codes)),
        columns(code_table(results, codes)),
        handlers_line(results),
        columns(repository_table(results)),
        "\n".join(map(str, disagreements(results))),
    ]
    return "\n\n".join(part for part in parts if part)


def markdown_report(results: Sequence[Result], codes: Sequence[str]) -> str:
    """Return the tables of the documentation, without disagreements."""
    tables = (rule_table(results, codes), code_table(results, codes))
    parts = [*map(markdown, tables), handlers_line(results), markdown(repository_table(results))]
    return "\n\n".join(parts)


def json_report(results: Sequence[Result], codes: Sequence[str]) -> dict[str, Any]:
    """Return everything as plain data."""
    everything, high = tally_rules(results, codes), tally_rules(results, codes, "high")
    return {
        "rules": {name: _counts(tally) for name, tally in everything.items()},
        "rules_high_confidence": {name: _counts(tally) for name, tally in high.items()},
        "codes": {name: _counts(tally) for name, tally in tally_codes(results, codes).items()},
        "handlers": {"labelled": _labelled(results), "discovered": _discovered(results)},
        "repositories": [_repository(result) for result in results],
        "disagreements": [asdict(line) for line in disagreements(results)],
    }


def figures(results: Sequence[Result], codes: Sequence[str]) -> str:
    """Return the counts of each code as TOML; `labelled` and `found` are those of its family."""
    by_code, by_family = tally_codes(results, codes), tally_rules(results, codes)
    lines = ["# Written by `python -m benchmarks.accuracy CHECKOUTS LABELS --figures`."]
    for code, tally in by_code.items():
        family = by_family[family_of(code)]
        counts = {"true": tally.true, "false": tally.false}
        counts |= {"labelled": family.labelled, "found": family.found}
        row = ", ".join(f"{name} = {count}" for name, count in counts.items())
        lines.append(f"{code} = {{ {row} }}")
    return "\n".join(lines)


def case_report(results: Sequence[CaseResult]) -> str:
    """Return one line for each case file with something to say, then the sums."""
    lines = [line for result in results for line in _case_lines(result)]
    found = sum(len(result.found) for result in results)
    missed = sum(len(result.missed) for result in results)
    false = sum(len(result.false) for result in results)
    lines.append(f"{len(results)} files: {found} found, {missed} missed, {false} false")
    return "\n".join(lines)


def case_data(results: Sequence[CaseResult]) -> list[dict[str, Any]]:
    """Return the cases as plain data."""
    return [
        {
            "path": result.file.path,
            "found": [asdict(expected) for expected in result.found],
            "missed": [asdict(expected) for expected in result.missed],
            "false": [
                {"code": finding.code, "line": finding.line, "message": finding.message}
                for finding in result.false
            ],
        }
        for result in results
    ]


def judgement_stubs(results: Sequence[Result]) -> str:
    """Return a `judged` table for every unjudged finding, to be filled in by hand."""
    return "\n".join(
        f"# {result.repository.name}: {ruling.finding.message}\n"
        "[[repository.judged]]\n"
        f'finding = "{ruling.finding.code}@{ruling.finding.path}:{ruling.finding.line}"\n'
        'verdict = ""\nreason = ""\n'
        for result in results
        for ruling in result.judgement.rulings
        if ruling.verdict is Verdict.UNJUDGED
    )


Table = list[tuple[str, ...]]


def rule_table(results: Sequence[Result], codes: Sequence[str]) -> Table:
    """Return a row for each rule family, and their sum."""
    everything, high = tally_rules(results, codes), tally_rules(results, codes, "high")
    rows = [_rule_row(name, everything[name], high[name]) for name in everything]
    rows.append(_rule_row("all", total(everything.values()), total(high.values())))
    return [_RULE_HEADER, *rows]


def code_table(results: Sequence[Result], codes: Sequence[str]) -> Table:
    """Return a row for each code."""
    rows = [
        (code, str(tally.true), str(tally.false), percent(tally.precision), str(tally.unjudged))
        for code, tally in tally_codes(results, codes).items()
    ]
    return [("code", "true", "false", "precision", "unjudged"), *rows]


def repository_table(results: Sequence[Result]) -> Table:
    """Return a row for each repository."""
    header = ("repository", "commit", "files", "handlers", "seconds", "peak MiB", "errors")
    return [header, *(_repository_row(result) for result in results)]


def handlers_line(results: Sequence[Result]) -> str:
    """Return how many labelled handlers were seen; the text names those that were not."""
    labelled, discovered = _labelled(results), _discovered(results)
    share = percent(discovered / labelled if labelled else None)
    lines = [f"handlers discovered: {discovered} of {labelled} ({share})"]
    lines += [
        f"  not discovered: {result.repository.name} {handler.place} "
        f"{handler.name} ({handler.library})"
        for result in results
        for handler in result.judgement.unseen
    ]
    return "\n".join(lines)


def columns(table: Table) -> str:
    """Align a table with spaces, text to the left and figures to the right."""
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    return "\n".join(_aligned(row, widths) for row in table)


def markdown(table: Table) -> str:
    """Return a table as Markdown."""
    header, *rows = table
    rule = ("---", *("---:" for _ in header[1:]))
    return "\n".join("| " + " | ".join(row) + " |" for row in (header, rule, *rows))


def percent(share: float | None) -> str:
    """Return a share in per cent, a dash where nothing was counted."""
    return "–" if share is None else f"{100 * share:.1f}%"


def _aligned(row: Sequence[str], widths: Sequence[int]) -> str:
    first, *rest = (
        cell.ljust(width) if place == 0 else cell.rjust(width)
        for place, (cell, width) in enumerate(zip(row, widths, strict=True))
    )
    return "  ".join((first, *rest)).rstrip()


def _rule_row(name: str, everything: Tally, high: Tally) -> tuple[str, ...]:
    return (
        name,
        str(everything.labelled),
        str(everything.found),
        str(everything.missed),
        percent(everything.recall),
        percent(high.recall),
        str(everything.true),
        str(everything.false),
        percent(everything.precision),
        percent(high.precision),
        str(everything.unjudged),
    )


def _repository_row(result: Result) -> tuple[str, ...]:
    run, judgement = result.run, result.judgement
    seen = len(judgement.seen)
    return (
        result.repository.name,
        result.repository.commit[:12],
        str(run.files),
        f"{seen}/{seen + len(judgement.unseen)}",
        f"{run.seconds:.1f}",
        "–" if run.peak_mib is None else f"{run.peak_mib:.0f}",
        "failed" if run.failure else str(len(run.errors)),
    )


def _repository(result: Result) -> dict[str, Any]:
    run = result.run
    return {
        "name": result.repository.name,
        "commit": result.repository.commit,
        "files": run.files,
        "seconds": round(run.seconds, 3),
        "peak_mib": run.peak_mib and round(run.peak_mib, 1),
        "errors": list(run.errors),
        "failure": run.failure,
        "handlers": len(result.repository.handlers),
        "not_discovered": [f"{h.place} {h.name}" for h in result.judgement.unseen],
    }


def _counts(tally: Tally) -> Mapping[str, Any]:
    return {
        **asdict(tally),
        "missed": tally.missed,
        "recall": tally.recall,
        "precision": tally.precision,
    }


def _case_lines(result: CaseResult) -> Iterator[str]:
    path = result.file.path
    for expected in result.found:
        yield f"{path}:{expected.lines[0]} {expected.rule} found"
    for expected in result.missed:
        yield f"{path}:{expected.lines[0]} {expected.rule} MISSED"
    for finding in result.false:
        yield f"{path}:{finding.line} {finding.code} FALSE {finding.message}"


def _labelled(results: Iterable[Result]) -> int:
    return sum(len(result.repository.handlers) for result in results)


def _discovered(results: Iterable[Result]) -> int:
    return sum(len(result.judgement.seen) for result in results)
