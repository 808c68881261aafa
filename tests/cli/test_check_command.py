"""`contractlint check`: what it looks at, what it prints where, and how it exits."""

import json
import sys

import pytest

pytestmark = pytest.mark.usefixtures("line_engine")


@pytest.mark.parametrize(
    ("source", "arguments", "code"),
    [
        ("x = 1\n", [], 0),
        ("receive\n", [], 0),
        ("receive\nlose\n", [], 1),
        ("receive\nlose\n", ["--exit-zero"], 0),
        ("receive\nlose\n", ["--ignore", "CL101"], 0),
        ("\0", [], 2),
        ("\0", ["--exit-zero"], 2),
        ("x = 1\n", ["missing.py"], 2),
        ("x = 1\n", ["--select", "XX"], 2),
        ("x = 1\n", ["--no-such-option"], 2),
        ("x = 1\n", ["--output-format", "xml"], 2),
        ("x = 1\n", ["--jobs", "0"], 2),
        ("x = 1\n", ["-", "a.py"], 2),
        ("x = 1\n", ["--stdin-filename", "a.py", "a.py"], 2),
        ("x = 1\n", ["--isolated", "--config", "c.toml"], 2),
        ("x = 1\n", ["--config", "missing.toml"], 2),
    ],
)
def test_exit_codes(project, run, source, arguments, code):
    project.write("a.py", source)
    assert run("check", *arguments).exit_code == code


def test_without_paths_the_current_folder_is_checked(project, check, monkeypatch):
    project.write("a.py", "receive\nlose\n")
    project.write("app/b.py", "receive\nlose\n")
    assert [path for path, _, _ in check().found] == ["a.py", "app/b.py"]
    monkeypatch.chdir(project.root / "app")
    assert [path for path, _, _ in check().found] == ["b.py"]


def test_paths_of_the_settings(project, check, monkeypatch):
    project.write("contractlint.toml", "paths = ['app']\n")
    project.write("a.py", "receive\nlose\n")
    project.write("app/b.py", "receive\nlose\n")
    assert [path for path, _, _ in check().found] == ["app/b.py"]
    monkeypatch.chdir(project.root / "app")
    assert [path for path, _, _ in check().found] == ["b.py"]


def test_settings_are_those_of_the_paths(project, check):
    project.write("one/contractlint.toml", "ignore = ['CL101']\n")
    project.write("one/a.py", "receive\nlose\n")
    project.write("two/b.py", "receive\nlose\n")
    assert check("one").found == []
    assert check("one/a.py").found == []
    assert len(check("two").found) == 1
    assert len(check("one", "two").found) == 2


def test_isolated_ignores_settings(project, check):
    project.write("contractlint.toml", "ignore = ['CL101']\n")
    project.write("a.py", "receive\nlose\n")
    assert len(check("--isolated").found) == 1


def test_named_settings(project, check):
    project.write("conf/other.toml", "ignore = ['CL101']\n[per-file-ignores]\n'/a.py' = ['ALL']\n")
    project.write("a.py", "receive\nlose\n# contractlint: ignore\n")
    assert len(check().found) == 2
    assert check("--config", "conf/other.toml").found == []


def test_broken_settings_still_give_a_document(project, check):
    project.write("pyproject.toml", "[tool.contractlint]\nselct = []\n")
    project.write("a.py", "receive\nlose\n")
    ran = check()
    assert ran.exit_code == 2
    [(path, line, message)] = ran.errors
    assert (path, line) == ("pyproject.toml", 2)
    assert "selct" in message


def test_broken_rule_files_still_give_a_document(project, check):
    project.write("contractlint.toml", "rules = ['own.toml']\n")
    project.write("own.toml", "code = 'X'\n")
    ran = check()
    assert ran.exit_code == 2
    assert {path for path, _, _ in ran.errors} == {"own.toml"}


def test_standard_input(project, check):
    ran = check("-", stdin=b"receive\nlose\n")
    assert ran.found == [("-", 2, "CL101")]


