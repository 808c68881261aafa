"""Publishing: what identifies a message, and which fields it has."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

import libcst as cst

from contractlint.code.conditions import last_name, names_in
from contractlint.code.meaning import Happening
from contractlint.code.modules import ClassInfo, dotted_name
from contractlint.code.shapes import Field, Shape, ShapeReader, content_of
from contractlint.code.statements import Statements
from contractlint.code.values import (
    NOTHING,
    Arguments,
    Entries,
    Making,
    Source,
    Value,
)
from contractlint.messages.envelope import EnvelopeField
from contractlint.vocabulary.model import CallSpec

_COPIES = frozenset(
    {"model_dump", "model_dump_json", "dict", "json", "model_copy", "copy", "encode", "decode"}
    | {"_asdict", "to_json", "__copy__"}
)
_READS = frozenset({"get", "items", "keys", "values", "hex", "startswith"})
_WRAPS_ARGUMENT = frozenset(
    {"builtins.bytes", "builtins.bytearray", "builtins.str", "builtins.vars"}
)
_CARRIES_NAMES = re.compile(
    r"(?i)^(headers?|(message_?|application_|user_)?(propert(y|ies)|attributes)|metadata|attrs)$"
)
_MAKES_TEXT = re.compile(r"(dumps|packb|\bdump|encode|json|compress)$")
_IS_QUERY = re.compile(r"\.(Query|QuerySet|\w*Result|\w*Cursor)$")
_IS_BODY = re.compile(
    r"(?i)^(body|value|data|payload|messages?|msg|events?|content|obj|message_?body|json)$"
)
# Beside a name that surely means the message, these are ids of what the message is about.
_OBJECT_ID = re.compile(r"(?i)id|uuid|guid")
# Their arguments are those of a function, not a message with an envelope.
_CALLS_FUNCTIONS = frozenset(
    {"celery", "rq", "dramatiq", "huey", "arq", "taskiq", "procrastinate", "postgres-queues"}
    | {"cloud-control", "pq"}
)
_KNOWN_AS = {
    "id": {"messageid", "eventid", "msgid", "natsmsgid", "messagededuplicationid"},
    "kind": {"type", "eventtype", "messagetype", "subject", "label"},
    "time": {"timestamp"},
    "effect-key": {"idempotencykey", "effectkey"},
    "schema-version": {"schemaversion", "schema", "version", "dataschema"},
}
_DEEPEST = 4


@dataclass(slots=True)
class Publication:
    """What is handed to a publishing call: named parts, the body, and whether parts are hidden."""

    parts: list[tuple[str, Field]] = field(default_factory=list)
    bodies: list[Value] = field(default_factory=list)
    hidden: bool = False
    shape: Shape | None = None

    def names(self) -> set[str]:
        return {
            re.sub(r"^ce[-_:]|^cloudevents[-_:]|[^a-z0-9]", "", n.lower()) for n, _ in self.parts
        }


class Producing(Statements):
    """Statements that know what a published message is made of."""

    _changed_row = False

    # -- what values are made of -----------------------------------------------------------------

    def invoke(self, callee: Value, arguments: Arguments, node: cst.Call) -> Value:
        result = super().invoke(callee, arguments, node)
        made = self._making(callee, arguments, node, result)
        return replace(result, made=made) if made is not None else result

    def _making(
        self, callee: Value, arguments: Arguments, node: cst.Call, result: Value
    ) -> Making | None:
        if isinstance(callee.definition, ClassInfo):
            return self._making_of_class(callee.definition, arguments, result)
        if callee.definition is not None or callee.partial is not None:
            return None
        if callee.receiver is not None and callee.receiver is not NOTHING:
            return self._making_by_method(callee.receiver, arguments, node)
        name = callee.dotted
        if not name:
            return None
        if name in _WRAPS_ARGUMENT or self.idioms.is_name("serializer", name):
            content = arguments.positional[0] if arguments.positional else None
            return Making(name, arguments, content) if content is not None else None
        if name == "builtins.dict":
            return Making(name, arguments, Value(entries=_entries_of(arguments)))
        if result.type and self.vocabulary.canonical(name) == result.type:
            return Making(result.type, arguments)
        return None

    def _making_of_class(
        self, info: ClassInfo, arguments: Arguments, result: Value
    ) -> Making | None:
        if result.definition is not info:
            return None
        if ShapeReader(self).is_dict(info):
            return Making(info.dotted, arguments, Value(entries=_entries_of(arguments)))
        return Making(info.dotted, arguments)

    def _making_by_method(
        self, receiver: Value, arguments: Arguments, node: cst.Call
    ) -> Making | None:
        name = last_name(node.func)
        holds = receiver.made or receiver.instance_of or receiver.entries is not None
        return Making(name, arguments, receiver) if holds and name in _COPIES else None

    def element_of(self, value: Value) -> Value:
        element = super().element_of(value)
        return element.plus({"row"}) if _IS_QUERY.search(value.type) else element

    # -- what changes them -----------------------------------------------------------------------

    def unknown(self, callee: Value, arguments: Arguments, node: cst.CSTNode) -> Value:
        result = super().unknown(callee, arguments, node)
        name = self.called_name(callee, node)
        reads = name in _READS or name in _COPIES
        if not (reads or self.idioms.is_name("pure", name)):
            for value in (callee.receiver or NOTHING, *arguments.all()):
                _open(value)
        return result

    def store_item(self, target: cst.Subscript, value: Value) -> None:
        name = dotted_name(target.value)
        before = self.scope.names.get(name) if name else None
        if before is None:
            _open(self.silently(self.frame, target.value))
        super().store_item(target, value)
        after = self.scope.names.get(name) if name else None
        if before is None or after is None:
            return
        if before.made is not None:
            self.scope.names[name] = self._with_item(after, before.made, target, value)
        elif isinstance(before.entries, Entries):
            if after.entries is not before.entries:
                kept = self._grown(before.entries, after.entries or {}, target)
                self.scope.names[name] = replace(after, entries=kept)
            before.entries.open = True

    def _grown(self, before: Entries, items: Mapping[str, Value], target: cst.Subscript) -> Entries:
        """Return the items of `before` and the stored one; where those stand is still known."""
        kept = Entries(items)
        kept.open = before.open
        kept.sources = dict.fromkeys(items, self.source(target)) | before.sources
        return kept

    def _with_item(self, after: Value, made: Making, target: cst.Subscript, value: Value) -> Value:
        """Store into what `dict(…)` or a copy made; into anything else, and nothing is known."""
        display = content_of(after).entries
        index = target.slice[0].slice
        key = self.silently(self.frame, index.value) if isinstance(index, cst.Index) else NOTHING
        if not isinstance(display, Entries) or not isinstance(key.const, str):
            return replace(after, made=None)
        kept = self._grown(display, {**display, key.const: replace(value, slot=-1)}, target)
        return replace(after, made=made._replace(content=Value(entries=kept)))

    def store_attribute(self, target: cst.Attribute, value: Value) -> None:
        row = self.scope.names.get(dotted_name(target.value))
        self._changed_row = self._changed_row or (row is not None and _of_row(row))
        super().store_attribute(target, value)

    # -- publishing ------------------------------------------------------------------------------

    def happen(self, one: Happening) -> None:
        event, arguments = one.event, one.arguments
        if event.event == "publish" and not self._is_set_aside(arguments, one.node):
            found = self._publication(one.spec, arguments, one.node, one.grade)
            event = replace(event, attributes={**event.attributes, **found})
        elif event.event in ("stage", "persist") and self._marks_a_row(one.receiver, arguments):
            event = replace(event, attributes={**event.attributes, "of": "row"})
        super().happen(one._replace(event=event))

    def _marks_a_row(self, receiver: Value, arguments: Arguments) -> bool:
        """Is something written about a row that was read, or is a row written that was changed?"""
        if not arguments.all():
            return self._changed_row or (not receiver.type and _of_row(receiver))
        return any(_of_row(value) for value in arguments.all())

    def _is_set_aside(self, arguments: Arguments, node: cst.Call) -> bool:
        """Does it go to the dead letters, or back to who asked? Its identity is another's then."""
        names = {name for arg in node.args for name in names_in(arg.value)}
        return "reply_to" in names or self.goes_to_dead_letters(arguments, node)

    def _publication(
        self, spec: CallSpec, arguments: Arguments, node: cst.Call, grade: str
    ) -> dict[str, str]:
        """Return attributes of the event; a wrong identity is an event of its own."""
        publication = Publication(hidden=arguments.open)
        self._take_apart(publication, spec, arguments)
        reader = ShapeReader(self)
        shapes = [shape for body in publication.bodies if (shape := reader.shape(body))]
        if len(shapes) == 1 and spec.library not in _CALLS_FUNCTIONS:
            publication.shape = shapes[0]
            publication.hidden = publication.hidden or _wraps_text(shapes[0])
        found = self._identity(publication, reader, arguments, grade)
        missing = list(self._missing(publication, reader))
        if missing:
            found |= {"envelope": "incomplete", "missing": _listing(missing)}
        return found

    def _take_apart(self, publication: Publication, spec: CallSpec, arguments: Arguments) -> None:
        places = {sink.position: sink.name for sink in spec.sinks if sink.position >= 0}
        for index, value in enumerate(arguments.positional):
            source = self.argument_place(arguments, index)
            self._take_part(publication, places.get(index, ""), Field(value, source))
        for name, value in arguments.keywords.items():
            self._take_part(publication, name, Field(value, self.argument_place(arguments, name)))

    def argument_place(self, arguments: Arguments, key: int | str) -> Source | None:
        node = arguments.nodes.get(key)
        return self.source(node) if node is not None else None

    def _take_part(self, publication: Publication, name: str, part: Field) -> None:
        value = part.value
        maker = self.vocabulary.call(value.type) if value.type and value.made else None
        if maker is not None and value.made is not None and value.made.content is None:
            publication.hidden = publication.hidden or value.made.arguments.open
            self._take_apart(publication, maker, value.made.arguments)
            return
        publication.parts.append((name, part))
        if _CARRIES_NAMES.search(name):
            self._take_names(publication, value)
        elif not name or _IS_BODY.search(name):
            publication.bodies.append(value)
        if not name and publication.bodies[:-1] and _is_opaque(value):
            publication.hidden = True

    def _take_names(self, publication: Publication, value: Value) -> None:
        """Headers are parts too, each under its own name."""
        if value.known and value.const is None:
            return
        pairs = [one.elements for one in value.elements or () if one.elements]
        for pair in pairs:
            if isinstance(pair[0].const, str) and len(pair) == 2:
                publication.parts.append((pair[0].const, Field(pair[1])))
        if isinstance(value.entries, Entries):
            publication.hidden = publication.hidden or value.entries.open
            for key, item in value.entries.items():
                publication.parts.append((key, Field(item, value.entries.sources.get(key))))
        elif not pairs:
            publication.hidden = True

    # -- identity --------------------------------------------------------------------------------

    def _identity(
        self, publication: Publication, reader: ShapeReader, arguments: Arguments, grade: str
    ) -> dict[str, str]:
        ids, keys = self._fields_by_role(publication, reader)
        attributes = {"grade": grade, "of": "row" if self._relays(publication) else ""}
        twins = [key for key in keys for one in ids if self._is_same(one, key)]
        if twins:
            self._tell("merged", twins[0], attributes)
            return {"id": "merged"}
        fresh = [*_all_fresh(keys), *(() if _lasts(keys) else _all_fresh(ids))]
        for one in fresh:
            self._tell("fresh", one, attributes)
        if fresh:
            return {"id": "fresh"}
        return {"id": "stable" if ids else "unknown"}

    def _tell(self, value: str, one: Field, attributes: dict[str, str]) -> None:
        places = (one.value.origin, one.source) if value == "fresh" else (one.source,)
        source = next(filter(None, places), None)
        if source is not None:
            kept = {key: text for key, text in attributes.items() if text}
            self.emit("identity", source, {"value": value, **kept})

    def _fields_by_role(
        self, publication: Publication, reader: ShapeReader
    ) -> tuple[list[Field], list[Field]]:
        """Return the fields that are the message's id, and those that are its effect key."""
        ids = [part for name, part in publication.parts if self._is("message-id", name)]
        keys = [part for name, part in publication.parts if self._is("effect-key", name)]
        shape = publication.shape
        if shape is None:
            return ids, keys
        for role, name, found in (("id", "message-id", ids), ("effect-key", "effect-key", keys)):
            configured = [one for one in self.notes.envelope if one.role == role]
            if configured:
                places = (reader.at(shape, path) for one in configured for path in one.paths)
                found += [one for one in places if isinstance(one, Field)]
            else:
                names = [key for key in shape.fields if self._is(name, key)]
                sure = [key for key in names if not _OBJECT_ID.fullmatch(key)]
                found += [shape.fields[key] for key in (sure if sure or found else names)]
        return ids, keys

    def _is(self, role: str, name: str) -> bool:
        return bool(name) and self.idioms.is_name(role, name)

    def _is_same(self, one: Field, other: Field) -> bool:
        """Is it one value, written twice?"""
        if one.source is None or other.source is None:
            return False
        module, node = one.source
        first, second = _expression(node), _expression(other.source.node)
        if not _is_plain(first) or other.source.module is not module:
            return False
        return module.code(first) == module.code(second)

    def _relays(self, publication: Publication) -> bool:
        """Is a row of a store published, in a loop over such rows?"""
        if not any(frame.loops for frame in self.frames):
            return False
        fields = [part.value for _, part in publication.parts]
        return any(_of_row(value) for value in (*fields, *publication.bodies))

    # -- the envelope ----------------------------------------------------------------------------

    def _missing(self, publication: Publication, reader: ShapeReader) -> Iterator[EnvelopeField]:
        shape = publication.shape
        if shape is None or publication.hidden:
            return
        names = publication.names()
        for one in self.notes.envelope:
            if not one.required or any(reader.at(shape, path) is not False for path in one.paths):
                continue
            last = {re.sub(r"[^a-z0-9]", "", path[-1].lower()) for path in one.paths}
            if not names & (last | _KNOWN_AS.get(one.role, set())):
                yield one


