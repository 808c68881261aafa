"""`--stream`: one outcome a message, and a finding for what a consumer could not accept."""

from __future__ import annotations

import json
from typing import Any

import pytest


def event(number: int, id: str = "", **more: Any) -> dict[str, Any]:
    return {
        "specversion": "1.0",
        "id": id or f"door:{number}",
        "source": "/doors",
        "type": "door.moved",
        "subject": "door",
        "orderversion": number,
        **more,
    }


def undo(number: int, version: int, reason: str, id: str) -> dict[str, Any]:
    return event(number, id, type="door.reset", compensates=version, reason=reason)


@pytest.fixture
def decide(project, run):
    def decide(*events: dict[str, Any], arguments: tuple[str, ...] = ()):
        project.write("s.jsonl", "".join(json.dumps(one) + "\n" for one in events))
        command = ("messages", "s.jsonl", "--profile", "cloudevents", "--stream", *arguments)
        return run(*command, "--output-format", "json")

    return decide


def outcomes(ran: Any) -> list[tuple[int, str]]:
    return [(one["line"], one["outcome"]) for one in ran.document["outcomes"]]


def rules(ran: Any) -> list[tuple[int, str]]:
    return [(one["line"], one["rule"]) for one in ran.document["findings"]]


def test_a_gap_that_closes(decide) -> None:
    ran = decide(event(3), event(2), event(3), arguments=("--last", "door=1"))
    assert outcomes(ran) == [
        (1, "gap"),
        (2, "applied"),
        (1, "applied"),
        (3, "duplicate"),
    ]
    assert rules(ran) == [(2, "sequence-out-of-order")]
    assert ran.document["summary"]["outcomes"] == {"applied": 2, "duplicate": 1, "gap": 1}


def test_a_gap_that_stays_names_what_is_awaited(decide) -> None:
    ran = decide(event(1), event(5))
    assert rules(ran) == [(2, "sequence-gap")]
    assert "2-4 missing, awaited is 2" in ran.document["findings"][0]["message"]
    assert ran.document["outcomes"][1]["awaited"] == 2


def test_a_part_of_a_stream(decide) -> None:
    assert rules(decide(event(5), event(6))) == [(1, "sequence-gap")]
    assert rules(decide(event(5), event(6), arguments=("--partial",))) == []


def test_one_version_under_two_ids(decide) -> None:
    ran = decide(event(1), event(1, "other"))
    assert rules(ran) == [(2, "version-conflict")]
    assert outcomes(ran) == [(1, "applied"), (2, "conflict")]
    assert ran.document["findings"][0]["scenario"][0]["line"] == 1


def test_one_id_with_two_contents_is_told_once(decide) -> None:
    ran = decide(event(1), event(1, data=2))
    assert rules(ran) == [(2, "id-reused-with-different-content")]


def test_a_version_that_is_behind(decide) -> None:
    ran = decide(event(2, "late"), arguments=("--last", "door=3"))
    assert rules(ran) == [(1, "stale-message")]


def test_ids_of_two_sources_are_two_ids(decide) -> None:
    other = event(1, "door:1", source="/gates", subject="gate")
    assert rules(decide(event(1), other)) == []


def test_compensations(decide) -> None:
    listed = ("--reason", "jammed")
    first, second = undo(3, 2, "jammed", "u1"), undo(4, 2, "jammed", "u2")
    start = (event(1), event(2))
    ran = decide(*start, first, first, second, arguments=listed)
    assert [one for _, one in outcomes(ran)][2:] == ["create-cancelled", "duplicate", "reuse"]
    assert rules(ran) == [(5, "compensation-repeated")]
    ran = decide(*start, undo(3, 2, "slow", "u1"), arguments=listed)
    assert rules(ran) == [(3, "compensation-reason-not-listed")]
    ran = decide(*start, undo(3, 1, "jammed", "u1"), arguments=listed)
    assert rules(ran) == [(3, "compensation-of-old-version")]
    unknown = event(3, type="effect-result-unknown")
    ran = decide(*start, unknown, undo(4, 3, "jammed", "u1"), arguments=listed)
    assert rules(ran) == [(4, "compensation-after-unknown-result")]


def test_tasks_have_the_names_of_the_task_contract(project, run) -> None:
    def task(number: int, **more: Any) -> dict[str, Any]:
        base = {"id": f"t{number}", "kind": "k", "effectKey": f"e{number}"}
        order = {"sequenceKey": "door", "sequence": number}
        return {**base, **order, "payload": {"schema": "1"}, **more}

    tasks = [
        task(1),
        task(2, id="again", effectKey="e1"),
        task(2),
        task(9),
        task(1, id="other", effectKey="e9"),
        task(3, payload={"schema": "7"}),
        task(4, effectKey=""),
    ]
    project.write("t.jsonl", "".join(json.dumps(one) + "\n" for one in tasks))
    ran = run("messages", "t.jsonl", "--stream", "--known-version", "1", "--output-format", "json")
    assert [one["outcome"] for one in ran.document["outcomes"]] == [
        "apply-and-record",
        "duplicate-suppressed",
        "apply-and-record",
        "manual-review/sequence-gap",
        "stale-or-conflicting",
        "manual-review/unsupported-schema",
        "manual-review/missing-identity",
    ]
    assert (6, "unsupported-schema") in rules(ran)


def test_the_text_ends_with_a_table(project, run) -> None:
    project.write("s.jsonl", "".join(json.dumps(event(n)) + "\n" for n in (1, 2, 4)))
    ran = run("messages", "s.jsonl", "--profile", "cloudevents", "--stream")
    assert ran.out.splitlines() == [
        "s.jsonl:1: door:1: applied",
        "s.jsonl:2: door:2: applied",
        "s.jsonl:3: door:4: gap, waits for 3",
        "s.jsonl:3:1: CM202 number 4 of door leaves a gap: 3 missing, awaited is 3"
        " (at /orderversion)",
        "  fix: find the missing messages with their owner; do not let a timeout close the gap",
        "         2  applied",
        "         1  gap",
        "1 finding in 1 file, 3 messages",
    ]
