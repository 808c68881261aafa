"""Runs contractlint on one folder as a process of its own, with wall time and peak memory."""

from __future__ import annotations

import json
import os
import posixpath
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

DEFAULT_COMMAND = (sys.executable, "-I", "-m", "contractlint")
"""Isolated (-I), so that no module of the checkout can stand in for one of ours."""


@dataclass(frozen=True)
class Finding:
    """What the benchmark needs to know of a finding."""

    code: str
    path: str
    line: int
    end_line: int
    message: str = ""
    steps: frozenset[tuple[str, int]] = frozenset()


@dataclass(frozen=True)
class ListedHandler:
    """A handler the linter says it has seen."""

    path: str
    line: int
    end_line: int
    name: str


@dataclass(frozen=True)
class Run:
    """One run of the linter. `failure` says why there is no usable document."""

    findings: tuple[Finding, ...] = ()
    handlers: tuple[ListedHandler, ...] = ()
    files: int = 0
    errors: tuple[str, ...] = ()
    seconds: float = 0.0
    peak_mib: float | None = None
    failure: str = ""


def run_check(
    folder: Path,
    codes: Sequence[str],
    command: Sequence[str] = DEFAULT_COMMAND,
    timeout: float = 900.0,
    keep: Path | None = None,
) -> Run:
    """Check a folder from inside it, so that paths are relative. `keep` receives the JSON."""
    argv = [
        *command,
        "check",
        "--no-cache",
        "--isolated",
        "--list-handlers",
        "--output-format=json",
        f"--select={','.join(codes)}",
        ".",
    ]
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        start = time.perf_counter()
        code, peak = _wait(argv, folder, out, err, timeout)
        seconds = time.perf_counter() - start
        stdout, stderr = _content(out), _content(err)
    if keep is not None:
        keep.write_text(stdout, encoding="utf-8")
    return _run(code, stdout, stderr, seconds, peak)


def _wait(
    argv: Sequence[str], folder: Path, out: IO[bytes], err: IO[bytes], timeout: float
) -> tuple[int, float | None]:
    process = subprocess.Popen(argv, cwd=folder, stdin=subprocess.DEVNULL, stdout=out, stderr=err)
    killer = threading.Timer(timeout, process.kill)
    killer.start()
    try:
        return _reap(process)
    finally:
        killer.cancel()


def _reap(process: subprocess.Popen[bytes]) -> tuple[int, float | None]:
    """Wait; the peak is that of the largest process, None where the system does not tell."""
    if not hasattr(os, "wait4"):
        return process.wait(), None
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    unit = 1 if sys.platform == "darwin" else 1024
    return process.returncode, usage.ru_maxrss * unit / 2**20


def _content(stream: IO[bytes]) -> str:
    stream.seek(0)
    return stream.read().decode("utf-8", errors="replace")


def _run(code: int, stdout: str, stderr: str, seconds: float, peak: float | None) -> Run:
    try:
        run = parse_document(json.loads(stdout), seconds, peak)
    except (ValueError, KeyError, TypeError) as error:
        last = (stderr.strip() or "nothing on standard error").splitlines()[-1]
        failure = f"exit code {code}, no usable JSON ({type(error).__name__}: {error}); {last}"
        return Run(seconds=seconds, peak_mib=peak, failure=failure)
    if run.files == 0:
        return replace(run, failure=f"no file was checked; {'; '.join(run.errors[:3])}")
    return run


def parse_document(
    document: Mapping[str, Any], seconds: float = 0.0, peak: float | None = None
) -> Run:
    """Read the linter's JSON document."""
    return Run(
        findings=tuple(_finding(item) for item in document["findings"]),
        handlers=tuple(_handler(item) for item in document.get("handlers", [])),
        files=document["summary"]["files"],
        errors=tuple(f"{e['path']}:{e['line']} {e['message']}" for e in document["errors"]),
        seconds=seconds,
        peak_mib=peak,
    )


def _finding(item: Mapping[str, Any]) -> Finding:
    return Finding(
        code=item["code"],
        path=posixpath.normpath(item["path"]),
        line=item["line"],
        end_line=item.get("end_line") or item["line"],
        message=item["message"],
        steps=frozenset(
            (posixpath.normpath(step["path"]), step["line"]) for step in item.get("scenario", [])
        ),
    )


def _handler(item: Mapping[str, Any]) -> ListedHandler:
    end_line = item.get("end_line") or item["line"]
    path = posixpath.normpath(item["path"])
    return ListedHandler(path, item["line"], end_line, item.get("name", ""))
