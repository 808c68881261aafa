"""Files: many, packed, piped, long; and what is remembered of closed jobs."""

import gzip
import json
import tracemalloc
from dataclasses import replace

from contractlint.journal.run import JournalTally
from contractlint.journal.run import run as run_journal
from tests.journal.reference_chains import SETTINGS


def lines_of(job, *, attempt=1, done=True):
    steps = [{"event": "received", "jobId": job, "attempt": attempt}]
    if done:
        steps.append({"event": "result_saved", "jobId": job, "resultKey": f"r/{job}"})
    steps.append({"event": "ack_sent", "jobId": job})
    return "".join(json.dumps(step) + "\n" for step in steps)


def faults(settings, *paths):
    return [(one.code, one.path, one.line) for one in run_journal(paths, settings, JournalTally())]


def test_files_are_one_journal_in_the_given_order(project, run):
    project.write("a.jsonl", '{"event": "received", "jobId": "j", "attempt": 1}\n')
    project.write("b.jsonl", '{"event": "ack_sent", "jobId": "j"}\n')
    ran = run("journal", "a.jsonl", "b.jsonl", "--output-format", "json")
    (finding,) = ran.document["findings"]
    assert (finding["path"], finding["line"]) == ("b.jsonl", 1)
    assert [(one["path"], one["line"]) for one in finding["scenario"]][:2] == [
        ("a.jsonl", 1),
        ("b.jsonl", 1),
    ]


def test_a_packed_journal_is_read(project, run):
    project.write("a.jsonl.gz", gzip.compress(lines_of("j", done=False).encode()))
    assert "a.jsonl.gz:2:1: CL701" in run("journal", "a.jsonl.gz").out
    project.write("b.jsonl.gz", b"no gzip")
    assert run("journal", "b.jsonl.gz").exit_code == 2
    project.write("c.jsonl.gz", gzip.compress(lines_of("j").encode())[:-9])
    assert run("journal", "c.jsonl.gz").exit_code == 2


def test_deep_names_are_followed(project, run):
    project.write("contractlint.toml", '[journal.fields]\njob = "/message/id"\nevent = "/did"\n')
    text = "".join(
        json.dumps({"message": {"id": "j"}, "did": did, "reason": ["a list"]}) + "\n"
        for did in ("received", "ack_sent")
    )
    project.write("a.jsonl", text)
    assert "a.jsonl:2:1: CL701" in run("journal", "a.jsonl").out


def test_reasons_get_their_class_from_the_settings(project, run):
    steps = [
        {"event": "received", "jobId": "j", "attempt": 1},
        {"event": "failed", "jobId": "j", "reason": "no-such-kind"},
        {"event": "nack_sent", "jobId": "j", "requeue": True},
    ]
    project.write("a.jsonl", "".join(json.dumps(step) + "\n" for step in steps))
    assert run("journal", "a.jsonl").exit_code == 0
    project.write("contractlint.toml", '[journal.reasons]\npermanent = ["no-such-kind"]\n')
    assert "CL303" in run("journal", "a.jsonl").out


def test_a_late_repeat_is_judged_with_what_came_before(tmp_path):
    journal = tmp_path / "a.jsonl"
    other = "".join(lines_of(f"o{number}") for number in range(10))
    repeat = lines_of("j", attempt=2).replace("r/j", "r/another")
    journal.write_text(lines_of("j") + other + repeat, encoding="utf-8")
    remembers, forgets = (replace(SETTINGS, remember=number) for number in (20, 3))
    assert [code for code, _, _ in faults(remembers, str(journal))] == ["CL707"]
    # What is forgotten cannot be compared, and is not guessed at.
    assert faults(forgets, str(journal)) == []


def test_memory_does_not_grow_with_closed_jobs(tmp_path):
    settings = replace(SETTINGS, remember=100)

    def peak(jobs):
        journal = tmp_path / f"{jobs}.jsonl"
        with journal.open("w", encoding="utf-8") as file:
            file.writelines(lines_of(f"job-{number}") for number in range(jobs))
        tracemalloc.start()
        assert faults(settings, str(journal)) == []
        _, highest = tracemalloc.get_traced_memory()
        tracemalloc.stop()
        return highest

    peak(100)
    assert peak(6000) < peak(1000) * 1.3


def test_a_job_that_circles_breaks_each_rule_once(project, run):
    turn = [
        {"event": "received", "jobId": "j"},
        {"event": "validation_failed", "jobId": "j", "reason": "x", "reasonClass": "permanent"},
        {"event": "nack_sent", "jobId": "j", "requeue": True},
    ]
    lines = [
        json.dumps({**step, **({"attempt": n} if step["event"] == "received" else {})})
        for n in range(1, 400)
        for step in turn
    ]
    project.write("a.jsonl", "\n".join(lines) + "\n")
    found = run("journal", "a.jsonl", "--output-format", "json").document["findings"]
    codes = [one["code"] for one in found]
    assert "CL303" in codes
    assert len(codes) == len(set(codes))


def test_unselected_rules_are_silent(project, run):
    project.write("a.jsonl", lines_of("j", done=False))
    assert run("journal", "a.jsonl", "--ignore", "CL701").exit_code == 0
    assert run("journal", "a.jsonl", "--select", "CL101,CL702").exit_code == 0


def test_a_journal_that_is_joined_by_tags_is_told_once(project, run):
    """Three deliveries were not settled, and come again under three new tags."""
    begun = [{"event": "received", "jobId": tag, "attempt": 1} for tag in (1, 2, 3)]
    again = [{"event": "received", "jobId": tag, "attempt": 2} for tag in (4, 5, 6)]
    acks = [{"event": "ack_sent", "jobId": tag} for tag in (4, 5, 6)]
    text = "".join(json.dumps(step) + "\n" for step in (*begun, *again, *acks))
    project.write("a.jsonl", text)
    found = run("journal", "a.jsonl", "--output-format", "json").document["findings"]
    assert [(one["code"], one["line"]) for one in found] == [("CL721", 4)]
