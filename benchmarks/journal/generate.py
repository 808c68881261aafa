"""Write the journal of a busy worker; every hundredth job is one that goes wrong."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

# How many jobs are in the workers' hands at the same time.
IN_FLIGHT = 50

Line = dict[str, Any]


def job(number: int) -> Iterator[Line]:
    """Yield the steps of one job."""
    name = f"export-{number:08}"
    key = f"reports/{name}.csv"
    yield {"event": "received", "jobId": name, "attempt": 1, "redelivered": False}
    if number % 100 == 99:
        yield {"event": "ack_sent", "jobId": name, "attempt": 1}
        yield {"event": "result_saved", "jobId": name, "attempt": 1, "resultKey": key}
        return
    attempt = 1
    if number % 10 == 0:
        reason = {"reason": "upstream-timeout", "reasonClass": "transient"}
        yield {"event": "retry_scheduled", "jobId": name, "attempt": 1, **reason}
        attempt = 2
        yield {"event": "received", "jobId": name, "attempt": 2, "redelivered": True}
    yield {"event": "result_saved", "jobId": name, "attempt": attempt, "resultKey": key}
    yield {"event": "ack_sent", "jobId": name, "attempt": attempt}


def lines(count: int) -> Iterator[Line]:
    """Yield `count` lines of jobs that are worked on side by side."""
    number, running = 0, []
    for turn in range(count):
        if len(running) < IN_FLIGHT:
            running.append(job(number))
            number += 1
        place = turn % len(running)
        line = next(running[place], None)
        while line is None:
            running[place] = job(number)
            number += 1
            line = next(running[place], None)
        yield line


def write(target: Path, count: int) -> None:
    with target.open("w", encoding="utf-8") as file:
        for line in lines(count):
            file.write(json.dumps(line) + "\n")


if __name__ == "__main__":
    write(Path(sys.argv[1]), int(sys.argv[2]))
