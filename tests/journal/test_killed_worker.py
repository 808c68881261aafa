"""A real process writes its journal and is killed: what do journal and diagnosis say?"""

import json
import os
import signal
import subprocess
import sys

import pytest

# A worker with one job. It says where it is, and waits there to be killed if it is told to.
WORKER = """
import json, pathlib, sys, time

folder, attempt = pathlib.Path(sys.argv[1]), int(sys.argv[2])
dies_after, naming, order = sys.argv[3:]
result = folder / ("export-1.csv" if naming == "stable" else f"export-{time.time_ns()}.csv")

def tell(event, **more):
    with open(folder / "journal.jsonl", "a") as journal:
        journal.write(json.dumps({"event": event, "jobId": "export-1", **more}) + "\\n")
    if event == dies_after:
        print("ready", flush=True)
        time.sleep(60)

def save():
    if naming == "stable" and result.exists():
        tell("duplicate_suppressed")
        return
    result.write_text("rows")
    tell("result_saved", resultKey=result.name)

tell("received", attempt=attempt, redelivered=attempt > 1)
for step in (save, lambda: tell("ack_sent"))[:: 1 if order == "last" else -1]:
    step()
"""


def deliver(folder, attempt, dies_after="", naming="stable", order="last"):
    arguments = [str(folder), str(attempt), dies_after, naming, order]
    worker = subprocess.Popen(
        [sys.executable, "-c", WORKER, *arguments], stdout=subprocess.PIPE, text=True
    )
    if dies_after:
        assert worker.stdout.readline() == "ready\n"
        os.kill(worker.pid, signal.SIGKILL)
    worker.communicate(timeout=30)
    return worker.returncode


@pytest.fixture
def told(project, run):
    def call():
        found = run("journal", "journal.jsonl", "--output-format", "json").document
        shown = run("journal", "journal.jsonl", "--diagnose", "--output-format", "json").document
        return (
            [(one["code"], one["line"]) for one in found["findings"]],
            [one["observation"] for one in shown["diagnoses"]],
            len(list(project.root.glob("export-*.csv"))),
        )

    return call


def test_killed_after_the_result_with_a_stable_name(project, told):
    assert deliver(project.root, 1, dies_after="result_saved") == -signal.SIGKILL
    assert told() == ([], ["result-without-ack"], 1)
    assert deliver(project.root, 2) == 0
    # The repeat made nothing, and acknowledged its own delivery.
    assert told() == ([], ["result-without-ack"], 1)


def test_killed_after_the_result_with_a_name_from_the_clock(project, told):
    deliver(project.root, 1, dies_after="result_saved", naming="clock")
    deliver(project.root, 2, naming="clock")
    assert told() == ([("CL707", 4)], ["result-without-ack", "two-results"], 2)


def test_killed_after_an_acknowledgement_that_came_first(project, told):
    deliver(project.root, 1, dies_after="ack_sent", order="first")
    # The broker does not deliver it again: there is no file, and there never will be.
    assert told() == ([("CL701", 2)], [], 0)


def test_killed_in_the_middle_of_a_line(project, told, run):
    deliver(project.root, 1)
    journal = project.root / "journal.jsonl"
    whole = journal.read_bytes()
    for length in range(whole.rfind(b"\n", 0, -1) + 2, len(whole) - 1):
        journal.write_bytes(whole[:length])
        assert told()[0] == [("CL731", 3)], whole[:length]
    # The next worker appends to the torn line.
    with journal.open("ab") as file:
        file.write(json.dumps({"event": "received", "jobId": "export-2", "attempt": 1}).encode())
        file.write(b"\n")
    assert told()[0] == [("CL732", 3)]
