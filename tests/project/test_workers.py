"""A file that breaks the parser costs only itself."""

import os
import time

import pytest

pytestmark = pytest.mark.usefixtures("line_engine")


@pytest.fixture
def good_files(project):
    for name in ("a", "m", "z"):
        project.write(f"{name}.py", "receive\nlose\n")
    return [(f"{name}.py", 2, "CL101") for name in ("a", "m", "z")]


@pytest.mark.parametrize("jobs", ["1", "3"])
@pytest.mark.parametrize(
    ("text", "line", "message"),
    [
        ("x\nsegfault((", 2, "the parser crashed"),
        ("raise_inside", 1, "cannot be checked (ZeroDivisionError: by zero)"),
        ("recurse", 1, "nested too deeply"),
        ("\nlose" + "(" * 3000, 2, "not valid Python: too many nested parentheses"),
    ],
)
def test_breaking_files(project, check, good_files, jobs, text, line, message):
    project.write("broken.py", text + "\n")
    ran = check("--jobs", jobs)
    assert ran.exit_code == 2
    assert ran.found == good_files
    [(path, where, said)] = ran.errors
    assert (path, said) == ("broken.py", message)
    assert where in (1, line)


def test_many_crashes(project, check, good_files):
    for number in range(6):
        project.write(f"crash{number}.py", "segfault\n")
    ran = check("--jobs", "2")
    assert ran.found == good_files
    assert len(ran.errors) == 6


@pytest.mark.parametrize("word", ["compute", "hang"])
def test_time_limit(project, check, good_files, word):
    project.write("contractlint.toml", "time-limit = 0.2\n")
    project.write("slow.py", f"x\n{word}(\n")
    started = time.monotonic()
    ran = check("--jobs", "1")
    assert time.monotonic() - started < 20
    assert ran.found == good_files
    assert [(path, message) for path, _, message in ran.errors] == [
        ("slow.py", "took more than 0.2 seconds")
    ]


def test_time_in_which_others_have_the_processor_does_not_count(project, check, good_files):
    project.write("contractlint.toml", "time-limit = 0.2\n")
    project.write("slow.py", "be_held_up\n")
    ran = check("--jobs", "1")
    assert (ran.found, ran.errors) == (good_files, [])


def test_problems_the_engine_reports(project, check, good_files):
    project.write("broken.py", "receive\nx = $\n")
    ran = check()
    assert ran.errors == [("broken.py", 2, "not valid Python")]
    assert ran.found == good_files


def test_no_child_is_left_behind(project, check, good_files):
    project.write("crash.py", "segfault\n")
    check("--jobs", "3")
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_same_bytes_for_any_number_of_jobs(project, check):
    for number in range(30):
        project.write(f"{number}.py", "receive\nlose\n" * (number % 4))
    project.write("crash.py", "segfault\n")
    outputs = {check("--jobs", jobs, "--no-cache").out for jobs in ("1", "2", "7", "2")}
    assert len(outputs) == 1


def test_deep_stack_in_workers(project, check, monkeypatch):
    from contractlint import engine
    from contractlint.engine import FileResult

    def nest(depth):
        return 0 if depth == 0 else 1 + max([nest(depth - 1)], key=abs)

    def check_source(path, source, settings, root):
        assert nest(20_000) == 20_000
        return FileResult((), (), (), ())

    monkeypatch.setattr(engine, "check_source", check_source)
    project.write("a.py", "receive\n")
    assert check().errors == []
