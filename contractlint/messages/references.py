"""Which schemas exist: the given files, the project's own files beside them, the bundled ones.

Every reference is resolved here, before a message is read, so that no engine ever has a reason to
look elsewhere: nothing is fetched, and nothing outside the project is opened.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple
from urllib.parse import urlsplit
from urllib.request import url2pathname

from contractlint.bundled import bundled
from contractlint.findings import Problem
from contractlint.messages.branching import Branching, Spot, survey
from contractlint.messages.documents import (
    START,
    Document,
    DocumentError,
    Json,
    Place,
    decode,
    escape,
    pointer_of,
    read_json,
)

if TYPE_CHECKING:
    from referencing import Registry, Resource, Specification
    from referencing._core import Resolver
    from referencing.jsonschema import Schema

BUNDLED_PREFIX = "urn:contractlint:schema:"
_YAML_SUFFIXES = frozenset({".yaml", ".yml"})
_OLD_DRAFT = "draft-03"
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_REFERENCE_KEYWORDS = ("$ref", "$dynamicRef", "$recursiveRef")
_PLAIN_DATA = frozenset({"const", "enum", "default", "examples", "x-counter-examples"})
_NAMED_SCHEMAS = frozenset(
    {"properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"}
)


class SchemaError(Exception):
    """A schema that cannot be used, with the place of the fault. Lines and columns count from 1."""

    def __init__(self, path: str, message: str, pointer: str = "", place: Place = START) -> None:
        super().__init__(message)
        self.path = path
        self.message = message
        self.pointer = pointer
        self.place = place

    @property
    def problem(self) -> Problem:
        where = f" (at {self.pointer})" if self.pointer else ""
        return Problem(self.path, self.place.line, self.message + where)


class SchemaSet:
    """The schemas of one run. `root` is the project: files below it may be referred to.

    A schema is known by its URI (`file:` for files, `urn:contractlint:schema:NAME` for bundled
    ones) and by its `$id`.
    """

    def __init__(self, root: Path) -> None:
        from jsonschema_specifications import REGISTRY  # type: ignore[import-untyped]  # it ships no types
        from referencing import Registry

        self._root = root.resolve()
        self._names: dict[str, str] = {}
        self._documents: dict[str, Document] = {}
        # combine() keeps the standard metaschemas resolvable without any retrieval.
        empty: Registry[Schema] = Registry(retrieve=self._retrieve)  # type: ignore[call-arg]  # made by attrs
        self._registry = empty.combine(REGISTRY)

    def add_file(self, path: Path) -> str:
        """Read the JSON or YAML schema at `path` and return its URI.

        Raises:
            SchemaError: unreadable, or neither an object nor a boolean.
        """
        uri = path.resolve().as_uri()
        if uri not in self._documents:
            self.add(uri, _read(path), str(path.as_posix()))
        return uri

    def add(self, uri: str, document: Document, name: str = "") -> None:
        """Make `document` known as `uri`; `name` is what errors call it."""
        self._names[uri] = name or uri
        if not isinstance(document.value, dict | bool):
            raise self.error(uri, "a schema is an object, true or false", document=document)
        self._documents[uri] = document
        try:
            self._registry = self._registry.with_resource(uri, _resource(document.value)).crawl()
        except (TypeError, AttributeError, ValueError, LookupError):
            # The registry trusts schemas to be well-formed.
            raise self.error(uri, *_metaschema_fault(document.value)) from None

    def add_contents(self, uri: str, contents: Json) -> None:
        """Make a schema without a file known as `uri`; its places are all line 1."""
        self.add(uri, Document(contents, (), {"": START}.__getitem__))

    def contents(self, uri: str) -> Any:
        """Return the schema known as `uri`, reading it when it is bundled or in the project.

        Raises:
            LookupError: there is no such schema here, and none is fetched.
        """
        return self._registry.get_or_retrieve(uri.removesuffix("#")).value.contents

    def knows(self, uri: str) -> bool:
        """Tell whether there is a schema or metaschema of that name."""
        try:
            self.contents(uri)
        except LookupError:
            return False
        return _OLD_DRAFT not in uri

    @staticmethod
    def standard() -> list[tuple[str, Any]]:
        """Return URI and contents of the metaschemas of the drafts that are checked."""
        from jsonschema_specifications import REGISTRY

        return [(uri, REGISTRY.contents(uri)) for uri in REGISTRY if _OLD_DRAFT not in uri]

    def document(self, uri: str) -> Document:
        """Return the schema added as `uri` with its places."""
        self.contents(uri)
        return self._documents[uri]

    def error(
        self, uri: str, message: str, pointer: str = "", document: Document | None = None
    ) -> SchemaError:
        """Return an error about the schema known as `uri`, at `pointer`."""
        document = document or self._documents.get(uri)
        place = document.place(pointer) if document else START
        return SchemaError(self._names.get(uri, uri), message, pointer, place)

    def check_references(self, uri: str) -> None:
        """Resolve every reference of the schema known as `uri`, and of what it leads to.

        Raises:
            SchemaError: a reference leads out of the project or to nothing.
        """
        pending, checked = [uri], set[str]()
        while pending:
            current = pending.pop()
            checked.add(current)
            before = set(self._documents)
            self._check_one(current)
            pending += sorted(set(self._documents) - before - checked)

    def branching(self, uri: str) -> Branching:
        """Return how far the alternatives of the schema known as `uri` multiply.

        Its references must have been checked before.
        """
        return survey((self.contents(uri), self._registry.resolver(uri)), _targets)

    def _check_one(self, uri: str) -> None:
        from referencing.exceptions import Unresolvable

        for reference in _references(self.contents(uri), self._registry.resolver(uri)):
            try:
                _refuse_file_scheme(reference.target)
                reference.resolver.lookup(reference.target)
            except (Unresolvable, LookupError, ValueError) as cause:
                _raise_schema_error_behind(cause)
                raise self.error(uri, _explain(reference, cause), reference.pointer) from None

    def _retrieve(self, uri: str) -> Resource[Schema]:
        from referencing.exceptions import NoSuchResource

        path = self._path_of(uri)
        if path is None:
            raise NoSuchResource(ref=uri)  # type: ignore[call-arg]  # made by attrs
        if uri not in self._documents:
            self.add(uri, _read(path), str(path))
        return _resource(self._documents[uri].value)

    def _path_of(self, uri: str) -> Path | None:
        if uri.startswith(BUNDLED_PREFIX):
            path = bundled("schemas") / f"{uri.removeprefix(BUNDLED_PREFIX)}.schema.json"
            return path if path.parent == bundled("schemas") and path.is_file() else None
        if not uri.startswith("file:"):
            return None
        path = Path(url2pathname(urlsplit(uri).path)).resolve()
        return path if path.is_relative_to(self._root) and path.is_file() else None


class _Reference(NamedTuple):
    pointer: str
    target: str
    resolver: Resolver[Schema]


def _specification(contents: Any, default: Specification[Schema]) -> Specification[Schema]:
    from referencing.jsonschema import specification_with

    dialect = contents.get("$schema") if isinstance(contents, dict) else None
    return specification_with(dialect, default=default) if isinstance(dialect, str) else default


def _resource(contents: Any) -> Resource[Schema]:
    from referencing.jsonschema import DRAFT202012

    return _specification(contents, DRAFT202012).create_resource(contents)


def _metaschema_fault(contents: Any) -> tuple[str, str]:
    import jsonschema_rs

    try:
        jsonschema_rs.meta.validate(contents)
    except jsonschema_rs.ValidationError as error:
        return f"not a valid schema: {error.message}", pointer_of(error.instance_path)
    return "not a valid schema", ""


def _references(contents: Any, root: Resolver[Schema]) -> Iterator[_Reference]:
    from referencing.jsonschema import DRAFT202012

    specification = _specification(contents, DRAFT202012)
    stack = [("", contents, root)] if isinstance(contents, dict) else []
    while stack:
        pointer, schema, outer = stack.pop()
        resolver = outer.in_subresource(specification.create_resource(schema))
        for keyword in _REFERENCE_KEYWORDS:
            if isinstance(schema.get(keyword), str):
                yield _Reference(f"{pointer}/{keyword}", schema[keyword], resolver)
        stack += [(pointer + step, below, resolver) for step, below in _subschemas(schema)]


def _targets(spot: Spot) -> Iterator[tuple[str, Spot]]:
    from referencing.exceptions import Unresolvable

    contents, resolver = spot
    for reference in _references(contents, resolver):
        # What leads nowhere is the engine's to report, when it is reached at all.
        with suppress(Unresolvable):
            found = reference.resolver.lookup(reference.target)
            yield reference.pointer, (found.contents, found.resolver)


def _subschemas(schema: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for keyword, value in schema.items():
        if keyword in _PLAIN_DATA:
            continue
        if isinstance(value, dict) and keyword not in _NAMED_SCHEMAS:
            yield f"/{escape(keyword)}", value
        for step, below in _members(value, keyword in _NAMED_SCHEMAS):
            if isinstance(below, dict):
                yield f"/{escape(keyword)}/{escape(step)}", below


def _members(value: Any, named: bool) -> Iterable[tuple[str | int, Any]]:
    if isinstance(value, list):
        return enumerate(value)
    return value.items() if named and isinstance(value, dict) else ()


def _refuse_file_scheme(target: str) -> None:
    scheme = _SCHEME.match(target)
    if scheme and scheme[1].lower() == "file":
        raise ValueError("file: references are not followed; write a path relative to this schema")


def _raise_schema_error_behind(cause: BaseException | None) -> None:
    """The registry wraps what goes wrong while a file is read; tell that instead."""
    while cause is not None:
        if isinstance(cause, SchemaError):
            raise cause
        cause = cause.__cause__


def _explain(reference: _Reference, cause: Exception) -> str:
    target = reference.target
    if isinstance(cause, ValueError) and not isinstance(cause, LookupError):
        return f'the reference "{target}" is refused: {cause}'
    if _SCHEME.match(target):
        return f'the reference "{target}" is none of the given schemas, and nothing is fetched'
    return f'the reference "{target}" leads to nothing in the given schemas or the project'


def _read(path: Path) -> Document:
    name = path.as_posix()
    try:
        data = path.read_bytes()
        return _read_yaml(decode(data)) if path.suffix in _YAML_SUFFIXES else read_json(data)
    except OSError as error:
        raise SchemaError(name, f"cannot be read: {error.strerror}") from None
    except DocumentError as error:
        raise SchemaError(name, error.message, place=error.place) from None


def _read_yaml(text: str) -> Document:
    from contractlint.messages.yaml_reader import read_yaml

    documents = list(read_yaml(text))
    if len(documents) != 1:
        raise DocumentError(f"expected one YAML document, found {len(documents)}")
    return documents[0]
