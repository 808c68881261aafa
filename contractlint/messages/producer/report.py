"""Verdicts and breaks, told as findings."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence

from contractlint.findings import Finding, Step, certain
from contractlint.messages.documents import Json
from contractlint.messages.producer.checks import CHECKS
from contractlint.messages.producer.compatibility import (
    Break,
    Change,
    Direction,
    Undecided,
    renamed,
)
from contractlint.messages.producer.conformance import Verdict
from contractlint.messages.producer.documents import File, MessageSchema
from contractlint.messages.producer.requirements import mentioned_values

_LONGEST_EXAMPLE = 200
_MOST_VERSIONS = 4
_WHO_REJECTS = {
    Direction.FORWARD: "old consumers reject new messages",
    Direction.BACKWARD: "new consumers reject messages that are already stored or on their way",
}
_WHO_IS_UNSURE = {
    Direction.FORWARD: "whether old consumers accept every new message",
    Direction.BACKWARD: "whether new consumers accept every earlier message",
}


def finding(
    rule: str,
    schema: MessageSchema,
    pointer: str,
    message: str,
    scenario: tuple[Step, ...] = (),
) -> Finding:
    """Return a finding of `rule` at `pointer` of the document that holds `schema`."""
    place = schema.file.document.place(pointer)
    return certain(
        CHECKS[rule],
        schema.file.shown,
        place.line,
        message,
        column=place.column,
        end_column=place.column + 1,
        handler=schema.name,
        pointer=pointer,
        scenario=scenario,
    )


def conformance_finding(schema: MessageSchema, verdict: Verdict) -> Finding:
    """Return what a broken or undecided requirement means for the schema."""
    rule, pointer = verdict.requirement.rule, verdict.requirement.pointer
    if verdict.answer.found:
        text = f"{CHECKS[rule].summary}, for example {example(verdict.answer.value)}"
        return finding(rule, schema, pointer, text)
    text = f"{CHECKS[rule].summary}? This could not be decided{_doubtful(verdict.answer.doubts)}"
    return finding("conformance-undecided", schema, pointer, text)


def undecided_finding(schema: MessageSchema, undecided: Undecided, before: File) -> Finding:
    """Return that one direction of a change could not be decided."""
    unsure = _WHO_IS_UNSURE[undecided.direction]
    text = f"{unsure} of {before.shown} could not be decided{_doubtful(undecided.places)}"
    return finding("compatibility-undecided", schema, schema.pointer, text)


def _doubtful(doubts: Sequence[str]) -> str:
    places = [doubt for doubt in doubts if doubt.startswith("/")]
    return f"; look at {', '.join(places[:3])}" if places else ""


def example(value: Json) -> str:
    """Return a message as JSON, cut when it is long."""
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= _LONGEST_EXAMPLE else f"{text[:_LONGEST_EXAMPLE]}…"


def change_findings(change: Change, found: Sequence[Break]) -> Iterator[Finding]:
    """Yield one finding for each changed place, whatever the directions it breaks."""
    told: set[int] = set()
    for one in found:
        if id(one) in told:
            continue
        partner = renamed(one, found)
        together = [other for other in found if other.pointer == one.pointer or other is partner]
        told |= set(map(id, together))
        yield _change_finding(change, one, together, partner)


def _change_finding(
    change: Change, one: Break, together: Iterable[Break], partner: Break | None
) -> Finding:
    name = f'"{one.missing}" was renamed to "{partner.missing}"; ' if partner else ""
    who = "; ".join(_sentence(part) for part in together)
    before = change.before.schema.file
    place = before.document.place(one.pointer)
    seen = Step(before.shown, place.line, "schema", f"the earlier version, {before.shown}")
    text = f"{name}{who}; {_version_says(change)}"
    return finding(
        "breaking-change-without-version-bump", change.after.schema, one.pointer, text, (seen,)
    )


def _sentence(part: Break) -> str:
    return f"{_WHO_REJECTS[part.direction]} such as {example(part.message)} ({part.reason})"


def _version_says(change: Change) -> str:
    known = mentioned_values(change.after.node, change.version) if change.version else []
    if not known:
        return "no field of the schema pins its version"
    listed = list(dict.fromkeys(example(value) for value in known[:_MOST_VERSIONS]))
    more = [f"{len(known) - _MOST_VERSIONS} others"] if len(known) > _MOST_VERSIONS else []
    return f"the schema version is still {' or '.join(listed + more)}"
