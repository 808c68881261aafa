"""A run over files without handlers stays cheap: no parser, no processes, no schema library."""

import json
import subprocess
import sys
import time

HEAVY = {"libcst", "jsonschema", "jsonschema_rs", "rich", "multiprocessing", "concurrent.futures"}


def loaded_modules(*arguments):
    code = (
        "import atexit, json, sys\n"
        "atexit.register(lambda: print(json.dumps(sorted(sys.modules)), file=sys.stderr))\n"
        "from contractlint.cli import main\n"
        f"main({list(arguments)!r})\n"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    return set(json.loads(ran.stderr.splitlines()[-1]))


def test_files_without_handlers_load_nothing_heavy(project):
    project.write("a.py", "def f(x):\n    return x\n")
    assert loaded_modules("check", "a.py") & HEAVY == set()


def best_of(repeats, command):
    times = []
    for _ in range(repeats):
        started = time.perf_counter()
        subprocess.run(command, check=True, capture_output=True)
        times.append(time.perf_counter() - started)
    return min(times)


def test_start_takes_at_most_three_times_as_long_as_importing_click(project):
    project.write("a.py", "def f(x):\n    return x\n")
    click = best_of(7, [sys.executable, "-c", "import click"])
    check = best_of(7, [sys.executable, "-m", "contractlint", "check", "a.py"])
    assert check <= 3 * click


def test_a_tree_of_a_million_lines_is_walked_in_a_moment(project):
    """1,200 files, none with a handler; the bound leaves room for a busy machine."""
    text = "".join(f"value_{line} = compute(value, {line})\n" for line in range(850))
    for number in range(1200):
        project.write(f"package_{number % 40}/module_{number}.py", text)
    command = [sys.executable, "-m", "contractlint", "check", "--no-cache"]
    assert best_of(3, command) < 1.5
