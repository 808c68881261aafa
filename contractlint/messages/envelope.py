"""What a project's settings demand of every message: which roles, and in which fields."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from contractlint.messages.roles import Roles

# What the contract asks of each message of a team that has a field for it.
_CORE = frozenset({"id", "source", "kind", "effect-key", "schema-version"})


class EnvelopeField(NamedTuple):
    """A role, the paths at which it may stand, and whether every message has to carry it."""

    role: str
    paths: tuple[tuple[str, ...], ...]
    required: bool


Envelope = tuple[EnvelopeField, ...]


def configured_envelope(root: Path, table: Mapping[str, Any]) -> Envelope:
    """Return the envelope that the `messages` table names; empty if it names none.

    Raises:
        SettingsError: an unknown profile or role, or a schema that cannot be used.
    """
    if not any(table.get(key) for key in ("roles", "schema", "profile")):
        return ()
    from contractlint.findings import Problem
    from contractlint.messages.references import SchemaError
    from contractlint.messages.roles import RoleError, roles_from_schema, roles_from_table
    from contractlint.messages.settings import SettingsError

    try:
        schema = _schema(root, table)
        annotated = roles_from_schema(schema)
        named = roles_from_table(table.get("roles", {}))
    except SchemaError as error:
        raise SettingsError(error.problem) from None
    except RoleError as error:
        raise SettingsError(Problem("", 0, str(error))) from None
    return tuple(_fields(named.over(annotated), frozenset(named.pointers), schema))


def _schema(root: Path, table: Mapping[str, Any]) -> Any:
    from contractlint.messages.references import SchemaSet
    from contractlint.messages.settings import Wishes, schema_uri

    schemas = SchemaSet(root)
    uri = schema_uri(schemas, root, table, Wishes())
    return schemas.contents(uri) if uri else {}


def _fields(roles: Roles, named: frozenset[str], schema: Any) -> Iterator[EnvelopeField]:
    for role in sorted(roles.pointers):
        paths = roles.paths(role)
        asked = any(_requires(schema, schema, path) for path in paths)
        required = role == "id" or asked or (role in named and role in _CORE)
        yield EnvelopeField(role, paths, required)


def _requires(root: Any, schema: Any, path: tuple[str, ...], depth: int = 12) -> bool:
    """Does every object that the schema accepts have a value at `path`?"""
    if not isinstance(schema, dict) or depth == 0:
        return False
    if path[0] in schema.get("required", ()):
        below = schema.get("properties", {}).get(path[0], {})
        if len(path) == 1 or _requires(root, below, path[1:], depth - 1):
            return True
    if _requires(root, _target(root, schema.get("$ref")), path, depth - 1):
        return True
    if any(_requires(root, one, path, depth - 1) for one in schema.get("allOf", ())):
        return True
    ways = (schema.get("anyOf"), schema.get("oneOf"))
    return any(way and all(_requires(root, one, path, depth - 1) for one in way) for way in ways)


def _target(root: Any, reference: Any) -> Any:
    """Return what a reference inside the document means."""
    if not isinstance(reference, str) or not reference.startswith("#"):
        return None
    for part in reference.split("/")[1:]:
        part = part.replace("~1", "/").replace("~0", "~")
        root = root.get(part) if isinstance(root, dict) else None
    return root
