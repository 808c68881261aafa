"""A project to check, a command to run in it, and a stand-in for the engine.

The stand-in reads one line at a time, so that a test of files, caches and reports need not know
any broker: `receive` starts a handler, `lose` is a fault (CL101), and some words break the parser.
"""

from __future__ import annotations

import json
import signal
import sys
import time
from dataclasses import dataclass
from inspect import signature
from pathlib import Path

import pytest
from click.testing import CliRunner

from contractlint import engine
from contractlint.cli import main
from contractlint.engine import EngineSettings, FileResult, HandlerRecord
from contractlint.findings import Finding, Problem, Step


@dataclass
class Project:
    """A folder that is also the current one."""

    root: Path

    def write(self, path: str, content: str | bytes = "") -> Path:
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(content, bytes):
            file.write_bytes(content)
        else:
            file.write_text(content, encoding="utf-8")
        return file


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    root = tmp_path / "project"
    (root / ".git").mkdir(parents=True)
    monkeypatch.chdir(root)
    return Project(root)


@dataclass
class Ran:
    """What a command did."""

    exit_code: int
    out: str
    err: str

    @property
    def document(self) -> dict:
        return json.loads(self.out)

    @property
    def found(self) -> list[tuple[str, int, str]]:
        return [(one["path"], one["line"], one["code"]) for one in self.document["findings"]]

    @property
    def errors(self) -> list[tuple[str, int, str]]:
        return [(one["path"], one["line"], one["message"]) for one in self.document["errors"]]


# Before 8.2 click mixed standard error into standard output unless told otherwise.
SEPARATE = {"mix_stderr": False} if "mix_stderr" in signature(CliRunner).parameters else {}


@pytest.fixture
def run():
    def run(*arguments: str, stdin: bytes | None = None) -> Ran:
        result = CliRunner(**SEPARATE).invoke(main, arguments, input=stdin)
        if result.exception and not isinstance(result.exception, SystemExit):
            raise result.exception
        return Ran(result.exit_code, result.stdout, result.stderr)

    return run


@pytest.fixture
def check(run):
    """`contractlint check … --output-format json`."""

    def check(*arguments: str, stdin: bytes | None = None) -> Ran:
        return run("check", "--output-format", "json", *arguments, stdin=stdin)

    return check


@pytest.fixture
def line_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    if sys.platform != "linux":
        pytest.skip("workers see the stand-in only when they are forked")
    monkeypatch.setattr(engine, "might_matter", _might_matter)
    monkeypatch.setattr(engine, "check_source", _check_source)


WORDS = (
    *(b"receive", b"lose", b"segfault", b"hang", b"compute", b"be_held_up"),
    *(b"raise_inside", b"recurse", b"swallow"),
)


def _might_matter(source: bytes, settings: EngineSettings) -> bool:
    return any(word in source for word in WORDS)


def _check_source(path: str, source: bytes, settings: EngineSettings, root: str) -> FileResult:
    _count_calls(root)
    lines = source.decode().splitlines()
    handlers = [line for line, text in enumerate(lines, 1) if "receive" in text]
    findings = []
    for line, text in enumerate(lines, 1):
        _break_if_asked(text)
        if "lose" in text and "CL101" in settings.codes:
            handler = max((start for start in handlers if start < line), default=line)
            findings.append(_finding(path, line, text, handler))
    depends = tuple(text.split()[-1] for text in lines if text.startswith("# depends on"))
    problems = tuple(
        Problem(path, line, "not valid Python") for line, text in enumerate(lines, 1) if "$" in text
    )
    records = tuple(
        HandlerRecord(path, line, len(lines), f"on_{line}", "pika") for line in handlers
    )
    return FileResult(tuple(findings), problems, records, depends)


def _break_if_asked(text: str) -> None:
    if "segfault" in text:
        signal.raise_signal(signal.SIGKILL)
    if "hang" in text:
        time.sleep(60)
    if "be_held_up" in text:
        time.sleep(1)
    while "compute" in text:
        pass
    if "raise_inside" in text:
        raise ZeroDivisionError("by zero")
    if "recurse" in text:
        raise RecursionError


def _count_calls(root: str) -> None:
    with open(Path(root) / "engine-calls", "a", encoding="utf-8") as file:
        file.write("x")


@pytest.fixture
def engine_calls(project: Project):
    """How often the stand-in has been asked, in whatever process."""

    def engine_calls() -> int:
        file = project.root / "engine-calls"
        return len(file.read_text(encoding="utf-8")) if file.exists() else 0

    return engine_calls


def _finding(path: str, line: int, text: str, handler: int) -> Finding:
    start = len(text) - len(text.lstrip())
    return Finding(
        code="CL101",
        rule="ack-before-persist",
        severity="error",
        confidence="high",
        path=path,
        line=line,
        column=start + 1,
        end_line=line,
        end_column=len(text.split("#")[0].rstrip()) + 1,
        handler=f"on_{handler}",
        message="delivery acknowledged before its result is recorded",
        fix="Acknowledge last.",
        scenario=(
            Step(path, handler, "receive", "the broker delivers"),
            Step(path, line, "ack", "acknowledged"),
            Step(path, 0, "crash", "the process dies: the work is lost"),
        ),
        anchors=((path, handler),),
    )
