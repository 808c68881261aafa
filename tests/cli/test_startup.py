"""A run over files without handlers stays cheap: what it does not need is not imported.

How long it takes is measured by benchmarks/speed.
"""

import json
import subprocess
import sys

import pytest

PARSER = {"libcst", "contractlint.code.modules", "contractlint.vocabulary"}
PROCESSES = {"multiprocessing", "concurrent.futures", "contractlint.project.workers"}
SCHEMAS = {"jsonschema", "jsonschema_rs", "referencing"}
OTHERS = {"difflib", "pathspec", "rich", "ruamel.yaml", "traceback"}
HEAVY = PARSER | PROCESSES | SCHEMAS | OTHERS


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


@pytest.mark.parametrize("arguments", [["check", "a.py"], ["check"], ["check", "--no-cache", "."]])
def test_files_without_handlers_load_nothing_heavy(project, arguments):
    project.write("a.py", "def f(x):\n    return x\n")
    project.write("package/b.py", "import json\n")
    assert loaded_modules(*arguments) & HEAVY == set()


@pytest.mark.parametrize("arguments", [["--version"], ["--help"], ["rules"]])
def test_what_checks_nothing_loads_no_parser(project, arguments):
    assert loaded_modules(*arguments) & (PARSER | PROCESSES) == set()


def test_a_file_with_a_word_is_parsed(project):
    project.write("a.py", "import pika\n")
    assert "contractlint.project.workers" in loaded_modules("check", "--no-cache", "a.py")


def test_a_large_tree_needs_no_parser_either(project):
    """The words are then sought by a faster engine, and still nothing is parsed."""
    text = "".join(f"value_{line} = compute(value, {line})\n" for line in range(850))
    for number in range(40):
        project.write(f"package/module_{number}.py", text)
    assert loaded_modules("check", "--no-cache") & (PARSER | PROCESSES) == set()
