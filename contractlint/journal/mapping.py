"""What a journal's lines mean: which field plays which role, which step is which event.

rules/journal.toml has the names of the reference journal; the table `journal` of the settings adds
a project's own.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from contractlint.bundled import bundled
from contractlint.tomlfile import read_toml

# Fields that decide what a step is.
FORM_ROLES = ("event", "attempt", "requeue", "redelivered", "reason-class")
# Fields whose values are compared with each other within a job.
VALUE_ROLES = ("reason", "result-key", "effect-key", "effect-kind", "delivery-tag")
DEFAULT_LIMIT = 3
DEFAULT_PATIENCE = 300.0

Path = tuple[str, ...]


class MappingError(Exception):
    """Settings under `journal` that cannot be used. `key` leads to the mistake from there."""

    def __init__(self, key: tuple[str, ...], message: str) -> None:
        super().__init__(message)
        self.key = key


@dataclass(frozen=True, slots=True)
class Meaning:
    """The event that a step is; `without_requeue` takes its place in a step with requeue: false."""

    event: str
    attributes: Mapping[str, str] = field(default_factory=dict)
    without_requeue: str = ""


@dataclass(frozen=True)
class JournalMapping:
    """How one project's journals are read.

    `fields` are the paths of all roles; `named` the roles for which the project names a field (all,
    if it names none): only those have to be there. `steps` are known steps by the project's name,
    `references` gives the name that the reference journal has for each. `reasons` maps a reason to
    its class. `limit` 0: no limit is known. `patience` is in seconds.
    """

    fields: Mapping[str, Path]
    named: frozenset[str]
    steps: Mapping[str, Meaning]
    references: Mapping[str, str]
    reasons: Mapping[str, str]
    limit: int
    patience: float

    @property
    def judges_all(self) -> bool:
        """Is the form of every field that is read judged before?"""
        return self.named == frozenset(self.fields)

    def meaning(self, step: str) -> Meaning:
        """Return what a step is; an unknown one is an event of its own name."""
        return self.steps.get(step) or Meaning(event_name(step))


def event_name(step: str) -> str:
    """Return `step` as a word of the rules' language."""
    return re.sub(r"[^a-z0-9_-]", "_", step.lower()) or "_"


@lru_cache(maxsize=1)
def reference() -> Mapping[str, Any]:
    """Return rules/journal.toml."""
    return read_toml(bundled("rules") / "journal.toml").data


def make_mapping(table: Mapping[str, Any], limit: int = 0) -> JournalMapping:
    """Return the mapping that the settings' table `journal` asks for; `limit` 0 leaves it to them.

    Raises:
        MappingError: a role or step that does not exist.
    """
    own_fields: Mapping[str, str] = table.get("fields", {})
    known_fields: Mapping[str, str] = reference()["fields"]
    for role in own_fields:
        if role not in known_fields:
            roles = ", ".join(known_fields)
            raise MappingError(("fields", role), f"no role {role!r}; the roles are {roles}")
    steps = {name: _meaning(name, entry) for name, entry in reference()["events"].items()}
    own_steps: Mapping[str, str] = table.get("events", {})
    return JournalMapping(
        fields={role: _path(text) for role, text in {**known_fields, **own_fields}.items()},
        named=frozenset(own_fields or known_fields),
        steps=steps | {name: _own_meaning(name, step, steps) for name, step in own_steps.items()},
        references={name: name for name in steps} | dict(own_steps),
        reasons={one: kind for kind, all in table.get("reasons", {}).items() for one in all},
        limit=limit or int(table.get("limit", 0)),
        patience=float(table.get("patience", DEFAULT_PATIENCE)),
    )


def _meaning(name: str, entry: Mapping[str, Any]) -> Meaning:
    return Meaning(
        entry.get("event", name), entry.get("attributes", {}), entry.get("without-requeue", "")
    )


def _own_meaning(name: str, step: str, steps: Mapping[str, Meaning]) -> Meaning:
    if step in steps:
        return steps[step]
    meant = misspelt(step, steps)
    if meant:
        raise MappingError(("events", name), f"no step {step!r}; did you mean {meant!r}?")
    return Meaning(event_name(step))


def misspelt(step: str, steps: Mapping[str, object]) -> str:
    """Return the known step of which `step` looks like a misspelling, or an empty text."""
    import difflib

    alike = [] if step in steps else difflib.get_close_matches(step, steps, n=1, cutoff=0.85)
    return alike[0] if alike else ""


def _path(pointer: str) -> Path:
    parts = pointer.split("/")[1:]
    return tuple(part.replace("~1", "/").replace("~0", "~") for part in parts)