def test_standard_input_under_a_name(project, check):
    project.write("contractlint.toml", "[per-file-ignores]\n'quiet.py' = ['ALL']\n")
    arguments = ("-", "--stdin-filename")
    assert check(*arguments, "loud.py", stdin=b"receive\nlose\n").found == [("loud.py", 2, "CL101")]
    assert check(*arguments, "quiet.py", stdin=b"receive\nlose\n").found == []
    assert check(*arguments, "x.py", stdin=b"\0").errors == [("x.py", 1, "holds a NUL byte")]


def test_output_file(project, run):
    project.write("a.py", "receive\nlose\n")
    ran = run("check", "--output-format", "json", "--output", "report.json")
    assert (ran.exit_code, ran.out) == (1, "")
    document = json.loads((project.root / "report.json").read_text(encoding="utf-8"))
    assert document["summary"]["findings"] == 1


def test_output_file_that_cannot_be_written(project, run):
    ran = run("check", "--output", "no/such/folder/report.txt")
    assert ran.exit_code == 2
    assert "cannot be written" in ran.err


def test_every_file_is_accounted_for(project, check):
    project.write("a.py", "receive\n")
    project.write("b.py", "x = 1\n")
    project.write("c.py", "\0")
    project.write("d.py", "segfault\n")
    summary = check().document["summary"]
    assert summary == {"files": 4, "handlers": 1, "findings": 0, "errors": 2}


def test_handler_table(project, run):
    project.write("a.py", "receive\n")
    project.write("longer.py", "\nreceive\n")
    assert run("check", "--list-handlers", "--quiet").out == (
        "a.py:1       on_1  pika\nlonger.py:2  on_2  pika\n"
    )


def test_quiet_says_nothing_when_all_is_well(project, run):
    project.write("a.py", "receive\n")
    assert run("check", "--quiet").out == ""
    assert run("check").out == "0 findings in 1 file, 1 handler\n"


def test_colour_needs_a_terminal_and_no_no_color(project, run, monkeypatch):
    from contractlint.cli.common import wants_colour

    monkeypatch.delenv("NO_COLOR", raising=False)
    assert not wants_colour(None)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True)
    assert wants_colour(None)
    assert not wants_colour("report.txt")
    monkeypatch.setenv("NO_COLOR", "1")
    assert not wants_colour(None)


def test_text_that_the_terminal_cannot_show(project, run):
    project.write("a.py", "receive\nlose = 'Ж'\n")
    assert "lose = 'Ж'" in run("check").out


def test_hostile_tree(project, check):
    project.write("good.py", "receive\nlose\n")
    project.write("empty.py", "")
    project.write("x.py/inner.py", "receive\nlose\n")
    project.write("nul.py", "a\n\0")
    project.write("bytes.py", b"a\nb\n\xff")
    project.write("deep.py", "lose\n" + "(" * 5000)
    project.write("crash.py", "segfault")
    (project.root / "dangling.py").symlink_to("nowhere")
    (project.root / "loop.py").symlink_to("loop.py")
    ran = check()
    assert ran.exit_code == 2
    assert ran.found == [("good.py", 2, "CL101"), ("x.py/inner.py", 2, "CL101")]
    assert [(path, line) for path, line, _ in ran.errors] == [
        ("bytes.py", 3),
        ("crash.py", 1),
        ("dangling.py", 0),
        ("deep.py", 2),
        ("loop.py", 0),
        ("nul.py", 2),
    ]


@pytest.mark.skipif(sys.platform != "linux", reason="file names are text elsewhere")
def test_file_names_that_are_not_text(project, check, run):
    with open(b"\xff.py", "wb") as file:
        file.write(b"receive\nlose\n")
    for _ in range(2):
        assert check().found == [("\udcff.py", 2, "CL101")]
    assert "\\udcff.py:2:1: CL101" in run("check").out
