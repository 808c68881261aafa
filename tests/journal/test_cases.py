"""The journals of one team, read through its own names for fields and steps."""

import pytest

SETTINGS = """
[journal.fields]
job = "/parcel"
event = "/did"
attempt = "/try"
reason = "/because"
result-key = "/label"

[journal.events]
took = "received"
printed = "result_saved"
done = "ack_sent"
seen = "duplicate_suppressed"
aside = "quarantined"
bad_address = "validation_failed"
"""

TOOK = '{"parcel": "p1", "try": 1, "did": "took"}\n'
PRINTED = '{"parcel": "p1", "try": 1, "did": "printed", "label": "labels/p1.pdf"}\n'
DONE = '{"parcel": "p1", "try": 1, "did": "done"}\n'
BAD_ADDRESS = '{"parcel": "p1", "try": 1, "did": "bad_address", "because": "no street"}\n'
ASIDE = '{"parcel": "p1", "try": 1, "did": "aside"}\n'
TOOK_AGAIN = '{"parcel": "p1", "try": 2, "did": "took"}\n'
SEEN = '{"parcel": "p1", "try": 2, "did": "seen"}\n'
DONE_AGAIN = '{"parcel": "p1", "try": 2, "did": "done"}\n'

GOOD = {
    "done": TOOK + PRINTED + DONE,
    "died, and taken again": TOOK + PRINTED + TOOK_AGAIN + SEEN + DONE_AGAIN,
    "a late repeat": TOOK + PRINTED + DONE + TOOK_AGAIN + SEEN + DONE_AGAIN,
    "set aside": TOOK + BAD_ADDRESS + ASIDE + DONE,
    "still at work": TOOK,
    "begins in the middle": PRINTED + DONE,
    "empty": "",
    "empty lines": TOOK + "\n" + PRINTED + " \n" + DONE,
}
BAD = {
    "acknowledged first": (TOOK + DONE + PRINTED, [("CL101", 2)]),
    "nothing done": (TOOK + DONE, [("CL701", 2)]),
    "failed and acknowledged": (TOOK + BAD_ADDRESS + DONE, [("CL104", 2)]),
    "not counted": (TOOK + TOOK + PRINTED + DONE, [("CL702", 2)]),
    "torn": (TOOK + PRINTED[:40], [("CL731", 2)]),
    "glued": (TOOK + PRINTED[:40] + DONE, [("CL732", 2)]),
    "glued, and torn again": (TOOK + PRINTED[:40] + DONE[:30], [("CL732", 2)]),
    "no object": (TOOK + "7\n", [("CL734", 2)]),
    "no job": (TOOK + '{"did": "done"}\n', [("CL734", 2)]),
    "an attempt that is no number": (
        '{"parcel": "p1", "did": "took", "try": "1"}\n',
        [("CL734", 1)],
    ),
    "a name twice": ('{"parcel": "p1", "parcel": "p2", "did": "took", "try": 1}\n', [("CL734", 1)]),
}


@pytest.fixture
def journal(project, run):
    project.write("contractlint.toml", SETTINGS)

    def check(text, *arguments):
        project.write("parcels.jsonl", text)
        return run("journal", "parcels.jsonl", *arguments)

    return check


@pytest.mark.parametrize("text", GOOD.values(), ids=GOOD)
def test_a_good_journal_is_silent(text, journal):
    ran = journal(text)
    assert (ran.exit_code, ran.out, ran.err) == (0, "", "")


@pytest.mark.parametrize(("text", "expected"), BAD.values(), ids=BAD)
def test_a_fault_is_found_at_its_line(text, expected, journal):
    ran = journal(text, "--output-format", "json")
    assert [(one["code"], one["line"]) for one in ran.document["findings"]] == expected
    assert ran.exit_code == 1


def test_a_complete_last_line_without_newline_is_read_and_told(journal):
    ran = journal((TOOK + PRINTED + DONE).rstrip("\n"))
    assert "CL733 the last line is complete, but it lacks its newline" in ran.out
    assert ran.exit_code == 0
    assert journal((TOOK + DONE).rstrip("\n")).exit_code == 1


def test_the_rest_is_read_behind_a_line_that_cannot_be(journal):
    other = (TOOK + DONE).replace("p1", "p2")
    ran = journal(TOOK + "{glued\n" + other, "--output-format", "json")
    assert [(one["code"], one["line"]) for one in ran.document["findings"]] == [
        ("CL732", 2),
        ("CL701", 4),
    ]


def test_a_finding_tells_the_lines_of_its_proof(journal):
    finding = journal(TOOK + DONE + PRINTED, "--output-format", "json").document["findings"][0]
    steps = [(one["line"], one["event"]) for one in finding["scenario"] if one["line"]]
    assert steps == [(1, "receive"), (2, "ack"), (3, "persist")]
    assert finding["handler"] == "p1"
    assert not any("never reached" in one["text"] for one in finding["scenario"])


def test_a_role_that_does_not_exist_is_told_with_its_line(project, run):
    project.write("contractlint.toml", '[journal.fields]\njobb = "/parcel"\n')
    ran = run("journal", "x.jsonl")
    assert ran.exit_code == 2
    assert "contractlint.toml:2: journal.fields.jobb: no role 'jobb'" in ran.err


def test_a_step_that_does_not_exist_is_told_with_its_line(project, run):
    project.write("contractlint.toml", '[journal.events]\nstored = "result_savd"\n')
    ran = run("journal", "x.jsonl")
    assert ran.exit_code == 2
    assert "contractlint.toml:2: journal.events.stored: no step 'result_savd'" in ran.err


def test_a_missing_file_is_an_error_and_the_others_are_read(project, run):
    project.write(
        "a.jsonl",
        '{"event": "received", "jobId": "a", "attempt": 1}\n{"event": "ack_sent", "jobId": "a"}\n',
    )
    ran = run("journal", "none.jsonl", "a.jsonl")
    assert ran.exit_code == 2
    assert "none.jsonl: error: cannot be read" in ran.out
    assert "CL701" in ran.out
