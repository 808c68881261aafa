"""The labels file: what people found in real handlers by reading. The README has the format."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.accuracy.rules import answers_to, codes_of, family_of

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

CONFIDENCES = ("high", "medium", "low")

_FINDING = re.compile(r"(?P<rule>[\w-]+)@(?P<places>.+?)(?: \((?P<confidence>high|medium|low)\))?")
_PLACE = re.compile(r"(?:(?P<path>.+):)?(?P<line>\d+)")


class LabelError(Exception):
    """A labels file that does not follow the format."""


@dataclass(frozen=True, order=True)
class Place:
    """A line of a file; the path is relative to the checkout."""

    path: str
    line: int

    def __str__(self) -> str:
        return f"{self.path}:{self.line}"


@dataclass(frozen=True)
class Label:
    """A finding somebody thought about: a rule, and places where reporting it is right or wrong."""

    rule: str
    places: tuple[Place, ...]
    confidence: str = "high"
    reason: str = ""

    @property
    def place(self) -> Place:
        return self.places[0]

    @property
    def family(self) -> str:
        return family_of(self.rule)

    @property
    def codes(self) -> tuple[str, ...]:
        return codes_of(self.rule)

    @property
    def answers(self) -> tuple[str, ...]:
        return answers_to(self.rule)


@dataclass(frozen=True)
class Handler:
    """One labelled handler. `accepted` findings are neither demanded nor wrong."""

    place: Place
    name: str
    library: str
    faults: tuple[Label, ...] = ()
    tempting: tuple[Label, ...] = ()
    accepted: tuple[Label, ...] = ()
    note: str = ""


@dataclass(frozen=True)
class Repository:
    """A repository at one commit: its handlers, and findings judged after a run."""

    name: str
    commit: str
    handlers: tuple[Handler, ...] = ()
    judged_true: tuple[Label, ...] = ()
    judged_false: tuple[Label, ...] = ()

    @property
    def faults(self) -> tuple[Label, ...]:
        return _distinct(label for handler in self.handlers for label in handler.faults)

    @property
    def tempting(self) -> tuple[Label, ...]:
        return _distinct(label for handler in self.handlers for label in handler.tempting)

    @property
    def accepted(self) -> tuple[Label, ...]:
        return _distinct(label for handler in self.handlers for label in handler.accepted)


def read_labels(path: Path) -> list[Repository]:
    """Read a labels file, or every `*.toml` of a folder of them."""
    files = sorted(path.glob("*.toml")) if path.is_dir() else [path]
    return [repository for file in files for repository in _read_file(file)]


def _read_file(path: Path) -> list[Repository]:
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise LabelError(f"{path}: {error}") from error
    return [_repository(table) for table in document.get("repository", [])]


def _repository(table: Mapping[str, Any]) -> Repository:
    name = _text(table, "name", "a repository")
    judged = [_judgement(row, name) for row in table.get("judged", [])]
    return Repository(
        name=name,
        commit=_text(table, "commit", name),
        handlers=tuple(_handler(row, name) for row in table.get("handler", [])),
        judged_true=tuple(label for label, right in judged if right),
        judged_false=tuple(label for label, right in judged if not right),
    )


def _handler(row: Mapping[str, Any], repository: str) -> Handler:
    where = f"{repository}: handler {row.get('name', '?')}"
    path = _text(row, "path", where)
    confidence = _text(row, "confidence", where)
    if confidence not in CONFIDENCES:
        raise LabelError(
            f"{where}: confidence is one of {', '.join(CONFIDENCES)}, not {confidence!r}"
        )
    if not isinstance(row.get("line"), int):
        raise LabelError(f"{where}: line must be a number")

    def parsed(key: str) -> tuple[Label, ...]:
        return tuple(parse_label(text, path, confidence, where) for text in row.get(key, []))

    return Handler(
        place=Place(path, row["line"]),
        name=_text(row, "name", where),
        library=_text(row, "library", where),
        faults=parsed("faults"),
        tempting=parsed("tempting"),
        accepted=parsed("accepted"),
        note=row.get("note", ""),
    )


def _judgement(row: Mapping[str, Any], repository: str) -> tuple[Label, bool]:
    where = f"{repository}: judged {row.get('finding', '?')}"
    verdict = _text(row, "verdict", where)
    if verdict not in ("true", "false"):
        raise LabelError(f"{where}: verdict is 'true' or 'false', not {verdict!r}")
    reason = _text(row, "reason", where)
    label = parse_label(_text(row, "finding", where), "", row.get("confidence", "high"), where)
    if not label.place.path:
        raise LabelError(f"{where}: needs a path, as in CL301@src/worker.py:12")
    return Label(label.rule, label.places, label.confidence, reason), verdict == "true"


def parse_label(text: str, path: str, confidence: str, where: str) -> Label:
    """Read `RULE@LINE`, `RULE@PATH:LINE`, further places after `or`, an own confidence in brackets.

    `path` is the file meant when none is written.
    """
    found = _FINDING.fullmatch(text)
    if not found:
        raise LabelError(f"{where}: {text!r} is not RULE@LINE or RULE@PATH:LINE")
    places = tuple(_place(part, path, where) for part in found["places"].split(" or "))
    return Label(found["rule"], places, found["confidence"] or confidence)


def _place(text: str, path: str, where: str) -> Place:
    found = _PLACE.fullmatch(text.strip())
    if not found:
        raise LabelError(f"{where}: {text!r} is not LINE or PATH:LINE")
    return Place(found["path"] or path, int(found["line"]))


def _text(table: Mapping[str, Any], key: str, where: str) -> str:
    value = table.get(key)
    if not isinstance(value, str) or not value:
        raise LabelError(f"{where}: {key} is missing or no text")
    return value


def _distinct(labels: Iterable[Label]) -> tuple[Label, ...]:
    """Keep one label for each rule and place, the most confident: handlers may share a fault."""
    best: dict[tuple[str, Sequence[Place]], Label] = {}
    for label in labels:
        known = best.get((label.rule, label.places))
        if known is None or _rank(label) < _rank(known):
            best[label.rule, label.places] = label
    return tuple(best.values())


def _rank(label: Label) -> int:
    return CONFIDENCES.index(label.confidence)
