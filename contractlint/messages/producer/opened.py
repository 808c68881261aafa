"""A message schema made ready: its subschemas for the search, its validator for the proof."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from contractlint.messages.documents import START, Document, Json, pointer_of
from contractlint.messages.producer.documents import File, MessageSchema
from contractlint.messages.producer.nodes import Home, Node
from contractlint.messages.references import SchemaError, SchemaSet
from contractlint.messages.validation import Checker, compile_schema

_METASCHEMAS = {
    4: "http://json-schema.org/draft-04/schema#",
    6: "http://json-schema.org/draft-06/schema#",
    7: "http://json-schema.org/draft-07/schema#",
    2019: "https://json-schema.org/draft/2019-09/schema",
    2020: "https://json-schema.org/draft/2020-12/schema",
}
_PART = ".part"
_MOST_FAULTS = 20


@dataclass(frozen=True)
class Opened:
    """One message schema with everything needed to ask about it."""

    schema: MessageSchema
    home: Home
    node: Node
    checker: Checker


def metaschema_faults(schema: MessageSchema) -> Iterator[tuple[str, str]]:
    """Yield (pointer, message) where the schema breaks the metaschema it declares."""
    value = at_pointer(schema.file.document.value, schema.pointer)
    for number, error in enumerate(_metaschema(schema.draft).iter_errors(value)):
        if number == _MOST_FAULTS:
            return
        text = str(error.message).splitlines()[0]
        yield schema.pointer + pointer_of(error.instance_path), text[:240]


@lru_cache
def _metaschema(draft: int) -> Any:
    import jsonschema_rs
    from jsonschema_specifications import REGISTRY  # type: ignore[import-untyped]  # it ships no types

    return jsonschema_rs.validator_for(REGISTRY.contents(_METASCHEMAS[draft]))


def at_pointer(value: Json, pointer: str) -> Json:
    """Return the value at `pointer`, which exists."""
    for step in pointer.split("/")[1:]:
        name = step.replace("~1", "/").replace("~0", "~")
        value = value[int(name)] if isinstance(value, list) else value[name]
    return value


def open_schema(schema: MessageSchema, root: Path, others: Callable[[], Sequence[File]]) -> Opened:
    """Make `schema` ready. References reach files below `root`, and `others` by their `$id`.

    Raises:
        SchemaError: a reference is refused or leads nowhere, or the schema cannot be compiled.
    """
    file = schema.file
    schemas = _schema_set(file, root, ())
    try:
        schemas.check_references(file.uri)
    except SchemaError:
        rest = [one for one in others() if one.identity and one.identity != file.identity]
        schemas = _schema_set(file, root, rest)
        schemas.check_references(file.uri)
    home = Home(schemas)
    node = home.node(file.uri, schema.pointer, schema.draft)
    return Opened(schema, home, node, _checker(schemas, schema))


def _schema_set(file: File, root: Path, others: Sequence[File]) -> SchemaSet:
    schemas = SchemaSet(root)
    for other in (*others, file):
        if isinstance(other.document.value, dict | bool):
            schemas.add(other.uri, other.document, other.shown)
    return schemas


def _checker(schemas: SchemaSet, schema: MessageSchema) -> Checker:
    uri = schema.file.uri
    if not schema.pointer:
        return compile_schema(schemas, uri)
    # A relative reference beside the file: absolute file references are refused, also ours.
    target = f"./{uri.rpartition('/')[2]}#{quote(schema.pointer)}"
    part = {"$schema": _METASCHEMAS[schema.draft], "$ref": target}
    schemas.add(uri + _PART, Document(part, (), {"": START}.__getitem__), schema.file.shown)
    return compile_schema(schemas, uri + _PART)
