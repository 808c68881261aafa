"""TOML → Library. Every mistake is told with file, line and what is expected."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from contractlint.bundled import bundled
from contractlint.events import meant_event
from contractlint.findings import Problem
from contractlint.tomlfile import KeyPath, TomlError, TomlFile, read_toml, validate
from contractlint.vocabulary.model import (
    UNSET,
    Argument,
    AttributeSpec,
    Bare,
    CallSpec,
    Conditions,
    ContextSpec,
    Ending,
    EventSpec,
    HandlerSpec,
    Library,
    Option,
    RaiseSpec,
    StartSpec,
)

_ARGUMENT = re.compile(r"(?P<name>\w*|\*)(?:@(?P<position>\d+))?(?P<keys>(?:\[[^\]]+\])*)")


class VocabularyError(ValueError):
    """Vocabulary files that cannot be used. `problems` say on which line and what is expected."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__(
            "; ".join(f"{one.path}:{one.line}: {one.message}" for one in self.problems)
        )


def read_library(path: Path, *, trusted: bool = False) -> Library:
    """Read one file of the vocabulary. Those that are `trusted` are validated by the tests only.

    Raises:
        VocabularyError: the file cannot be read, or says something the format does not have.
    """
    try:
        file = read_toml(path)
    except TomlError as error:
        raise VocabularyError([error.problem]) from None
    problems = [] if trusted else validate(file, _schema()) or sorted(set(_slips(file)))
    if problems:
        raise VocabularyError(problems)
    return _library(file.data)


@lru_cache(maxsize=1)
def _schema() -> dict[str, Any]:
    file = bundled("schemas") / "library.schema.json"
    schema: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return schema


# -- what the schema cannot say ------------------------------------------------------------------

_ENTRIES = ("call", "handler", "raise", "attribute")
_FREE = ("attributes", "default", "when")


def _slips(file: TomlFile) -> Iterator[Problem]:
    options = {
        name
        for place, value in _keys(file.data)
        if place[-1] == "options" and isinstance(value, dict)
        for name in value
    }
    for place, value in _keys(file.data):
        for message in _slip(str(place[-1]), value, options):
            yield file.problem(place, message)
    for name, others in file.data.get("classes", {}).items():
        for other in others:
            if name.startswith(f"{other}."):
                yield file.problem(("classes", name), f"{name!r} is inside of {other!r}")


def _keys(data: Mapping[str, Any]) -> Iterator[tuple[KeyPath, Any]]:
    """Yield the place and value of every key below the entries whose meaning is fixed."""
    for name in _ENTRIES:
        yield from _keys_in(data.get(name, []), (name,))


def _keys_in(value: Any, place: KeyPath) -> Iterator[tuple[KeyPath, Any]]:
    items: Iterable[tuple[str | int, Any]] = ()
    if isinstance(value, list):
        items = enumerate(value)
    elif isinstance(value, dict):
        items = value.items()
    for key, item in items:
        if isinstance(key, str):
            yield (*place, key), item
        if key not in _FREE:
            yield from _keys_in(item, (*place, key))


def _slip(key: str, value: Any, options: set[str]) -> Iterator[str]:
    texts = [value] if isinstance(value, str) else value if isinstance(value, list) else []
    if key in (
        "sinks",
        "keyed",
        "sql",
        "rows",
        "values",
        "calls",
        "spawns",
        "callback",
        "argument",
    ):
        for text in texts:
            if isinstance(text, str) and not _ARGUMENT.fullmatch(text):
                yield f"{text!r} is no argument; expected name, name@1 or @0[key]"
    elif key in ("receiver", "last", "project") and isinstance(value, str):
        yield from _pattern_slip(value)
    elif key == "event" and isinstance(value, str) and meant_event(value):
        yield f"{value!r} is no event; expected an event such as {meant_event(value)}"
    elif key == "when" and isinstance(value, dict):
        known = ", ".join(sorted(options)) or "options of the call"
        for name in value.keys() - options:
            yield f"'when' asks for {name!r}, which is no option; expected one of {known}"


def _pattern_slip(text: str) -> Iterator[str]:
    try:
        re.compile(text)
    except re.error as error:
        yield f"{text!r} is no regular expression: {error}"


# -- reading what is known to be right -----------------------------------------------------------


def _library(table: Mapping[str, Any]) -> Library:
    name = table["library"]
    reader = _TableReader()
    return Library(
        name=name,
        versions=table.get("versions", ""),
        words=reader.texts(table, "words"),
        classes={key: tuple(value) for key, value in table.get("classes", {}).items()},
        bases={key: tuple(value) for key, value in table.get("bases", {}).items()},
        queues={key: tuple(value) for key, value in table.get("queues", {}).items()},
        calls=reader.each(table, "call", lambda entry: reader.call(entry, name)),
        handlers=reader.each(table, "handler", lambda entry: reader.handler(entry, name)),
        raises=reader.each(table, "raise", lambda entry: reader.raised(entry, name)),
        attributes=reader.each(table, "attribute", reader.attribute),
    )


