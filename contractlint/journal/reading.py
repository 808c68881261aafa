"""Files → lines: what each one says, and what is wrong with its form."""

from __future__ import annotations

import gzip
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, Any

from contractlint.journal.mapping import FORM_ROLES, VALUE_ROLES, JournalMapping, Path
from contractlint.messages.sources import Found

# What is read of every line: the form of the step, the job, and the values to compare.
ROLES = (*FORM_ROLES, "job", *VALUE_ROLES)
JOB_PLACE = len(FORM_ROLES)

Facts = tuple[Any, ...]
ReadFacts = Callable[[dict[str, Any]], Facts]


@contextmanager
def opened(found: Found) -> Iterator[IO[bytes]]:
    """Open a journal; one whose name ends in .gz is unpacked as it is read.

    Raises:
        OSError: it cannot be opened.
    """
    if found.path is None:
        yield sys.stdin.buffer
    elif found.path.suffix == ".gz":
        with gzip.open(found.path) as stream:
            yield stream  # type: ignore[misc]
    else:
        with found.path.open("rb") as stream:
            yield stream


def fact_reader(mapping: JournalMapping) -> ReadFacts:
    """Return a function that takes from a line the values for ROLES, None where there is none."""
    paths = [mapping.fields[role] for role in ROLES]
    names = [path[0] for path in paths]
    deep = [(place, path) for place, path in enumerate(paths) if len(path) > 1]
    if not deep:
        return lambda line: tuple(map(line.get, names))

    def read(line: dict[str, Any]) -> Facts:
        values = list(map(line.get, names))
        for place, path in deep:
            values[place] = follow(line, path)
        return tuple(values)

    return read


def follow(value: Any, path: Path) -> Any:
    """Return the value at `path`, or None."""
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def usable(facts: Facts) -> Facts | None:
    """Return what can be used of a line that is not as it should be, or None."""
    plain = tuple(None if isinstance(one, dict | list) else one for one in facts)
    job, event = plain[JOB_PLACE], plain[0]
    if not isinstance(event, str) or not event or not isinstance(job, str | int) or job == "":
        return None
    attempt = plain[1] if type(plain[1]) is int and plain[1] > 0 else None
    flags = (one if isinstance(one, bool) else None for one in plain[2:4])
    return (event, attempt, *flags, *plain[4:])
