"""What the roles demand of a schema, written as JSON Schemas that every message must satisfy."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import reduce
from typing import Any

from contractlint.messages.documents import Json
from contractlint.messages.producer.meaning import in_place
from contractlint.messages.producer.nodes import Node
from contractlint.messages.roles import Roles

EMPTY: list[Json] = ["", None, {}, []]
_NAMES = {
    "id": "id",
    "schema-version": "version",
    "effect-key": "effect-key",
    "source": "source",
    "kind": "kind",
}
_MAY_NOT_BE_EMPTY = ("id", "effect-key")


@dataclass(frozen=True)
class Requirement:
    """`rule` is broken when a message breaks `demand`; `pointer` is the place to change."""

    rule: str
    pointer: str
    demand: Json


def requirements(node: Node, roles: Roles) -> Iterator[Requirement]:
    """Yield what `roles` demand of the message schema `node`."""
    yield Requirement("message-not-an-object", node.pointer, {"type": "object"})
    for role, name in _NAMES.items():
        if role in roles:
            yield from _identifying(node, role, name, member_path(node, roles, role))
    if "time" in roles:
        yield from _time(node, member_path(node, roles, "time"))
    if "sequence" in roles and "sequence-key" in roles:
        yield from _sequence(
            node, member_path(node, roles, "sequence"), member_path(node, roles, "sequence-key")
        )


Path = tuple[str, ...]


def member_path(node: Node, roles: Roles, role: str) -> Path:
    """Return where `role` stands: its first place that the schema declares, else its first."""
    paths = [_parts(pointer) for pointer in roles.pointers[role]]
    return next((path for path in paths if declared(node, path)), paths[0])


def _parts(pointer: str) -> Path:
    return tuple(step.replace("~1", "/").replace("~0", "~") for step in pointer.split("/")[1:])


def _identifying(node: Node, role: str, name: str, path: Path) -> Iterator[Requirement]:
    listed = _required_place(node, path)
    yield Requirement(f"{name}-not-required", listed, present(path))
    places = declared(node, path)
    if not places and not _is_required(node, path):
        return
    place = places[0].pointer if places else listed
    if role in _MAY_NOT_BE_EMPTY:
        yield Requirement(f"{name}-may-be-empty", place, inside(path, {"not": {"enum": EMPTY}}))
    if role == "schema-version":
        known = {"enum": mentioned_values(node, path)}
        yield Requirement("version-not-pinned", place, inside(path, known))


def _time(node: Node, path: Path) -> Iterator[Requirement]:
    for place in declared(node, path)[:1]:
        demand = inside(path, {"type": "string", "format": "date-time"})
        yield Requirement("time-without-format", place.pointer, demand)


def _sequence(node: Node, number: Path, key: Path) -> Iterator[Requirement]:
    places = declared(node, number) or declared(node, key)
    if places:
        both = {"allOf": [present(number), present(key)]}
        neither = {"allOf": [{"not": present(number)}, {"not": present(key)}]}
        yield Requirement("sequence-without-key", places[0].pointer, {"anyOf": [both, neither]})


def present(path: Path) -> Json:
    """Return a schema of objects that have a member at `path`."""
    return _nested(path, None)


def inside(path: Path, demand: Json) -> Json:
    """Return a schema of values that satisfy `demand` at `path` if they have it."""
    return reduce(lambda below, name: {"properties": {name: below}}, reversed(path), demand)


def _nested(path: Path, below: Json) -> Json:
    name, *rest = path
    schema: dict[str, Any] = {"type": "object", "required": [name]}
    if rest:
        schema["properties"] = {name: _nested(tuple(rest), below)}
    return schema


# --- what a schema says about a place -------------------------------------------------------------


def applied(nodes: list[Node]) -> list[Node]:
    """Return `nodes` and all subschemas that apply to the same value, the outer ones first."""
    found: list[Node] = []
    pending = list(nodes)
    while pending:
        node = pending.pop(0)
        if node not in found:
            found.append(node)
            pending += in_place(node)
    return found


def declared(node: Node, path: Path) -> list[Node]:
    """Return the subschemas that are written for the member at `path`, the outer ones first."""
    nodes = [node]
    for name in path:
        nodes = [
            owner.child("properties", name)
            for owner in applied(nodes)
            if _has_property(owner, name)
        ]
    return nodes


def _has_property(node: Node, name: str) -> bool:
    return not isinstance(node.contents, bool) and name in node.contents.get("properties", ())


def mentioned_values(node: Node, path: Path) -> list[Json]:
    """Return every value that `const` or `enum` name for the member at `path`."""
    found: list[Json] = []
    for place in applied(declared(node, path)):
        contents = place.contents if isinstance(place.contents, dict) else {}
        found += [contents["const"]] if "const" in contents else []
        found += contents.get("enum", [])
    return found


def _required_place(node: Node, path: Path) -> str:
    """Return the place of the `required` that should list the last name of `path`."""
    for depth in range(len(path), 0, -1):
        owners = applied(declared(node, path[: depth - 1]))
        name = path[depth - 1]
        best = [owner for owner in owners if _has_property(owner, name)] or owners[:1]
        if best and isinstance(best[0].contents, dict):
            return f"{best[0].pointer}/required"
    return f"{node.pointer}/required"


def _is_required(node: Node, path: Path) -> bool:
    owners = applied(declared(node, path[:-1]))
    return any(
        isinstance(owner.contents, dict) and path[-1] in owner.contents.get("required", ())
        for owner in owners
    )