class _TableReader:
    def each(self, table: Mapping[str, Any], key: str, build: Callable[[Any], Any]) -> Any:
        return tuple(build(entry) for entry in table.get(key, []))

    def text_of(self, table: Mapping[str, Any], key: str) -> str:
        text: str = table.get(key, "")
        return text

    def texts(self, table: Mapping[str, Any], key: str) -> tuple[str, ...]:
        value = table.get(key, [])
        return (value,) if isinstance(value, str) else tuple(value)

    def argument(self, text: str) -> Argument:
        match = _ARGUMENT.fullmatch(text)
        assert match is not None, text
        keys = tuple(re.findall(r"\[([^\]]+)\]", match["keys"]))
        return Argument(match["name"], int(match["position"] or -1), keys)

    def arguments(self, table: Mapping[str, Any], key: str) -> tuple[Argument, ...]:
        return tuple(self.argument(text) for text in self.texts(table, key))

    def options(self, table: Mapping[str, Any]) -> tuple[Option, ...]:
        return tuple(
            Option(
                name,
                self.arguments(spec, "argument"),
                spec.get("default", UNSET),
                self.texts(spec, "config"),
                self.text_of(spec, "attribute"),
                self.text_of(spec, "project"),
            )
            for name, spec in table.get("options", {}).items()
        )

    def conditions(self, table: Mapping[str, Any]) -> Conditions:
        return tuple(
            (name, tuple(value) if isinstance(value, list) else (value,))
            for name, value in table.get("when", {}).items()
        )

    def event(self, table: Mapping[str, Any]) -> EventSpec:
        return EventSpec(
            self.text_of(table, "event"),
            table.get("attributes", {}),
            self.conditions(table),
            self.text_of(table, "at"),
        )

    def events(self, table: Mapping[str, Any], key: str) -> tuple[EventSpec, ...]:
        built: tuple[EventSpec, ...] = self.each(table, key, self.event)
        return built

    def context(self, table: Mapping[str, Any], library: str) -> ContextSpec | None:
        spec = table.get("context")
        if spec is None:
            return None
        return ContextSpec(
            self.events(spec, "exit"),
            self.events(spec, "error"),
            self.text_of(spec, "returns"),
            library,
        )

    def pattern(self, text: str) -> re.Pattern[str] | None:
        return re.compile(text) if text else None

    def bare(self, table: Mapping[str, Any]) -> Bare | None:
        if not table.get("bare"):
            return None
        return Bare(
            self.pattern(self.text_of(table, "receiver")),
            frozenset(self.texts(table, "needs")),
            table.get("takes") == "message",
        )

    def one(self, table: Mapping[str, Any], key: str) -> Argument | None:
        return self.argument(table[key]) if key in table else None

    def ending(self, table: Mapping[str, Any]) -> Ending | None:
        spec = table.get("ends")
        return Ending(spec["class"], self.conditions(spec)) if spec else None

    def call(self, table: Mapping[str, Any], library: str) -> CallSpec:
        return CallSpec(
            library=library,
            names=self.texts(table, "names"),
            event=self.event(table) if table.get("event") else None,
            cases=self.events(table, "cases"),
            before=self.events(table, "before"),
            then=self.events(table, "then"),
            options=self.options(table),
            facts=self.events(table, "facts"),
            returns=self.text_of(table, "returns"),
            batch=table.get("batch", 0),
            result=self.text_of(table, "result"),
            labels=frozenset(self.texts(table, "labels")),
            sinks=self.arguments(table, "sinks"),
            keyed=self.arguments(table, "keyed"),
            sql=self.one(table, "sql"),
            rows=self.one(table, "rows"),
            values=self.one(table, "values"),
            context=self.context(table, library),
            calls=self.one(table, "calls"),
            deferred=table.get("deferred", False),
            spawns=self.one(table, "spawns"),
            joins=table.get("joins", False),
            raises=table.get("raises", True),
            ends=self.ending(table),
            bare=self.bare(table),
        )

    def handler(self, table: Mapping[str, Any], library: str) -> HandlerSpec:
        shape = table.get("shape", {})
        return HandlerSpec(
            library=library,
            calls=self.texts(table, "call"),
            bare=table.get("bare", False),
            callback=self.arguments(table, "callback"),
            decorators=self.texts(table, "decorator"),
            subclasses=self.texts(table, "subclass"),
            methods=self.texts(table, "methods"),
            assigns=self.texts(table, "assigns"),
            annotations=self.texts(table, "annotation"),
            shape_params=shape.get("params", 0),
            shape_reads=self.texts(shape, "reads"),
            shape_makes=self.texts(shape, "makes"),
            shape_holds=self.texts(shape, "holds"),
            shape_last=self.pattern(self.text_of(shape, "last")),
            shape_never=self.texts(shape, "never"),
            params=self.texts(table, "params"),
            options=self.options(table),
            entry=self.events(table, "entry"),
            success=self.events(table, "success"),
            failure=self.events(table, "failure"),
            delivered=table.get("delivered", {}),
            partial=self.text_of(table, "partial"),
            started=self.started(table) if "started" in table else None,
        )

    def started(self, table: Mapping[str, Any]) -> StartSpec:
        keys = ("clock", "sends", "names", "shared", "apps", "keywords")
        marks = (name.rpartition(".")[2] for name in self.texts(table, "decorator"))
        told = {key: self.texts(table["started"], key) for key in keys}
        return StartSpec(**told, marks=tuple(dict.fromkeys(marks)))

    def raised(self, table: Mapping[str, Any], library: str) -> RaiseSpec:
        return RaiseSpec(
            library,
            self.texts(table, "names"),
            self.event(table) if table.get("event") else None,
            self.events(table, "cases"),
            self.options(table),
        )

    def attribute(self, table: Mapping[str, Any]) -> AttributeSpec:
        return AttributeSpec(
            self.texts(table, "names"),
            self.text_of(table, "returns"),
            frozenset(self.texts(table, "labels")),
            table.get("batch", 0),
        )
