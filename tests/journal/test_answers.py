"""What a journal shows of each job, and what it proves as a whole."""

import itertools
import json
from dataclasses import replace
from pathlib import Path

import pytest

from contractlint.journal.observing import Proofs
from contractlint.journal.run import JournalTally
from contractlint.journal.run import run as run_journal
from tests.journal.reference_chains import POISON, RETRIED, SETTINGS, is_legal

EXAMPLES = Path(__file__).parents[2] / "examples" / "journals"


def line(event, job="j", **more):
    return {"event": event, "jobId": job, **more}


def received(attempt, job="j"):
    return line("received", job, attempt=attempt)


def saved(key, job="j"):
    return line("result_saved", job, resultKey=key)


FAILED = line("validation_failed", reason="no-kind")
BACK = line("nack_sent", requeue=True)
ACK = line("ack_sent")

SHOWN = {
    "died after the result": (
        [received(1), saved("a"), received(2), ACK],
        [("result-without-ack", [2, 3])],
    ),
    "no acknowledgement at the end": (
        [received(1), saved("a")],
        [("result-without-ack", [2])],
    ),
    "two names": (
        [received(1), saved("a"), received(2), saved("b"), ACK],
        [("result-without-ack", [2, 3]), ("two-results", [2, 3, 4])],
    ),
    "put back for one reason": (
        [received(1), FAILED, BACK, received(2), FAILED, BACK],
        [("same-reason-again", [2, 3, 4, 5])],
    ),
    "never received": ([line("queued"), line("published")], [("never-received", [1, 2])]),
    "nothing": ([received(1), saved("a"), ACK], []),
    "another reason": (
        [received(1), FAILED, BACK, received(2), {**FAILED, "reason": "other"}],
        [],
    ),
}


@pytest.fixture
def journal(project, run):
    def call(lines, *arguments):
        project.write("j.jsonl", "".join(json.dumps(one) + "\n" for one in lines))
        return run("journal", "j.jsonl", *arguments)

    return call


@pytest.mark.parametrize(("lines", "expected"), SHOWN.values(), ids=SHOWN)
def test_what_a_job_shows(lines, expected, journal):
    ran = journal(lines, "--diagnose", "--output-format", "json")
    shown = [
        (one["observation"], [at["line"] for at in one["evidence"]])
        for one in ran.document["diagnoses"]
    ]
    assert sorted(shown) == sorted(expected)
    assert ran.exit_code == 0


def test_a_diagnosis_names_cause_evidence_and_next_step(journal):
    ran = journal([received(1), saved("a"), received(2), ACK], "--diagnose")
    assert "job j: a result is saved and not acknowledged" in ran.out
    assert "evidence: j.jsonl:2 result_saved, j.jsonl:3 received" in ran.out
    assert "cause to check: the worker died" in ran.out
    assert "next: on the repeat create nothing" in ran.out
    assert journal([received(1)], "--diagnose").out == "nothing to diagnose\n"


def test_the_reference_chains_prove_all_three(run):
    chains = [str(EXAMPLES / name) for name in ("retried.jsonl", "poison.jsonl")]
    ran = run("journal", "--verify", *chains, "--output-format", "json")
    assert ran.document == {
        "retryKeptJobId": True,
        "resultBeforeAck": True,
        "poisonStoppedAtLimit": True,
    }
    assert ran.exit_code == 0
    one = run("journal", "--verify", chains[0])
    assert "NO   poisonStoppedAtLimit" in one.out
    assert one.exit_code == 1


def test_a_retry_under_another_id_does_not_keep_it(journal):
    lines = [received(1, "a"), line("retry_scheduled", "a", attempt=1, reason="busy")]
    ran = journal([*lines, received(2, "b"), saved("r", "b"), line("ack_sent", "b")], "--verify")
    assert "NO   retryKeptJobId" in ran.out


def answers(lines, folder):
    file = folder / "journal.jsonl"
    file.write_text("".join(json.dumps(one) + "\n" for one in lines), encoding="utf-8")
    proofs = Proofs()
    settings = replace(SETTINGS, observations=proofs.observations())
    for told in run_journal([str(file)], settings, JournalTally()):
        proofs.take(told)
    return proofs.answers()


def test_every_illegal_order_breaks_a_proof(tmp_path):
    for lines in itertools.permutations(RETRIED):
        assert all(answers([*lines, *POISON], tmp_path).values()) is is_legal(lines), lines
    for place in range(len(POISON) - 1):
        lines = list(POISON)
        lines[place], lines[place + 1] = lines[place + 1], lines[place]
        assert all(answers([*RETRIED, *lines], tmp_path).values()) is is_legal(lines), lines


def test_two_answers_at_once_are_refused(run):
    ran = run("journal", "--verify", "--diagnose", "x")
    assert (ran.exit_code, "exclude each other" in ran.err) == (2, True)
