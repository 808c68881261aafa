"""From files to message schemas: JSON Schema, AsyncAPI 2 and 3, OpenAPI 3.1 webhooks."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from contractlint.messages.documents import (
    Document,
    DocumentError,
    decode,
    escape,
    read_json,
)
from contractlint.messages.producer.nodes import DIALECTS, LATEST, dialect_of
from contractlint.messages.references import SchemaError

SUFFIXES = frozenset({".json", ".yaml", ".yml"})
_YAML = frozenset({".yaml", ".yml"})
_SKIPPED = frozenset({"node_modules", "__pycache__"})
_LARGEST = 32 * 1024 * 1024
_METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
_SCHEMA_WORDS = frozenset(
    [
        "$schema",
        "$ref",
        "$defs",
        "definitions",
        "type",
        "properties",
        "required",
        "allOf",
        "anyOf",
        "oneOf",
        "not",
        "if",
        "enum",
        "const",
        "items",
        "additionalProperties",
        "patternProperties",
    ]
)


@dataclass(frozen=True)
class MessageSchema:
    """The schema of one kind of message: the place `pointer` in the document `file`.

    `foreign`: the schema language when it is not JSON Schema, and nothing can be said.
    """

    file: File
    pointer: str
    name: str
    draft: int
    foreign: str = ""


@dataclass(frozen=True)
class File:
    """One document. `path` is where it is, `shown` what it is called, `key` what it is compared by.

    `named`: it was given by name, not found in a folder.
    """

    path: Path
    shown: str
    key: str
    document: Document = field(compare=False)
    named: bool = True

    @property
    def uri(self) -> str:
        return self.path.resolve().as_uri()

    @property
    def identity(self) -> str:
        """The `$id` of the document, or ""."""
        value = self.document.value
        named = value.get("$id", value.get("id")) if isinstance(value, dict) else None
        return named if isinstance(named, str) else ""


def read_file(path: Path, shown: str, key: str, named: bool = True) -> File:
    """Read one JSON or YAML document.

    Raises:
        SchemaError: unreadable, not JSON or YAML, or too large.
    """
    try:
        if path.stat().st_size > _LARGEST:
            raise SchemaError(shown, f"larger than {_LARGEST >> 20} MiB")
        data = path.read_bytes()
        document = _read_yaml(data) if path.suffix in _YAML else read_json(data)
    except OSError as error:
        raise SchemaError(shown, f"cannot be read: {error.strerror}") from None
    except DocumentError as error:
        raise SchemaError(shown, error.message, place=error.place) from None
    return File(path, shown, key, document, named)


def _read_yaml(data: bytes) -> Document:
    from contractlint.messages.yaml_reader import read_yaml

    documents = list(read_yaml(decode(data)))
    if len(documents) != 1:
        raise DocumentError(f"expected one YAML document, found {len(documents)}")
    return documents[0]


def paths_below(folder: Path) -> Iterator[Path]:
    """Yield the JSON and YAML files below `folder`; links and hidden folders are not followed."""
    for entry in sorted(os.scandir(folder), key=lambda one: one.name):
        if entry.name.startswith(".") or entry.name in _SKIPPED or entry.is_symlink():
            continue
        path = Path(entry.path)
        if entry.is_dir():
            yield from paths_below(path)
        elif entry.is_file() and path.suffix in SUFFIXES:
            yield path


def looks_like_schemas(file: File) -> bool:
    """Tell whether a file found in a folder holds schemas at all."""
    value = file.document.value
    if not isinstance(value, dict):
        return False
    if "asyncapi" in value or "openapi" in value:
        return True
    dialect = value.get("$schema")
    if isinstance(dialect, str):
        return "json-schema.org" in dialect
    is_called_schema = ".schema." in file.path.name
    describes = isinstance(value.get("properties"), dict) or "allOf" in value or "oneOf" in value
    return is_called_schema or (describes and ("type" in value or "$id" in value))


def message_schemas(file: File) -> list[MessageSchema]:
    """Return the schemas of messages in `file`.

    Raises:
        SchemaError: the document is none of the kinds that are known, or readers may disagree
            what it says.
    """
    _refuse_ambiguous(file)
    value = file.document.value
    if isinstance(value, dict) and "asyncapi" in value:
        return list(_async_api(file, value))
    if isinstance(value, dict) and "openapi" in value:
        return list(_open_api(file, value))
    if isinstance(value, bool) or (isinstance(value, dict) and _SCHEMA_WORDS & value.keys()):
        return [MessageSchema(file, "", file.identity or file.path.name, dialect_of(value))]
    raise SchemaError(file.shown, "neither JSON Schema nor an AsyncAPI or OpenAPI document")


def _refuse_ambiguous(file: File) -> None:
    for flaw in file.document.flaws:
        if flaw.check == "duplicate-json-key":
            raise SchemaError(file.shown, flaw.message, flaw.pointer, flaw.place)
    try:
        json.dumps(file.document.value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        message = "a string has half of a surrogate pair, which is no character"
        raise SchemaError(file.shown, message) from None


def is_library(schema: MessageSchema) -> bool:
    """Tell whether a document only defines schemas for others to use."""
    value = schema.file.document.value
    return not schema.pointer and isinstance(value, dict) and not (_CONSTRAINTS & value.keys())


_CONSTRAINTS = _SCHEMA_WORDS - {"$schema", "$defs", "definitions"}


# --- AsyncAPI -------------------------------------------------------------------------------------


def _async_api(file: File, root: dict[str, Any]) -> Iterator[MessageSchema]:
    for pointer, message in _async_messages(root):
        if "$ref" in message or "payload" not in message:
            continue
        named = message.get("name") or message.get("messageId") or pointer.rpartition("/")[2]
        payload, place = message["payload"], f"{pointer}/payload"
        language = message.get("schemaFormat")
        if isinstance(payload, dict) and "schemaFormat" in payload and "schema" in payload:
            language, payload, place = payload["schemaFormat"], payload["schema"], f"{place}/schema"
        if isinstance(payload, dict | bool):
            yield MessageSchema(file, place, str(named), *_language(language))


def _language(named: Any) -> tuple[int, str]:
    """Return the draft, and the name of the language when it is not JSON Schema."""
    if not isinstance(named, str) or "aai.asyncapi" in named:
        return 7, ""
    if "schema+json" in named or "schema+yaml" in named:
        return next((draft for word, draft in DIALECTS.items() if word in named), 7), ""
    return 7, named


def _async_messages(root: dict[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    for name, message in _members(root, "components", "messages"):
        yield f"/components/messages/{escape(name)}", message
    for channel_name, channel in _members(root, "channels"):
        at = f"/channels/{escape(channel_name)}"
        for name, message in _members(channel, "messages"):
            yield f"{at}/messages/{escape(name)}", message
        for verb in ("publish", "subscribe"):
            for _, operation in _members({verb: channel.get(verb)}):
                yield from _alternatives(f"{at}/{verb}/message", operation.get("message"))


def _alternatives(pointer: str, message: Any) -> Iterator[tuple[str, dict[str, Any]]]:
    if not isinstance(message, dict):
        return
    listed = message.get("oneOf")
    if not isinstance(listed, list):
        yield pointer, message
        return
    for index, one in enumerate(listed):
        if isinstance(one, dict):
            yield f"{pointer}/oneOf/{index}", one


def _members(value: Any, *steps: str) -> Iterator[tuple[str, dict[str, Any]]]:
    for step in steps:
        value = value.get(step) if isinstance(value, dict) else None
    for name, below in value.items() if isinstance(value, dict) else ():
        if isinstance(below, dict):
            yield name, below


# --- OpenAPI --------------------------------------------------------------------------------------


def _open_api(file: File, root: dict[str, Any]) -> Iterator[MessageSchema]:
    dialect = root.get("jsonSchemaDialect")
    draft = dialect_of({"$schema": dialect}) if isinstance(dialect, str) else LATEST
    for name, hook in _members(root, "webhooks"):
        for method in _METHODS:
            for _, operation in _members({method: hook.get(method)}):
                at = f"/webhooks/{escape(name)}/{method}/requestBody"
                body, at = _followed(root, operation.get("requestBody"), at)
                yield from _bodies(file, body, at, name, draft)


def _bodies(file: File, body: Any, at: str, name: str, draft: int) -> Iterator[MessageSchema]:
    for media, content in _members(body, "content"):
        if "json" in media and isinstance(content.get("schema"), dict | bool):
            yield MessageSchema(file, f"{at}/content/{escape(media)}/schema", name, draft)


def _followed(root: Any, value: Any, pointer: str) -> tuple[Any, str]:
    """Follow one reference inside the document."""
    reference = value.get("$ref") if isinstance(value, dict) else None
    if not isinstance(reference, str) or not reference.startswith("#/"):
        return value, pointer
    found = root
    for step in reference[2:].split("/"):
        name = step.replace("~1", "/").replace("~0", "~")
        found = found.get(name) if isinstance(found, dict) else None
    return found, reference[1:]
