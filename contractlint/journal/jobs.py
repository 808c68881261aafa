"""Which jobs are open, and what is still known of those that are closed.

Memory grows with the open jobs. A closed job is kept for a while: what comes after its end, a
repeat above all, is judged together with what came before.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

DEFAULT_REMEMBER = 20_000

# What is known of a job: step, position and values of each line, one after the other.
Trace = list[Any]
STRIDE = 3


class Jobs:
    """Traces by job.

    Of the closed jobs at least the last `remember` are kept, and at most twice as many.
    """

    def __init__(self, remember: int = DEFAULT_REMEMBER) -> None:
        self.open: dict[Any, Trace] = {}
        self._remember = remember
        self._closed: dict[Any, Trace] = {}
        self._old: dict[Any, Trace] = {}

    def reopen(self, job: Any) -> Trace:
        """Return the trace of a job that is not open: a closed one, or a new one."""
        trace = self._closed.pop(job, None) or self._old.pop(job, None) or []
        self.open[job] = trace
        return trace

    def close(self, job: Any) -> Iterable[tuple[Any, Trace]]:
        """Put an open job aside; return the jobs that are forgotten for it."""
        self._closed[job] = self.open.pop(job)
        if len(self._closed) < self._remember:
            return ()
        forgotten, self._old, self._closed = self._old, self._closed, {}
        return forgotten.items()

    def remaining(self) -> Iterator[tuple[Any, Trace]]:
        """Yield all jobs that are not forgotten yet, in the order of their first lines."""
        kept = [*self._old.items(), *self._closed.items(), *self.open.items()]
        yield from sorted(kept, key=lambda item: item[1][1])
