"""Says of every finding whether it is right, and of every labelled handler whether it was seen."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum

from benchmarks.accuracy.labels import Handler, Label, Place, Repository
from benchmarks.accuracy.runner import Finding, ListedHandler

HANDLER_SLACK = 3
"""Lines between a label and a listed handler: decorators may or may not be counted in."""


class Closeness(IntEnum):
    """How a finding and a labelled place meet; the closest label decides."""

    SPAN = 0
    NEXT_LINE = 1
    SCENARIO = 2


class Verdict(Enum):
    """What is known of a finding."""

    LABELLED = "labelled"
    JUDGED_TRUE = "judged true"
    ACCEPTED = "accepted"
    TEMPTING = "tempting"
    JUDGED_FALSE = "judged false"
    UNJUDGED = "unjudged"

    @property
    def is_true(self) -> bool:
        return self in (Verdict.LABELLED, Verdict.JUDGED_TRUE)

    @property
    def is_false(self) -> bool:
        return self in (Verdict.TEMPTING, Verdict.JUDGED_FALSE)


@dataclass(frozen=True)
class Ruling:
    """A finding, its verdict and the label that decided."""

    finding: Finding
    verdict: Verdict
    label: Label | None = None


@dataclass(frozen=True)
class Judgement:
    """All that is known of one repository after a run."""

    rulings: tuple[Ruling, ...]
    found: tuple[Label, ...]
    missed: tuple[Label, ...]
    seen: tuple[Handler, ...]
    unseen: tuple[Handler, ...]


def judge(
    repository: Repository,
    findings: Sequence[Finding],
    listed: Sequence[ListedHandler],
    codes: Sequence[str],
) -> Judgement:
    """Compare a run with the labels, for the findings and labels of these codes."""
    rulings = tuple(rule_on(finding, repository) for finding in findings if finding.code in codes)
    right = [ruling.finding for ruling in rulings if ruling.verdict is Verdict.LABELLED]
    faults = [label for label in repository.faults if set(label.codes) & set(codes)]
    found = [label for label in faults if any(_answers(f, label) is not None for f in right)]
    seen = [handler for handler in repository.handlers if is_listed(handler, listed)]
    return Judgement(
        rulings=rulings,
        found=tuple(found),
        missed=tuple(label for label in faults if label not in found),
        seen=tuple(seen),
        unseen=tuple(handler for handler in repository.handlers if handler not in seen),
    )


def rule_on(finding: Finding, repository: Repository) -> Ruling:
    """Return the verdict of the label that stands closest; faults win over others as close.

    Judgements name the finding itself, so they count only in its own span.
    """
    books: tuple[tuple[Verdict, Iterable[Label], Closeness], ...] = (
        (Verdict.LABELLED, repository.faults, Closeness.SCENARIO),
        (Verdict.JUDGED_TRUE, repository.judged_true, Closeness.SPAN),
        (Verdict.JUDGED_FALSE, repository.judged_false, Closeness.SPAN),
        (Verdict.ACCEPTED, repository.accepted, Closeness.SCENARIO),
        (Verdict.TEMPTING, repository.tempting, Closeness.SCENARIO),
    )
    candidates = [
        (near, order, _distance(finding, label), Ruling(finding, verdict, label))
        for order, (verdict, labels, limit) in enumerate(books)
        for label in labels
        if (near := _nearness(finding, label, verdict)) is not None and near <= limit
    ]
    if not candidates:
        return Ruling(finding, Verdict.UNJUDGED)
    return min(candidates, key=lambda candidate: candidate[:3])[3]


def _nearness(finding: Finding, label: Label, verdict: Verdict) -> Closeness | None:
    """A more exact rule answers a fault; what it says elsewhere is its own."""
    is_fault = verdict is Verdict.LABELLED
    return _answers(finding, label) if is_fault else closeness(finding, label)


def _answers(finding: Finding, label: Label) -> Closeness | None:
    return _meeting(finding, label) if finding.code in label.answers else None


def closeness(finding: Finding, label: Label) -> Closeness | None:
    """Return how this finding meets this label of its own rule, None when it does not."""
    return _meeting(finding, label) if finding.code in label.codes else None


def _meeting(finding: Finding, label: Label) -> Closeness | None:
    return min(
        (near for place in label.places if (near := _closeness(finding, place)) is not None),
        default=None,
    )


def _closeness(finding: Finding, place: Place) -> Closeness | None:
    if finding.path == place.path:
        if finding.line <= place.line <= finding.end_line:
            return Closeness.SPAN
        if finding.line - 1 <= place.line <= finding.end_line + 1:
            return Closeness.NEXT_LINE
    if (place.path, place.line) in finding.steps:
        return Closeness.SCENARIO
    return None


def _distance(finding: Finding, label: Label) -> int:
    """Return the lines between finding and label; in another file every label is equally far."""
    lines = [abs(place.line - finding.line) for place in label.places if place.path == finding.path]
    return min(lines, default=1_000_000)


def is_listed(handler: Handler, listed: Iterable[ListedHandler]) -> bool:
    """Tell whether the linter saw this handler: by line, by span, or by name in the same file."""
    name = _last_part(handler.name)
    return any(
        _near(handler.place.line, one) or (bool(name) and name == _last_part(one.name))
        for one in listed
        if one.path == handler.place.path
    )


def _near(line: int, listed: ListedHandler) -> bool:
    return abs(line - listed.line) <= HANDLER_SLACK or listed.line <= line <= listed.end_line


def _last_part(name: str) -> str:
    """Return `run` for `Worker.run`; module-level loops have no name to compare."""
    return "" if name.startswith("<") else name.rsplit(".", 1)[-1]
