"""Which field of a message plays which part in the contract."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from contractlint.messages.documents import Json, escape
from contractlint.messages.references import BUNDLED_PREFIX

ROLE_KEYWORD = "x-contract-role"

Pointers = tuple[str, ...]


class Facts(NamedTuple):
    """What the contract wants to know of one message; None where the message does not say."""

    id: Any = None
    source: Any = None
    kind: Any = None
    effect_key: Any = None
    effect_kind: Any = None
    sequence_key: Any = None
    sequence: Any = None
    schema_version: Any = None
    attempt: Any = None
    time: Any = None
    compensation_key: Any = None
    compensates: Any = None
    reason: Any = None

    def simple(self) -> Facts:
        """Return the facts without those that are objects or arrays, which identify nothing."""
        return Facts._make([None if isinstance(one, dict | list) else one for one in self])

    def order_only(self) -> Facts:
        """Return what decides about order, and nothing else."""
        return Facts(
            id=self.id,
            source=self.source,
            sequence_key=self.sequence_key,
            sequence=self.sequence,
        )


_NO_FACTS: list[Any] = [None] * len(Facts._fields)
ROLES = tuple(name.replace("_", "-") for name in Facts._fields)


class RoleError(Exception):
    """A role that does not exist, or one without a JSON Pointer."""


@dataclass(frozen=True)
class Roles:
    """Role name to the JSON Pointers where its value may stand; the first that exists counts."""

    pointers: Mapping[str, Pointers] = field(default_factory=dict)

    def pointer(self, role: str) -> str:
        """Return where `role` stands, or "" when no field plays it."""
        return self.pointers.get(role, ("",))[0]

    def paths(self, role: str) -> tuple[tuple[str, ...], ...]:
        """Return the member names that lead to `role`, one tuple a pointer."""
        return tuple(_parts(pointer) for pointer in self.pointers.get(role, ()))

    def __contains__(self, role: str) -> bool:
        return role in self.pointers

    def over(self, other: Roles) -> Roles:
        """Return these roles, completed with those of `other`."""
        return Roles({**other.pointers, **self.pointers})

    def reader(self) -> FactReader:
        return FactReader(self)


class FactReader:
    """Reads the facts of many messages; the pointers are taken apart once."""

    def __init__(self, roles: Roles) -> None:
        places = [(place, roles.paths(role)) for place, role in enumerate(ROLES)]
        deep = [(place, choices) for place, choices in places if choices]
        self._names = [(place, choices[0][0]) for place, choices in deep if _is_name(choices)]
        self._pairs = [
            (place, choices[0][0], choices[0][1]) for place, choices in deep if _is_pair(choices)
        ]
        self._deep = [
            (place, choices)
            for place, choices in deep
            if not _is_name(choices) and not _is_pair(choices)
        ]

    def read(self, message: dict[str, Json]) -> Facts:
        """Return the facts of `message` as they stand there."""
        values, get = _NO_FACTS.copy(), message.get
        for place, name in self._names:
            values[place] = get(name)
        for place, outer, inner in self._pairs:
            below = get(outer)
            if type(below) is dict:
                values[place] = below.get(inner)
        for place, choices in self._deep:
            values[place] = _first(message, choices)
        # What Facts._make does, without counting the fields of every message.
        return tuple.__new__(Facts, values)


def _is_pair(choices: tuple[tuple[str, ...], ...]) -> bool:
    return len(choices) == 1 and len(choices[0]) == 2


def _is_name(choices: tuple[tuple[str, ...], ...]) -> bool:
    return len(choices) == 1 and len(choices[0]) == 1


def _parts(pointer: str) -> tuple[str, ...]:
    parts = pointer.split("/")[1:]
    return tuple(part.replace("~1", "/").replace("~0", "~") for part in parts)


def _first(message: Json, choices: tuple[tuple[str, ...], ...]) -> Json:
    for path in choices:
        value = _follow(message, path)
        if value is not None:
            return value
    return None


def _follow(value: Json, path: Iterable[str]) -> Json:
    for part in path:
        if isinstance(value, dict):
            value = value.get(part)
        elif isinstance(value, list) and part.isdecimal() and int(part) < len(value):
            value = value[int(part)]
        else:
            return None
    return value


def roles_from_table(table: Mapping[str, Any]) -> Roles:
    """Return the roles of a configuration table: role name to one pointer or a list of them.

    Raises:
        RoleError: an unknown role, or a value that is no JSON Pointer.
    """
    return Roles({role: _pointers(role, value) for role, value in table.items()})


def _pointers(role: str, value: Any) -> Pointers:
    if role not in ROLES:
        raise RoleError(f'there is no role "{role}"; the roles are {", ".join(ROLES)}')
    pointers = tuple(value) if isinstance(value, list | tuple) else (value,)
    if not pointers or not all(isinstance(item, str) and item[:1] == "/" for item in pointers):
        raise RoleError(f'the role "{role}" needs a JSON Pointer such as "/{role}"')
    return pointers


def roles_from_schema(schema: Json) -> Roles:
    """Return the roles that `schema` annotates with `x-contract-role`.

    Raises:
        RoleError: an annotation names no role.
    """
    found: dict[str, Pointers] = {}
    for pointer, role in _annotations(schema, schema, "", frozenset()):
        found[role] = (*found.get(role, ()), *_pointers(role, pointer))
    return Roles(found)


def _annotations(
    root: Json, schema: Json, pointer: str, open_references: frozenset[str]
) -> Iterator[tuple[str, str]]:
    if not isinstance(schema, dict):
        return
    if isinstance(schema.get(ROLE_KEYWORD), str):
        yield pointer, schema[ROLE_KEYWORD]
    reference = schema.get("$ref")
    if isinstance(reference, str) and reference not in open_references:
        target = _follow(root, _parts(reference[1:])) if reference[:1] == "#" else None
        yield from _annotations(root, target, pointer, open_references | {reference})
    for keyword in ("allOf", "anyOf", "oneOf"):
        for below in schema.get(keyword, ()):
            yield from _annotations(root, below, pointer, open_references)
    for name, below in _properties(schema).items():
        yield from _annotations(root, below, f"{pointer}/{escape(name)}", open_references)


def _properties(schema: dict[str, Json]) -> dict[str, Json]:
    properties = schema.get("properties")
    return properties if isinstance(properties, dict) else {}


def allowed_values(schema: Json, pointer: str) -> list[Json] | None:
    """Return the values that `const` or `enum` allow at `pointer`, or None when any will do."""
    if not pointer:
        return None
    path = [step for part in _parts(pointer) for step in ("properties", part)]
    below = _follow(schema, path)
    if not isinstance(below, dict):
        return None
    return [below["const"]] if "const" in below else below.get("enum")


PROFILES = {
    "contractlint": BUNDLED_PREFIX + "envelope",
    "cloudevents": BUNDLED_PREFIX + "event",
}
