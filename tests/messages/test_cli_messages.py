"""The command: formats, exit codes, where its settings come from, what it does with bad input."""

from __future__ import annotations

import io
import json
import os
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

GOOD = {"id": "m-1", "kind": "lamp.lit", "effectKey": "lamp:lit", "payload": {"schema": 1}}


def lines(*messages: object) -> str:
    return "".join(json.dumps(one) + "\n" for one in messages)


def task(number: int, **more: object) -> dict[str, object]:
    return {**GOOD, "id": f"m-{number}", "effectKey": f"lamp-{number}:lit", **more}


@pytest.fixture
def messages(run):
    def messages(*arguments: str, stdin: bytes | None = None):
        return run("messages", *arguments, "--output-format", "json", stdin=stdin)

    return messages


def rules(ran) -> list[tuple[str, int]]:
    return [(one["rule"], one["line"]) for one in ran.document["findings"]]


def test_the_envelope_is_the_default_form(project, messages) -> None:
    project.write("a.jsonl", lines(GOOD, {**task(2), "kind": ""}))
    ran = messages("a.jsonl")
    (finding,) = ran.document["findings"]
    assert (finding["code"], finding["pointer"]) == ("CM001", "/kind")
    assert (finding["line"], finding["column"]) == (2, 23)
    assert ran.exit_code == 1
    assert ran.document["summary"] == {"files": 1, "messages": 2, "findings": 1, "errors": 0}


def test_one_fault_is_told_once(project, messages) -> None:
    project.write("a.json", json.dumps({**GOOD, "id": ""}))
    assert rules(messages("a.json")) == [("missing-message-id", 1)]
    project.write("b.json", json.dumps({"kind": "k", "effectKey": "e", "payload": {"schema": 1}}))
    assert rules(messages("b.json")) == [("missing-message-id", 1)]


def test_text_names_place_code_pointer_and_fix(project, run) -> None:
    project.write("a.json", json.dumps({**GOOD, "effectKey": "m-1"}))
    ran = run("messages", "a.json")
    assert ran.out.splitlines() == [
        "a.json:1:48: CM102 the effect key m-1 is the message id (at /effectKey)",
        "  fix: derive the effect key from the object and the kind of effect",
        "1 finding in 1 file, 1 message",
    ]


def test_github_annotations(project, run) -> None:
    project.write("a.json", json.dumps({**GOOD, "effectKey": "m-1"}))
    ran = run("messages", "a.json", "missing.json", "--output-format", "github")
    first, second = ran.out.splitlines()
    assert first.startswith("::error file=a.json,line=1,col=48,")
    assert "title=CM102 effect-key-is-message-id::the effect key m-1 is " in first
    assert second.startswith("::error file=missing.json,line=1,title=contractlint::")


def test_exit_codes(project, run) -> None:
    project.write("good.json", json.dumps(GOOD))
    project.write("bad.json", "{}")
    assert run("messages", "good.json").exit_code == 0
    assert run("messages", "bad.json").exit_code == 1
    assert run("messages", "bad.json", "--exit-zero").exit_code == 0
    assert run("messages", "bad.json", "missing.json").exit_code == 2
    assert run("messages").exit_code == 2


def test_a_missing_file_does_not_stop_the_run(project, messages) -> None:
    project.write("bad.json", "{}")
    ran = messages("missing.json", "bad.json")
    assert [one["path"] for one in ran.document["errors"]] == ["missing.json"]
    assert {one["path"] for one in ran.document["findings"]} == {"bad.json"}


def test_a_folder_is_searched(project, messages) -> None:
    for name in ("a.json", "b/c.jsonl", "b/d.ndjson", "e.yaml", "f.yml"):
        project.write(f"in/{name}", json.dumps(GOOD))
    for name in ("x.txt", ".hidden/a.json", "node_modules/a.json"):
        project.write(f"in/{name}", "{")
    assert messages("in").document["summary"]["files"] == 5


def test_standard_input(project, messages) -> None:
    text = lines(GOOD, {**GOOD, "kind": "other"}).encode()
    ran = messages("-", stdin=text)
    assert rules(ran)[0] == ("id-reused-with-different-content", 2)
    assert ran.document["findings"][0]["path"] == "<stdin>"
    assert rules(messages("-", stdin=json.dumps({}, indent=1).encode()))


def test_a_report_in_a_file(project, run) -> None:
    project.write("a.json", "{}")
    ran = run("messages", "a.json", "--output", "report.txt")
    assert (ran.exit_code, ran.out) == (1, "")
    assert "CM002" in (project.root / "report.txt").read_text()
    assert run("messages", "a.json", "--output", "no/such/folder").exit_code == 2


def test_a_batch_is_an_array_of_messages(project, messages) -> None:
    project.write("a.json", json.dumps([GOOD, {**task(2), "attempt": 0}], indent=1))
    (finding,) = messages("a.json").document["findings"]
    assert finding["pointer"] == "/1/attempt"
    assert finding["line"] > 5


def test_json_lines_in_a_json_file(project, messages) -> None:
    project.write("a.json", lines(task(1), task(2), {}))
    assert {line for _, line in rules(messages("a.json"))} == {3}


