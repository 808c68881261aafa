"""Checks files in child processes, so that a file that kills the parser costs only itself."""

from __future__ import annotations

import multiprocessing
import os
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from typing import Any

from contractlint import engine
from contractlint.engine import EngineSettings, FileResult
from contractlint.findings import Problem
from contractlint.project.sources import deepest_line, nesting_problem

# Chains of thousands of elif are legal Python and nest as deeply as that.
_RECURSION_LIMIT = 250_000
_STACK_SIZES = (1 << 29, 1 << 27, 1 << 25)

# The parser can ask for memory faster than its time runs out.
_MEMORY_LIMIT = 4 << 30

# A busy machine is not the file's fault: processor time counts, and the clock only ends what waits.
_TELLS_PROCESSOR_TIME = hasattr(signal, "setitimer")
_PATIENCE = 20 if _TELLS_PROCESSOR_TIME else 1
_OUT_OF_TIME = -signal.SIGPROF if _TELLS_PROCESSOR_TIME else None


@dataclass(frozen=True, slots=True)
class Task:
    """One file to check: its printed path and its bytes."""

    path: str
    source: bytes


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a task. It is `final` when running it again would give the same."""

    task: Task
    result: FileResult
    final: bool = True


def default_jobs() -> int:
    """Return the number of processors this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def run_tasks(
    tasks: Sequence[Task], settings: EngineSettings, root: str, jobs: int, time_limit: float
) -> Iterator[Outcome]:
    """Yield the outcome of each task, in the order in which they end.

    `time_limit` is for each file, in seconds of processor time where the system can tell (not on
    Windows), else of the clock. A process that dies is replaced.
    """
    waiting = deque(tasks)
    idle = [_Worker(settings, root, time_limit) for _ in range(min(jobs, len(tasks)))]
    busy: list[_Worker] = []
    try:
        while waiting or busy:
            while waiting and idle:
                busy.append(idle.pop())
                busy[-1].begin(waiting.popleft())
            done = _ended(busy)
            for worker in done:
                yield worker.finish()
            idle += done
            busy = [worker for worker in busy if worker not in done]
    finally:
        for worker in idle + busy:
            worker.stop()


def _ended(busy: Sequence[_Worker]) -> list[_Worker]:
    """Wait until a worker has something to say or its time is up."""
    rest = min(worker.deadline for worker in busy) - time.monotonic()
    ready = wait([worker.connection for worker in busy], max(rest, 0))
    now = time.monotonic()
    return [w for w in busy if w.connection in ready or w.deadline <= now]


class _Worker:
    """One child process with at most one task at a time."""

    def __init__(self, settings: EngineSettings, root: str, time_limit: float) -> None:
        self._arguments = (settings, root, time_limit)
        self._time_limit = time_limit
        self.deadline = 0.0
        self._start()

    def _start(self) -> None:
        context = _context()
        self.connection, theirs = context.Pipe()
        arguments = (theirs, *self._arguments)
        self._process = context.Process(target=_serve, args=arguments, daemon=True)
        self._process.start()
        # With our copy open, the death of the child would not close the pipe.
        theirs.close()

    def begin(self, task: Task) -> None:
        self._task = task
        self.deadline = time.monotonic() + self._time_limit * _PATIENCE
        try:
            self.connection.send(task)
        except OSError:
            self.deadline = 0.0

    def finish(self) -> Outcome:
        """Return the outcome of the task; afterwards the worker is ready for the next."""
        try:
            if self.connection.poll():
                return Outcome(self._task, self.connection.recv())
            in_time = False
        except (EOFError, OSError):
            self._process.join()
            in_time = self._process.exitcode != _OUT_OF_TIME
        self.stop()
        message = (
            "the parser crashed" if in_time else f"took more than {self._time_limit:g} seconds"
        )
        self._start()
        line = deepest_line(self._task.source)
        return Outcome(self._task, failed(self._task.path, line, message), final=False)

    def stop(self) -> None:
        self._process.kill()
        self._process.join()
        self.connection.close()


def _context() -> Any:
    # A fork is the fastest start, and safe here: this process has one thread.
    method = "fork" if sys.platform == "linux" else "spawn"
    return multiprocessing.get_context(method)


def failed(path: str, line: int, message: str) -> FileResult:
    return FileResult((), (Problem(path, line, message),), (), ())


def _serve(connection: Connection, settings: EngineSettings, root: str, time_limit: float) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _limit_memory()
    _in_deep_thread(lambda: _answer(connection, settings, root, time_limit))


def _limit_memory() -> None:
    if sys.platform != "linux":
        return
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_AS)
    if hard == resource.RLIM_INFINITY or hard > _MEMORY_LIMIT:
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_LIMIT, hard))


def _in_deep_thread(work: Callable[[], None]) -> None:
    for size in _STACK_SIZES:
        try:
            threading.stack_size(size)
            thread = threading.Thread(target=work)
            thread.start()
        except (RuntimeError, ValueError):
            continue
        thread.join()
        return
    work()


def _answer(connection: Connection, settings: EngineSettings, root: str, time_limit: float) -> None:
    while True:
        try:
            task = connection.recv()
        except (EOFError, OSError):
            return
        with _processor_time(time_limit):
            result = check_task(task, settings, root)
        connection.send(result)


@contextmanager
def _processor_time(seconds: float) -> Iterator[None]:
    """Let the process die when it has computed for so long, whatever code it is in by then."""
    if not _TELLS_PROCESSOR_TIME:
        yield
        return
    signal.setitimer(signal.ITIMER_PROF, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def check_task(task: Task, settings: EngineSettings, root: str) -> FileResult:
    """Check one file; whatever goes wrong becomes a problem of this file."""
    problem = nesting_problem(task.path, task.source)
    if problem:
        return FileResult((), (problem,), (), ())
    try:
        with _deep_recursion():
            return engine.check_source(task.path, task.source, settings, root)
    # The parser's panics are no Exceptions; a file that breaks us must not break the run.
    except BaseException as error:
        return failed(task.path, deepest_line(task.source), _reason(error))


@contextmanager
def _deep_recursion() -> Iterator[None]:
    """Python's own parser must not see this limit: it would no longer refuse what it should."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(_RECURSION_LIMIT)
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)


def _reason(error: BaseException) -> str:
    if isinstance(error, RecursionError):
        return "nested too deeply"
    if isinstance(error, MemoryError):
        return "took too much memory"
    return f"cannot be checked ({type(error).__name__}: {error})"
