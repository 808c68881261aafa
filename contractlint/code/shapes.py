"""What is known of a message's fields where it is published.

A shape is made of a dict display, of a class whose fields are declared (dataclass, attrs, pydantic,
msgspec, TypedDict), or of what a serialiser was given. It is open where fields may be that nobody
can see; then nothing is said about what is missing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import libcst as cst

from contractlint.code.conditions import last_name
from contractlint.code.modules import ClassInfo, dotted_name, string_value
from contractlint.code.names import Names
from contractlint.code.values import NOTHING, Entries, Source, Value

_DEEPEST = 6
_FIELD_DECORATORS = frozenset(
    {"dataclass", "dataclasses.dataclass", "pydantic.dataclasses.dataclass"}
    | {f"{home}.{name}" for home in ("attr", "attrs") for name in ("s", "define", "frozen")}
    | {"attr.attrs", "attr.dataclass", "attrs.mutable", "attr.mutable"}
)
_FIELD_BASES = re.compile(
    r"^(pydantic(\.\w+)*\.BaseModel|sqlmodel(\.\w+)*\.SQLModel|msgspec\.Struct"
    r"|(typing|typing_extensions)\.(TypedDict|NamedTuple))$"
)
_DICT_BASES = frozenset({"typing.TypedDict", "typing_extensions.TypedDict"})
_BARE_BASES = re.compile(
    r"^(builtins\.)?object$|^abc\.ABC$|^(typing|typing_extensions)\.(Generic|Protocol)$"
)
_GENERAL_NAME = re.compile(
    r"^(Base|Abstract|Generic)|(Base|Mixin)$"
    r"|^(Domain|Integration)?(Event|Message|Command|Model|Envelope|Payload|Record)$"
)
_RENAMING = re.compile(
    r"\b(alias_generator|serialize_by_alias|rename|extra\s*=\s*[\w.]*[\"']?allow)\b"
)
_WRITES_ITSELF = frozenset({"model_serializer", "root_validator", "model_dump", "dict", "__iter__"})
_NO_FIELDS = frozenset({"model_config", "Config"})
_OMITS = frozenset({"include", "exclude", "filter"})


class Field(NamedTuple):
    """A field's value and where it is given (None: nowhere in sight)."""

    value: Value = NOTHING
    source: Source | None = None

    @property
    def is_fresh(self) -> bool:
        """Is it surely another value every time, and nothing of what was received or stored?"""
        labels = self.value.labels
        kept = {"message", "delivery", "lookup", "fetched", "fallback", "claim"}
        return "unstable" in labels and not labels & kept


@dataclass(frozen=True, slots=True)
class Shape:
    fields: Mapping[str, Field]
    open: bool = False


def content_of(value: Value) -> Value:
    """Return the object inside serialised text, copies and dumps."""
    for _ in range(_DEEPEST):
        if value.made is None or value.made.content is None:
            break
        value = value.made.content
    return value


