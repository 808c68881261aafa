"""A subschema and where it stands, with its references resolved on demand."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, cast
from urllib.parse import quote

from contractlint.messages.documents import escape
from contractlint.messages.references import SchemaSet

if TYPE_CHECKING:
    from referencing import Registry, Resource
    from referencing._core import Resolver
    from referencing.jsonschema import Schema

Key = int | bool

DIALECTS = {"draft-04": 4, "draft-06": 6, "draft-07": 7, "2019-09": 2019, "2020-12": 2020}
LATEST = 2020

ONE_SCHEMA = frozenset(
    [
        "additionalProperties",
        "additionalItems",
        "items",
        "contains",
        "not",
        "if",
        "then",
        "else",
        "propertyNames",
        "unevaluatedProperties",
        "unevaluatedItems",
    ]
)
SCHEMA_LISTS = frozenset(["allOf", "anyOf", "oneOf", "prefixItems", "items"])
SCHEMA_MAPS = frozenset(["properties", "patternProperties", "dependentSchemas", "dependencies"])
_WITHOUT_MEANING = frozenset(
    [
        "$schema",
        "$id",
        "id",
        "$anchor",
        "$comment",
        "$defs",
        "definitions",
        "title",
        "description",
        "default",
        "examples",
        "deprecated",
        "readOnly",
        "writeOnly",
        "contentEncoding",
        "contentMediaType",
        "contentSchema",
    ]
)
_SINCE = {
    6: "const contains propertyNames",
    7: "if then else",
    2019: "dependentRequired dependentSchemas minContains maxContains unevaluatedProperties "
    "unevaluatedItems",
    2020: "prefixItems $dynamicRef",
}
_UNTIL = {7: "dependencies", 2019: "additionalItems $recursiveRef"}
_FIRST = {word: draft for draft, words in _SINCE.items() for word in words.split()}
_LAST = {word: draft for draft, words in _UNTIL.items() for word in words.split()}
_REFERENCES = frozenset({"$ref", "$dynamicRef", "$recursiveRef"})
_UNORDERED = frozenset({"type", "required", "enum"})


class Home:
    """The documents of one side of a comparison; knows the place of every subschema in them."""

    def __init__(self, schemas: SchemaSet) -> None:
        from referencing import Registry

        self._schemas = schemas
        self._places: dict[int, tuple[str, str]] = {}
        self._drafts: dict[str, int] = {}
        # What was worked out about subschemas, by their key; they live as long as this object.
        self.terms: dict[Key, Any] = {}
        self.failures: dict[Key, Any] = {}
        self.fingerprints: dict[Key, str | None] = {}
        self._registry: Registry[Schema] = Registry(retrieve=self._retrieve)  # type: ignore[call-arg]  # made by attrs

    def node(self, uri: str, pointer: str = "", draft: int | None = None) -> Node:
        """Return the subschema at `pointer` of the document known as `uri`.

        Raises:
            LookupError: there is no such document or place.
        """
        resolved = self._registry.resolver(uri).lookup(f"#{quote(pointer)}")
        self._drafts[uri] = draft or dialect_of(self._schemas.contents(uri))
        return Node(resolved.contents, resolved.resolver, self._drafts[uri], uri, pointer, self)

    def place(self, contents: Any, default: tuple[str, str]) -> tuple[str, str]:
        """Return the document and pointer of a subschema."""
        return self._places.get(id(contents), default)

    def draft(self, uri: str) -> int:
        """Return the draft in which the document known as `uri` is written."""
        if uri not in self._drafts:
            self._drafts[uri] = dialect_of(self._schemas.contents(uri))
        return self._drafts[uri]

    def _retrieve(self, uri: str) -> Resource[Schema]:
        from referencing.exceptions import NoSuchResource
        from referencing.jsonschema import DRAFT202012, specification_with

        try:
            contents = self._schemas.contents(uri)
        except LookupError:
            raise NoSuchResource(ref=uri) from None  # type: ignore[call-arg]  # made by attrs
        self._places |= {id(below): (uri, where) for where, below in _objects(contents)}
        named = contents.get("$schema") if isinstance(contents, dict) else None
        known = specification_with(named, default=DRAFT202012) if isinstance(named, str) else None
        return (known or DRAFT202012).create_resource(contents)


def dialect_of(contents: Any) -> int:
    """Return the draft a document declares: 4, 6, 7, 2019 or 2020, which is also the default."""
    named = contents.get("$schema") if isinstance(contents, dict) else None
    if not isinstance(named, str):
        return LATEST
    return next((draft for word, draft in DIALECTS.items() if word in named), LATEST)


def _objects(contents: Any) -> Iterator[tuple[str, Any]]:
    stack = [("", contents)]
    while stack:
        pointer, value = stack.pop()
        if isinstance(value, dict):
            yield pointer, value
            stack += [(f"{pointer}/{escape(name)}", below) for name, below in value.items()]
        elif isinstance(value, list):
            stack += [(f"{pointer}/{index}", below) for index, below in enumerate(value)]


@dataclass(frozen=True, slots=True)
class Node:
    """One subschema. Two nodes are equal when they are the same object of the same document."""

    contents: Any = field(compare=False)
    resolver: Resolver[Schema] | None = field(compare=False, repr=False, default=None)
    draft: int = field(compare=False, default=LATEST)
    uri: str = field(compare=False, default="")
    pointer: str = field(compare=False, default="")
    home: Home | None = field(compare=False, repr=False, default=None)
    key: Key = field(init=False)

    def __post_init__(self) -> None:
        plain = isinstance(self.contents, bool)
        object.__setattr__(self, "key", self.contents if plain else id(self.contents))

    def child(self, *steps: str | int) -> Node:
        """Return the subschema that `steps` lead to."""
        contents = self.contents
        for step in steps:
            contents = contents[step]
        pointer = self.pointer + "".join(f"/{escape(step)}" for step in steps)
        return Node(contents, self._inside(contents), self.draft, self.uri, pointer, self.home)

    def _inside(self, contents: Any) -> Resolver[Schema] | None:
        if self.resolver is None or not isinstance(contents, dict) or "$id" not in contents:
            return self.resolver
        from referencing.jsonschema import DRAFT202012

        return self.resolver.in_subresource(DRAFT202012.create_resource(contents))

    def target(self) -> Node | None:
        """Return what `$ref` leads to, or None where it leads nowhere."""
        from referencing.exceptions import Unresolvable

        reference = self.contents["$ref"]
        try:
            found = self.resolver.lookup(reference) if self.resolver else None
        except (Unresolvable, LookupError, ValueError):
            return None
        if found is None or not isinstance(found.contents, dict | bool):
            return None
        default = (self.uri, reference.partition("#")[2])
        if self.home is None:
            return Node(found.contents, found.resolver, self.draft, *default)
        uri, pointer = self.home.place(found.contents, default)
        draft = self.draft if uri == self.uri else self.home.draft(uri)
        return Node(found.contents, found.resolver, draft, uri, pointer, self.home)

    def keywords(self) -> dict[str, Any]:
        """Return the keywords that say something here, in the words of draft 2020-12."""
        contents = cast("dict[str, Any]", self.contents)
        if self.draft <= 7 and "$ref" in contents:
            return {"$ref": contents["$ref"]}
        return {name: value for name, value in contents.items() if self._has_meaning(name)}

    def _has_meaning(self, keyword: str) -> bool:
        in_force = _FIRST.get(keyword, 0) <= self.draft <= _LAST.get(keyword, LATEST)
        return in_force and keyword not in _WITHOUT_MEANING and not keyword.startswith("x-")


def same(one: Node, other: Node) -> bool:
    """Tell whether two subschemas, perhaps of two documents, surely accept the same values."""
    assumed: set[tuple[Key, Key]] = set()
    stack = [(one, other)]
    while stack:
        left, right = stack.pop()
        pair = (left.key, right.key)
        if left.key == right.key or pair in assumed:
            continue
        assumed.add(pair)
        ours, theirs = fingerprint(left), fingerprint(right)
        if ours is not None and theirs is not None:
            if ours != theirs:
                return False
            continue
        pairs = _corresponding(left, right)
        if pairs is None:
            return False
        stack += pairs
    return True


def fingerprint(node: Node) -> str | None:
    """Return a text that is equal for equal subschemas, or None when a reference is inside."""
    known = node.home.fingerprints if node.home is not None else {}
    if node.key not in known:
        try:
            known[node.key] = _fingerprint(node)
        except RecursionError:
            return None
    return known[node.key]


def _fingerprint(node: Node) -> str | None:
    if isinstance(node.contents, bool):
        return str(node.contents)
    keywords = node.keywords()
    if not _REFERENCES.isdisjoint(keywords):
        return None
    digest = hashlib.sha1(usedforsecurity=False)
    for keyword in sorted(keywords):
        value = keywords[keyword]
        steps = _steps(keyword, value)
        if steps is None:
            digest.update(f"{keyword}={_plain_text(keyword, value)};".encode("utf-8", "replace"))
            continue
        for step in sorted(steps, key=str):
            below = fingerprint(node.child(*step))
            if below is None:
                return None
            digest.update(f"{step}:{below};".encode("utf-8", "replace"))
    return digest.hexdigest()


def _plain_text(keyword: str, value: Any) -> str:
    if keyword in _UNORDERED and isinstance(value, list):
        return repr(sorted(map(repr, value)))
    return repr(value)


def _corresponding(left: Node, right: Node) -> list[tuple[Node, Node]] | None:
    if isinstance(left.contents, bool) or isinstance(right.contents, bool):
        return [] if left.contents is right.contents else None
    ours, theirs = left.keywords(), right.keywords()
    if ours.keys() != theirs.keys() or (left.draft <= 7) != (right.draft <= 7):
        return None
    pairs: list[tuple[Node, Node]] = []
    for keyword in ours:
        found = _keyword_pairs(keyword, left, right)
        if found is None:
            return None
        pairs += found
    return pairs


def _keyword_pairs(keyword: str, left: Node, right: Node) -> list[tuple[Node, Node]] | None:
    ours, theirs = left.contents[keyword], right.contents[keyword]
    if keyword == "$ref":
        targets = left.target(), right.target()
        return None if targets[0] is None or targets[1] is None else [(targets[0], targets[1])]
    steps, other_steps = _steps(keyword, ours), _steps(keyword, theirs)
    if steps is not None and other_steps is not None:
        if sorted(map(str, steps)) != sorted(map(str, other_steps)):
            return None
        return [(left.child(*step), right.child(*step)) for step in steps]
    return [] if _plain_text(keyword, ours) == _plain_text(keyword, theirs) else None


def _steps(keyword: str, value: Any) -> list[tuple[str | int, ...]] | None:
    """Return the ways into the subschemas of a keyword, or None when it has none."""
    if keyword in SCHEMA_LISTS and isinstance(value, list):
        return [(keyword, index) for index in range(len(value))]
    if keyword in SCHEMA_MAPS and isinstance(value, dict):
        plain = all(isinstance(below, dict | bool) for below in value.values())
        return [(keyword, name) for name in value] if plain else None
    return [(keyword,)] if keyword in ONE_SCHEMA and isinstance(value, dict | bool) else None
