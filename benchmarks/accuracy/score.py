"""Counts per rule, and every disagreement as a line to read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from benchmarks.accuracy.labels import Handler, Label, Repository
from benchmarks.accuracy.matching import Judgement, Ruling, Verdict
from benchmarks.accuracy.rules import FAMILIES
from benchmarks.accuracy.runner import Run


@dataclass(frozen=True)
class Result:
    """One repository of the benchmark: what is known of it, how the run went, how it compares."""

    repository: Repository
    run: Run
    judgement: Judgement


@dataclass(frozen=True)
class Tally:
    """Counts of one rule. Findings on one label are one true finding; false ones count each."""

    labelled: int = 0
    found: int = 0
    true: int = 0
    false: int = 0
    accepted: int = 0
    unjudged: int = 0

    @property
    def missed(self) -> int:
        return self.labelled - self.found

    @property
    def recall(self) -> float | None:
        return self.found / self.labelled if self.labelled else None

    @property
    def precision(self) -> float | None:
        judged = self.true + self.false
        return self.true / judged if judged else None


@dataclass(frozen=True)
class Disagreement:
    """A fault not found, a finding known to be wrong, or one that nobody has judged."""

    repository: str
    path: str
    line: int
    rule: str
    kind: str
    message: str

    def __str__(self) -> str:
        place = f"{self.path}:{self.line}"
        return f"{self.repository} {place} {self.rule} {self.kind} {self.message}"


def tally_rules(
    results: Sequence[Result], codes: Sequence[str], confidence: str = ""
) -> dict[str, Tally]:
    """Count each rule family that has one of these codes; of one confidence only, if given."""
    chosen = {name: [c for c in own if c in codes] for name, own in FAMILIES.items()}
    return {name: _tally(results, own, confidence) for name, own in chosen.items() if own}


def tally_codes(results: Sequence[Result], codes: Sequence[str]) -> dict[str, Tally]:
    """Count findings by code. Labels name families, so nothing can be said of missed ones."""
    tallies = {code: _tally(results, [code]) for code in codes}
    return {code: replace(tally, labelled=0, found=0) for code, tally in tallies.items()}


def total(tallies: Iterable[Tally]) -> Tally:
    """Add tallies up."""
    columns = [(t.labelled, t.found, t.true, t.false, t.accepted, t.unjudged) for t in tallies]
    return Tally(*(sum(column) for column in zip(*columns, strict=True)))


def _tally(results: Sequence[Result], codes: Sequence[str], confidence: str = "") -> Tally:
    def counts(label: Label) -> bool:
        return confidence in ("", label.confidence)

    def wanted(label: Label) -> bool:
        return counts(label) and not set(codes).isdisjoint(label.codes)

    rulings = [
        (result.repository.name, ruling)
        for result in results
        for ruling in result.judgement.rulings
        if ruling.finding.code in codes and (ruling.label is None or counts(ruling.label))
    ]
    verdicts = Counter(ruling.verdict for _, ruling in rulings)
    found = sum(wanted(label) for result in results for label in result.judgement.found)
    missed = sum(wanted(label) for result in results for label in result.judgement.missed)
    return Tally(
        labelled=found + missed,
        found=found,
        true=len({(name, ruling.label) for name, ruling in rulings if ruling.verdict.is_true}),
        false=sum(count for verdict, count in verdicts.items() if verdict.is_false),
        accepted=verdicts[Verdict.ACCEPTED],
        unjudged=verdicts[Verdict.UNJUDGED],
    )


def disagreements(results: Iterable[Result]) -> list[Disagreement]:
    """List every disagreement, by repository and place."""
    lines = [
        line for result in results for line in (*_missed_lines(result), *_finding_lines(result))
    ]
    return sorted(lines, key=lambda line: (line.repository, line.path, line.line, line.rule))


def _missed_lines(result: Result) -> Iterable[Disagreement]:
    for label in result.judgement.missed:
        handler = next(one for one in result.repository.handlers if _owns(one, label))
        text = f"{label.confidence}, {handler.library}, {handler.name}"
        yield Disagreement(
            repository=result.repository.name,
            path=label.place.path,
            line=label.place.line,
            rule=label.rule,
            kind="MISSED",
            message=f"({text}) {handler.note}".rstrip(),
        )


def _finding_lines(result: Result) -> Iterable[Disagreement]:
    for ruling in result.judgement.rulings:
        finding, verdict = ruling.finding, ruling.verdict
        if not (verdict.is_false or verdict is Verdict.UNJUDGED):
            continue
        yield Disagreement(
            repository=result.repository.name,
            path=finding.path,
            line=finding.line,
            rule=finding.code,
            kind="FALSE" if verdict.is_false else "UNJUDGED",
            message=finding.message + _because(ruling),
        )


def _because(ruling: Ruling) -> str:
    if ruling.label is None:
        return ""
    label = ruling.label
    return f" [{ruling.verdict.value}: {label.reason or f'{label.rule}@{label.place}'}]"


def _owns(handler: Handler, label: Label) -> bool:
    return any((own.rule, own.places) == (label.rule, label.places) for own in handler.faults)