class ShapeReader:
    """Reads shapes with what `names` knows of classes."""

    def __init__(self, names: Names) -> None:
        self._names = names

    def shape(self, value: Value) -> Shape | None:
        """Return the fields of a message; None where nothing is known of them."""
        inner = content_of(value)
        if isinstance(inner.entries, Entries):
            return _of_display(inner.entries)
        if inner.instance_of is None or not self.has_fields(inner.instance_of):
            return None
        shape = self._of_instance(inner, inner.instance_of, _by_alias(value))
        return Shape(shape.fields, shape.open or _is_partial(value))

    def at(self, shape: Shape, path: Sequence[str]) -> Field | bool | None:
        """Return the field that `path` leads to, False if there is none, None if nobody knows."""
        field = shape.fields.get(path[0])
        if field is None:
            return None if shape.open else False
        if len(path) == 1:
            return field
        inner = self.shape(field.value)
        return self.at(inner, path[1:]) if inner is not None else None

    def has_fields(self, info: ClassInfo) -> bool:
        """Are the fields of the class declared in its body?"""
        for owner in self._names.ancestors(info):
            if isinstance(owner, str):
                if _FIELD_BASES.search(owner):
                    return True
            elif any(self._makes_fields(owner, one.decorator) for one in owner.node.decorators):
                return True
        return False

    def is_dict(self, info: ClassInfo) -> bool:
        return any(base in _DICT_BASES for base in self._names.ancestors(info))

    def _makes_fields(self, owner: ClassInfo, decorator: cst.BaseExpression) -> bool:
        node = decorator.func if isinstance(decorator, cst.Call) else decorator
        return self._names.absolute(dotted_name(node), owner.module) in _FIELD_DECORATORS

    def _of_instance(self, value: Value, info: ClassInfo, by_alias: bool | None) -> Shape:
        given = value.entries or {}
        nodes = value.made.arguments.nodes if value.made else {}
        fields: dict[str, Field] = {}
        for name, node in self._declared(info):
            source = Source(info.module, nodes[name]) if name in nodes else None
            for shown in _shown_names(name, node, by_alias):
                fields.setdefault(shown, Field(given.get(name, NOTHING), source))
        hidden = value.made is not None and value.made.arguments.open
        is_general = value.made is None and self._has_subclasses(info)
        return Shape(fields, hidden or is_general or self._is_open(info))

    def _declared(self, info: ClassInfo) -> Iterator[tuple[str, cst.BaseExpression | None]]:
        """Yield the fields of a class and its bases, with what they are set to."""
        for owner in self._names.ancestors(info):
            if isinstance(owner, str):
                continue
            for name, annotation in owner.annotated.items():
                if name not in _NO_FIELDS and not _is_class_variable(annotation):
                    yield name, owner.assigned.get(name)
            for name, method in owner.methods.items():
                if any(last_name(one.decorator) == "computed_field" for one in method.decorators):
                    yield name, None

    def _is_open(self, info: ClassInfo) -> bool:
        """May an instance carry more, or other names, than the class declares?"""
        for owner in self._names.ancestors(info):
            if isinstance(owner, str):
                if not _FIELD_BASES.search(owner) and not _BARE_BASES.search(owner):
                    return True
            elif owner.node.keywords or _serialises_itself(owner) or _renames(owner):
                return True
        return False

    def _has_subclasses(self, info: ClassInfo) -> bool:
        """Could an object of the class, which nobody saw being made, well be one of a subclass?"""
        if _GENERAL_NAME.search(info.qualname.rpartition(".")[2]):
            return True
        others = (one for one in info.module.all_classes if one is not info)
        return any(info in self._names.ancestors(one) for one in others)


def _of_display(entries: Entries) -> Shape:
    fields = {name: Field(value, entries.sources.get(name)) for name, value in entries.items()}
    return Shape(fields, entries.open)


def _by_alias(value: Value) -> bool | None:
    """Do the names on the wire come from aliases? None: it cannot be seen."""
    while value.made is not None and value.made.content is not None:
        asked = value.made.arguments.keywords.get("by_alias")
        if asked is not None:
            return bool(asked.const) if asked.known else None
        value = value.made.content
    return False


def _is_partial(value: Value) -> bool:
    """Was the dump asked to leave fields out, in a way that nobody can see?"""
    while value.made is not None and value.made.content is not None:
        if value.made.arguments.open or _OMITS & value.made.arguments.keywords.keys():
            return True
        value = value.made.content
    return False


def _shown_names(
    name: str, node: cst.BaseExpression | None, by_alias: bool | None
) -> tuple[str, ...]:
    alias = ""
    for arg in node.args if isinstance(node, cst.Call) else ():
        word = arg.keyword.value if arg.keyword else ""
        if word == "exclude":
            return ()
        if word == "serialization_alias" or (word == "alias" and not alias):
            alias = string_value(arg.value) or ""
    if not alias or by_alias is False:
        return (name,)
    return (alias,) if by_alias else (name, alias)


def _is_class_variable(annotation: cst.BaseExpression) -> bool:
    node = annotation.value if isinstance(annotation, cst.Subscript) else annotation
    return dotted_name(node).rpartition(".")[2] in ("ClassVar", "PrivateAttr", "InitVar")


def _serialises_itself(owner: ClassInfo) -> bool:
    names = {last_name(one.decorator) for m in owner.methods.values() for one in m.decorators}
    return bool(_WRITES_ITSELF & (names | owner.methods.keys()))


def _renames(owner: ClassInfo) -> bool:
    """Does the class tell its serialiser to use other names, or to keep what it does not know?"""
    config = owner.assigned.get("model_config")
    texts = [owner.module.code(config, 2000)] if config is not None else []
    prefix = f"{owner.qualname}.Config"
    for inner in owner.module.all_classes:
        if inner.qualname == prefix:
            texts += [f"{k}={owner.module.code(v, 200)}" for k, v in inner.assigned.items()]
    return any(_RENAMING.search(text) for text in texts)