def _wraps_text(shape: Shape) -> bool:
    """Is one of the fields a message by itself, written down as text?"""
    makings = (one.value.made for one in shape.fields.values())
    return any(made is not None and _MAKES_TEXT.search(made.by) for made in makings)


def _all_fresh(fields: list[Field]) -> list[Field]:
    """Return the first of these fields, if none of them says anything that lasts."""
    return fields[:1] if fields and all(one.is_fresh for one in fields) else []


def _lasts(fields: list[Field]) -> bool:
    return any(not one.is_fresh for one in fields)


def _entries_of(arguments: Arguments) -> Entries:
    entries = Entries(arguments.keywords)
    entries.open = arguments.open
    for value in arguments.positional:
        given = Entries()
        given.spread(value)
        given.update(entries)
        given.open = given.open or entries.open
        entries = given
    return entries


def _open(value: Value, depth: int = _DEEPEST) -> None:
    """Somebody unknown may have added to this dict, and to those inside it."""
    if depth == 0:
        return
    if isinstance(value.entries, Entries):
        value.entries.open = True
    for item in (*(value.elements or ()), *(value.entries or {}).values()):
        _open(item, depth - 1)
    if value.made is not None and value.made.content is not None:
        _open(value.made.content, depth - 1)


def _of_row(value: Value, depth: int = _DEEPEST) -> bool:
    """Does it hold something that was read from a store?"""
    if value.has("lookup") or value.has("row"):
        return True
    if depth == 0:
        return False
    inner = [*(value.elements or ()), *(value.entries or {}).values()]
    if value.made is not None:
        inner += [value.made.content] if value.made.content else value.made.arguments.all()
    return any(_of_row(item, depth - 1) for item in inner)


def _is_opaque(value: Value) -> bool:
    """Is nothing known of the value?"""
    known = value.known or value.text or value.made or value.entries is not None or value.elements
    return not known


def _expression(node: cst.CSTNode) -> cst.CSTNode:
    return node.value if isinstance(node, cst.Arg) else node


def _is_plain(node: cst.CSTNode) -> bool:
    """Does the expression give the same value wherever it is written: names, attributes, keys?"""
    if isinstance(node, cst.Call):
        known = last_name(node.func) in ("str", "hex") and len(node.args) <= 1
        return known and all(_is_plain(arg.value) for arg in node.args)
    if isinstance(node, cst.Attribute):
        return _is_plain(node.value)
    if isinstance(node, cst.Subscript):
        return _is_plain(node.value)
    return isinstance(node, cst.Name) and node.value not in ("None", "True", "False")


def _listing(fields: list[EnvelopeField]) -> str:
    shown = [f"{one.role} (/{'/'.join(one.paths[0])})" for one in fields]
    return " and ".join([", ".join(shown[:-1]), shown[-1]] if len(shown) > 1 else shown)