def test_what_is_no_object_is_no_message(project, messages) -> None:
    project.write("a.jsonl", '1\n"x"\nnull\n')
    assert rules(messages("a.jsonl")) == [("schema-violation", line) for line in (1, 2, 3)]


def test_a_redelivery_may_count_its_attempts(project, messages) -> None:
    project.write("a.jsonl", lines({**GOOD, "attempt": 1}, {**GOOD, "attempt": 2}))
    assert messages("a.jsonl").exit_code == 0


ROLES = '[messages.roles]\nid = "/no/i~1d"\neffect-key = ["/key", "/old_key"]\n'


def test_roles_reach_into_the_message(project, messages) -> None:
    project.write("contractlint.toml", ROLES)
    project.write("a.json", json.dumps({"no": {"i/d": "x"}, "old_key": "x"}))
    assert rules(messages("a.json")) == [("effect-key-is-message-id", 1)]


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ('[messages.roles]\nident = "/a"\n', 'no role "ident"'),
        ('[messages.roles]\nid = "a"\n', "needs a JSON Pointer"),
        ("[messages.roles]\nid = 3\n", "needs a JSON Pointer"),
        ('[messages]\nprofile = "other"\n', 'no profile "other"'),
        ('[messages]\nschema = "missing.json"\n', "missing.json"),
        ("[messages\n", "contractlint.toml:1"),
    ],
)
def test_settings_that_cannot_be_used(project, run, settings: str, told: str) -> None:
    project.write("contractlint.toml", settings)
    project.write("a.json", "{}")
    ran = run("messages", "a.json")
    assert ran.exit_code == 2
    assert told in ran.err


def test_settings_in_pyproject(project, messages) -> None:
    project.write(
        "pyproject.toml",
        '[tool.contractlint.messages]\nfiles = ["out/*.json"]\n'
        '[tool.contractlint.messages.roles]\nid = "/ref"\n',
    )
    project.write("out/a.json", '{"ref": ""}')
    project.write("other.json", "{")
    ran = messages()
    assert rules(ran) == [("missing-message-id", 1)]
    assert ran.document["summary"]["files"] == 1


def test_configured_files_are_printed_relative_to_where_the_command_runs(
    project, messages, monkeypatch
) -> None:
    project.write(
        "contractlint.toml", '[messages]\nfiles = ["out/*.json"]\nroles = { id = "/ref" }\n'
    )
    project.write("out/a.json", '{"ref": ""}')
    assert [one["path"] for one in messages().document["findings"]] == ["out/a.json"]
    monkeypatch.chdir(project.root / "out")
    assert [one["path"] for one in messages().document["findings"]] == ["a.json"]


def test_roles_annotated_in_a_schema(project, messages) -> None:
    schema = {
        "$defs": {"key": {"type": "string", "x-contract-role": "effect-key"}},
        "properties": {
            "ref": {"x-contract-role": "id"},
            "deep": {"properties": {"key": {"$ref": "#/$defs/key"}}},
        },
    }
    project.write("schema.json", json.dumps(schema))
    project.write("a.json", json.dumps({"ref": "x", "deep": {"key": "x"}}))
    ran = messages("a.json", "--schema", "schema.json")
    assert rules(ran) == [("effect-key-is-message-id", 1)]


def test_a_profile_brings_its_own_names(project, messages) -> None:
    project.write("contractlint.toml", '[messages.roles]\nid = "/ref"\n')
    event = {"specversion": "1.0", "id": "e", "source": "/s", "type": "t"}
    project.write("a.json", json.dumps(event))
    assert messages("a.json", "--profile", "cloudevents").exit_code == 0
    assert rules(messages("a.json")) == [("missing-message-id", 1)]


def test_memory_of_ids_is_bounded(project, messages) -> None:
    project.write("a.jsonl", lines(*(task(n) for n in range(40)), {**task(0), "kind": "x"}))
    assert ("id-reused-with-different-content", 41) in rules(messages("a.jsonl"))
    assert rules(messages("a.jsonl", "--remember", "10")) == []


@pytest.mark.parametrize(
    ("content", "rule", "line"),
    [
        (b'{"id": "x"}\n{"id": "\xff"}\n{"id": "y"}\n', "unreadable-message", 2),
        ('{"id": "x"}'.encode("utf-16"), "unreadable-message", 1),
        (b'{"id": "x"}\n{"id": ', "torn-last-line", 2),
        (b'{"id": "x"}\n' + b'{"a":' * 100_000 + b"\n", "unreadable-message", 2),
        (b'{"id": "x"}\n' + b"[" * 100_000 + b"\n", "unreadable-message", 2),
        (b'{"id": "x", "n": ' + b"9" * 50_000 + b"}\n{}", "unreadable-message", 1),
        (b'{"id": "x"}\n\x00\x00\x00\n', "unreadable-message", 2),
    ],
)
def test_bad_lines_are_findings(project, messages, content: bytes, rule: str, line: int) -> None:
    project.write("contractlint.toml", '[messages.roles]\nkind = "/kind"\n')
    project.write("a.jsonl", content)
    ran = messages("a.jsonl")
    assert rules(ran) == [(rule, line)]
    assert ran.exit_code == 1


