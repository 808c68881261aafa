"""The cache saves parsing and is never believed wrongly."""

import json
import os

import pytest

from contractlint.project.cache import FOLDER

pytestmark = pytest.mark.usefixtures("line_engine")


@pytest.fixture
def parsed(check, engine_calls):
    """Run a check; return how many files were parsed for it."""

    def parsed(*arguments):
        before = engine_calls()
        parsed.ran = check(*arguments)
        return engine_calls() - before

    return parsed


@pytest.fixture
def cache_file(project):
    return project.root / FOLDER / "results.json"


def test_a_second_run_parses_nothing_and_says_the_same(project, parsed):
    project.write("a.py", "receive\nlose\n")
    project.write("b.py", "receive\n$\n")
    assert parsed("--list-handlers") == 2
    first = parsed.ran
    assert parsed("--list-handlers") == 0
    assert parsed.ran == first
    assert first.found == [("a.py", 2, "CL101")]
    assert first.errors == [("b.py", 2, "not valid Python")]


def test_a_changed_file_is_parsed_again(project, parsed):
    project.write("a.py", "receive\nlose\n")
    project.write("b.py", "receive\n")
    parsed()
    project.write("a.py", "receive\n\nlose\n")
    assert parsed() == 1
    assert parsed.ran.found == [("a.py", 3, "CL101")]


def test_what_depends_on_every_source_is_parsed_again_when_one_comes_or_changes(project, parsed):
    project.write("a.py", "receive\n# depends on **\n")
    assert parsed() == 1
    assert parsed() == 0
    project.write("deep/helper.py", "x = 1\n")
    assert parsed() == 1
    project.write("deep/helper.py", "x = 2\n")
    assert parsed() == 1
    project.write("deep/notes.txt", "x\n")
    assert parsed() == 0


def test_a_file_is_parsed_again_when_what_it_depends_on_changes(project, parsed):
    project.write("a.py", "receive\n# depends on helper.py\n")
    assert parsed() == 1
    assert parsed() == 0
    project.write("helper.py", "x = 1\n")
    assert parsed() == 1
    assert parsed() == 0
    project.write("helper.py", "x = 2\n")
    assert parsed() == 1


def test_other_settings_are_another_key(project, parsed):
    project.write("a.py", "receive\nlose\n")
    parsed()
    assert parsed("--select", "CL901") == 1
    assert parsed.ran.found == []


def test_own_rule_files_are_part_of_the_key(project, parsed):
    rule = "name='own'\nseverity='info'\nsummary='s'\npattern='!ack'\nwhy='w'\nfix='f'\n"
    project.write("contractlint.toml", "rules = ['own.toml']\n")
    project.write("own.toml", f"code='OWN001'\n{rule}")
    project.write("a.py", "receive\n")
    parsed()
    project.write("own.toml", f"code='OWN001'\n{rule}".replace("!ack", "!ack ... effect"))
    assert parsed() == 1


def test_entries_of_other_files_survive_a_run_over_one(project, parsed):
    project.write("a.py", "receive\n")
    project.write("b.py", "receive\n")
    parsed()
    project.write("c.py", "receive\n")
    parsed("c.py")
    assert parsed() == 0


def test_where_the_command_runs_does_not_mix_up_paths(project, parsed, monkeypatch):
    project.write("app/a.py", "receive\nlose\n")
    parsed()
    monkeypatch.chdir(project.root / "app")
    parsed()
    assert parsed.ran.found == [("a.py", 2, "CL101")]


def test_crashes_are_tried_again(project, parsed, engine_calls):
    project.write("a.py", "segfault\n")
    assert parsed() == 1
    assert parsed() == 1


@pytest.mark.parametrize(
    "damage",
    [
        lambda text: "",
        lambda text: text[: len(text) // 2],
        lambda text: text.replace("CL101", "CL999"),
        lambda text: "\ud800\0 not JSON",
        lambda text: "[" * 100_000,
    ],
)
def test_a_damaged_cache_is_ignored(project, parsed, cache_file, damage):
    project.write("a.py", "receive\nlose\n")
    parsed()
    text = cache_file.read_text(encoding="utf-8")
    cache_file.write_bytes(damage(text).encode("utf-8", "surrogatepass"))
    assert parsed() == 1
    assert parsed.ran.found == [("a.py", 2, "CL101")]
    assert parsed() == 0


def test_no_cache_neither_reads_nor_writes(project, parsed, cache_file):
    project.write("a.py", "receive\n")
    assert parsed("--no-cache") == 1
    assert not cache_file.exists()
    parsed()
    assert parsed("--no-cache") == 1


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everything")
def test_a_folder_that_cannot_be_written_is_no_error(project, parsed):
    project.write("a.py", "receive\n")
    project.root.chmod(0o555)
    parsed()
    assert parsed.ran.exit_code == 0


def test_a_file_in_the_place_of_the_folder_is_no_error(project, parsed):
    project.write("a.py", "receive\n")
    project.write(FOLDER, "in the way")
    assert parsed() == 1
    assert parsed.ran.exit_code == 0


def test_the_cache_is_json_and_keeps_out_of_git(project, parsed, cache_file):
    project.write("a.py", "receive\n")
    parsed()
    json.loads(cache_file.read_text(encoding="utf-8").split("\n", 1)[1])
    assert (cache_file.parent / ".gitignore").read_text() == "*\n"


def test_entries_of_files_that_are_gone_are_dropped(project, parsed, cache_file):
    project.write("a.py", "receive\n")
    project.write("b.py", "receive\n")
    parsed()
    (project.root / "b.py").unlink()
    project.write("a.py", "receive \n")
    parsed()
    assert "b.py" not in cache_file.read_text(encoding="utf-8")
