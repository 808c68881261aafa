"""The form of a journal's line: journal.schema.json, with a project's names in it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any

from contractlint.bundled import bundled
from contractlint.journal.mapping import JournalMapping, Path, reference
from contractlint.messages.validation import Checker

Schema = dict[str, Any]


def line_checker(mapping: JournalMapping) -> Checker:
    """Return what tells whether a line has the form that `mapping` asks for."""
    import jsonschema_rs

    return Checker(jsonschema_rs.validator_for(line_schema(mapping), validate_formats=True))


def line_schema(mapping: JournalMapping) -> Schema:
    """Return the schema of one line. Of the fields only those in `mapping.named` are judged."""
    written: Schema = json.loads((bundled("schemas") / "journal.schema.json").read_text("utf-8"))
    roles = {pointer[1:]: role for role, pointer in reference()["fields"].items()}
    paths = {name: mapping.fields[roles[name]] for name in written["properties"] if name in roles}
    judged = {name: path for name, path in paths.items() if roles[name] in mapping.named}
    needed = {name: paths[name] for name in written["required"]}
    return {
        "$schema": written["$schema"],
        "type": "object",
        "allOf": [
            *(_with(path) for path in needed.values()),
            *(_at(path, written["properties"][n]) for n, path in {**needed, **judged}.items()),
            *_demands(written["$defs"], judged, mapping, paths["event"]),
        ],
    }


def _demands(
    written: Schema, judged: Mapping[str, Path], mapping: JournalMapping, event: Path
) -> Iterator[Schema]:
    """Yield what single steps need: an attempt, a reason, the name of a result."""
    for demand in written.values():
        steps = demand["if"]["properties"]["event"]["enum"]
        names = [name for name, step in mapping.references.items() if step in steps]
        for name in demand["then"]["required"]:
            if name in judged:
                yield {"if": _at(event, {"enum": names}, _with(event)), "then": _with(judged[name])}


def _with(path: Path) -> Schema:
    """Return the schema of objects with a value at `path`."""
    first, rest = path[0], path[1:]
    below = {"properties": {first: _with(rest)}} if rest else {}
    return {"required": [first], **below}


def _at(path: Path, schema: Schema, also: Schema | None = None) -> Schema:
    """Return the schema of objects whose value at `path`, if there is one, satisfies `schema`."""
    for name in reversed(path):
        schema = {"properties": {name: schema}}
    return {"allOf": [schema, also]} if also else schema