def test_a_byte_order_mark_is_accepted(project, messages) -> None:
    project.write("a.jsonl", b"\xef\xbb\xbf" + lines(GOOD, task(2)).encode())
    assert messages("a.jsonl").exit_code == 0


def test_half_a_surrogate_pair(project, messages, run) -> None:
    project.write("a.jsonl", '{"id": "\\ud800", "kind": "k"}\n{"kind": "\\udc00"}\n')
    ran = messages("a.jsonl", "--stream")
    assert "schema-violation" in {rule for rule, _ in rules(ran)}
    assert ran.document["outcomes"][0]["id"] == "\ud800"
    assert run("messages", "a.jsonl", "--stream", "--output", "report.txt").exit_code == 1
    assert "\\ud800" in (project.root / "report.txt").read_text()


@pytest.mark.parametrize("depth", [3, 150, 198, 260, 1000])
def test_nesting(depth: int, project, messages) -> None:
    deep = "[" * depth + "]" * depth
    project.write("a.json", json.dumps({**GOOD, "kind": 5})[:-1] + f', "deep": {deep}}}')
    (found,) = rules(messages("a.json"))
    assert found == ("schema-violation" if depth < 200 else "unreadable-message", 1)


def test_keys_that_are_no_keys(project, messages) -> None:
    project.write("a.jsonl", '{"id": [1], "effectKey": {}, "sequenceKey": [], "sequence": 1}\n' * 2)
    for more in ((), ("--stream",)):
        ran = messages("a.jsonl", *more)
        assert ("missing-message-id", 2) in rules(ran)
        assert ran.exit_code == 1


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_a_named_pipe(project, messages) -> None:
    os.mkfifo(project.root / "pipe")
    writer = threading.Thread(
        target=lambda: (project.root / "pipe").write_bytes(lines(GOOD, {}).encode())
    )
    writer.start()
    assert {line for _, line in rules(messages("pipe"))} == {2}
    writer.join()


def test_long_lines(project, messages) -> None:
    long = json.dumps({**GOOD, "payload": {"schema": 1, "text": "x" * 5_000_000}})
    project.write("a.jsonl", f"{long}\n{lines(task(2))}")
    started = time.monotonic()
    assert messages("a.jsonl").exit_code == 0
    assert time.monotonic() - started < 20


def test_a_line_beyond_the_limit(project, messages, monkeypatch) -> None:
    monkeypatch.setattr("contractlint.messages.sources.MAX_MESSAGE_BYTES", 1000)
    project.write("a.jsonl", json.dumps({"id": "x" * 5000}) + "\n" + lines(GOOD, {}))
    assert rules(messages("a.jsonl"))[0] == ("unreadable-message", 1)
    assert {line for _, line in rules(messages("a.jsonl"))} == {1, 3}


def test_yaml_documents(project, messages) -> None:
    project.write("a.yaml", "id: m\nkind: k\neffectKey: e\npayload:\n  schema: 1\n---\nid: ''\n")
    found = rules(messages("a.yaml"))
    assert ("missing-message-id", 7) in found
    project.write("b.yaml", "a: [")
    assert rules(messages("b.yaml")) == [("unreadable-message", 1)]


@pytest.mark.skipif(not Path("/proc/self/status").exists(), reason="peak memory is read from /proc")
def test_the_run_needs_little_memory(tmp_path: Path) -> None:
    """Not from getrusage: its peak is at least that of the process that starts another."""
    script = (
        "import re, sys; from contractlint.cli import main\n"
        "try: main(['messages', sys.argv[1], '--remember', '1000'])\n"
        "except SystemExit: pass\n"
        "print(re.search(r'VmHWM:\\s*(\\d+)', open('/proc/self/status').read())[1])"
    )
    peaks = []
    for count in (5_000, 60_000):
        path = tmp_path / f"{count}.jsonl"
        path.write_text(lines(*(task(n, attempt=1) for n in range(count))))
        done = subprocess.run(
            [sys.executable, "-c", script, str(path)],
            capture_output=True,
            text=True,
            check=True,
            cwd=tmp_path,
            env={**os.environ},
        )
        peaks.append(int(done.stdout.split()[-1]))
    assert peaks[1] < peaks[0] * 1.2


def test_stdin_is_spooled_once(project, messages, monkeypatch) -> None:
    class OneWay(io.BytesIO):
        def seek(self, *arguments: int) -> int:
            raise io.UnsupportedOperation("seek")

    text = lines(GOOD, {**GOOD, "kind": "other"}).encode()
    monkeypatch.setattr(sys, "stdin", type("Stdin", (), {"buffer": OneWay(text)})())
    from contractlint.messages.run import Tally, run
    from contractlint.messages.settings import Wishes, make_settings

    tally = Tally()
    list(run(["-"], make_settings(project.root, {}, Wishes()), tally))
    assert (tally.messages, tally.findings) == (2, 2)
