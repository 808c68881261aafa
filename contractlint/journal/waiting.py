"""Jobs that are queued and wait to be received: how long is too long?"""

from __future__ import annotations

from datetime import datetime
from typing import Any, NamedTuple


class Waiting(NamedTuple):
    """Since when a job waits: the line, its time as it is written, and the queue."""

    position: int
    time: Any
    queue: Any


class Waits:
    """The jobs that have not been received yet."""

    def __init__(self, patience: float) -> None:
        self._patience = patience
        self._waiting: dict[Any, Waiting] = {}
        self._overtaken: dict[Any, int] = {}

    def __bool__(self) -> bool:
        return bool(self._waiting)

    def begin(self, job: Any, waiting: Waiting) -> None:
        self._waiting[job] = waiting

    def end(self, job: Any) -> None:
        """The job is received: others of its queue that waited longer have been overtaken."""
        waiting = self._waiting.pop(job, None)
        if waiting is not None:
            last = self._overtaken.get(waiting.queue, -1)
            self._overtaken[waiting.queue] = max(last, waiting.position)

    def is_overdue(self, job: Any, now: Any) -> bool:
        """Tell whether `job` has waited too long at the journal's last time, `now`.

        Without times it has if a job that was queued later has been received.
        """
        waiting = self._waiting.get(job)
        if waiting is None:
            return False
        since, until = _moment(waiting.time), _moment(now)
        if since is None or until is None:
            return self._overtaken.get(waiting.queue, -1) > waiting.position
        return (until - since).total_seconds() >= self._patience


def _moment(time: Any) -> datetime | None:
    if not isinstance(time, str):
        return None
    try:
        moment = datetime.fromisoformat(time.replace("Z", "+00:00").replace("z", "+00:00"))
    except ValueError:
        return None
    return moment if moment.tzinfo else None
