"""Files → lines: what each one says, and what is wrong with its form."""

from __future__ import annotations

import gzip
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import IO, Any

from contractlint.journal.mapping import FORM_ROLES, VALUE_ROLES, JournalMapping, Path
from contractlint.messages.sources import Found

Values = tuple[Any, ...]
# What is read of every line: the values for FORM_ROLES, the job, and those for VALUE_ROLES if any.
Facts = tuple[Values, Any, Values | None]
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
            yield stream  # type: ignore[misc]  # a gzip file reads as a binary file does
    else:
        with found.path.open("rb") as stream:
            yield stream


def fact_reader(mapping: JournalMapping) -> ReadFacts:
    """Return a function that takes from a line what its place in a chain depends on."""
    form = [mapping.fields[role] for role in FORM_ROLES]
    values = [mapping.fields[role] for role in VALUE_ROLES]
    job = mapping.fields["job"]
    if all(len(path) == 1 for path in (*form, job, *values)):
        return _flat_reader([path[0] for path in form], job[0], [path[0] for path in values])

    def read(line: dict[str, Any]) -> Facts:
        compared = tuple(follow(line, path) for path in values)
        has_any = any(one is not None for one in compared)
        told = tuple(follow(line, path) for path in form)
        return told, follow(line, job), compared if has_any else None

    return read


def _flat_reader(form: list[str], job: str, values: list[str]) -> ReadFacts:
    has_none = frozenset(values).isdisjoint

    def read(line: dict[str, Any]) -> Facts:
        get = line.get
        return tuple(map(get, form)), get(job), None if has_none(line) else tuple(map(get, values))

    return read


def follow(value: Any, path: Path) -> Any:
    """Return the value at `path`, or None."""
    for name in path:
        value = value.get(name) if isinstance(value, dict) else None
    return value


def usable(facts: Facts) -> Facts | None:
    """Return what can be used of a line that is not as it should be, or None."""
    form, job, values = facts
    event, attempt, *booleans, reason_class = map(_plain, form)
    if not isinstance(event, str) or not event or not isinstance(job, str | int) or job == "":
        return None
    attempt = attempt if type(attempt) is int and attempt > 0 else None
    kept = (one if isinstance(one, bool) else None for one in booleans)
    return (event, attempt, *kept, reason_class), job, values and tuple(map(_plain, values))


def _plain(value: Any) -> Any:
    return None if isinstance(value, dict | list) else value
