"""TOML → Library. Every mistake is told with file, line and what is expected."""

from __future__ import annotations

import re
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

from contractlint.vocabulary.model import (
    UNSET,
    Argument,
    AttributeSpec,
    Bare,
    CallSpec,
    Conditions,
    ContextSpec,
    EventSpec,
    HandlerSpec,
    Library,
    Option,
    RaiseSpec,
)

if sys.version_info >= (3, 11):
    import tomllib
else:  # the standard library has it from 3.11 on
    import tomli as tomllib

_ARGUMENT = re.compile(r"(?P<name>\w*)(?:@(?P<position>\d+))?(?P<keys>(?:\[[^\]]+\])*)")
_EVENT_KEYS = {"event", "attributes", "when", "at"}
_CALL_KEYS = {
    *("names", "event", "attributes", "when", "at", "cases", "before", "then", "options"),
    *("returns", "batch", "result", "labels", "sinks", "keyed", "sql", "context", "calls"),
    *("deferred", "spawns", "joins", "raises", "bare", "receiver", "needs", "takes"),
}
_HANDLER_KEYS = {
    *("call", "callback", "bare", "decorator", "subclass", "methods", "assigns", "annotation"),
    *("shape", "params", "options", "entry", "success", "failure", "partial"),
}
_LIBRARY_KEYS = {
    *(
        "library",
        "versions",
        "words",
        "classes",
        "bases",
        "queues",
        "call",
        "handler",
        "raise",
        "attribute",
    ),
    "summary",
}


class VocabularyError(ValueError):
    """A vocabulary file that cannot be used; `line` counts from 1, 0 if the place is unknown."""

    def __init__(self, path: str, line: int, message: str) -> None:
        super().__init__(f"{path}:{line}: {message}" if line else f"{path}: {message}")
        self.path, self.line, self.message = path, line, message


def read_library(path: Path) -> Library:
    """Read one file of the vocabulary.

    Raises:
        VocabularyError: the file is no TOML, or says something the format does not have.
    """
    try:
        text = path.read_text(encoding="utf-8")
        table = tomllib.loads(text)
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        found = re.search(r"line (\d+)", str(error))
        raise VocabularyError(str(path), int(found[1]) if found else 0, str(error)) from None
    return library_from(table, str(path), text)


def library_from(table: Mapping[str, Any], path: str, text: str) -> Library:
    """Build a library from its parsed table; `text` serves to find the line of a mistake."""
    reader = _TableReader(path, text)
    reader.check_keys(table, _LIBRARY_KEYS, "the file")
    name = reader.text_of(table, "library", required=True)
    return Library(
        name=name,
        versions=reader.text_of(table, "versions"),
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
    def __init__(self, path: str, text: str) -> None:
        self.path = path
        self.text = text

    def fail(self, needle: str, message: str) -> VocabularyError:
        lines = self.text.splitlines()
        line = next((n for n, row in enumerate(lines, 1) if needle and needle in row), 0)
        return VocabularyError(self.path, line, message)

    def check_keys(self, table: Mapping[str, Any], known: set[str], where: str) -> None:
        for key in table:
            if key not in known:
                expected = ", ".join(sorted(known))
                raise self.fail(key, f"{where} has no key {key!r}; expected one of {expected}")

    def each(self, table: Mapping[str, Any], key: str, build: Callable[[Any], Any]) -> Any:
        entries = table.get(key, [])
        if not isinstance(entries, list):
            raise self.fail(f"[{key}]", f"{key!r} must be an array of tables, [[{key}]]")
        return tuple(build(entry) for entry in entries)

    def text_of(self, table: Mapping[str, Any], key: str, *, required: bool = False) -> str:
        value = table.get(key, "")
        if not isinstance(value, str) or (required and not value):
            raise self.fail(key, f"{key!r} must be a non-empty string")
        return value

    def texts(self, table: Mapping[str, Any], key: str) -> tuple[str, ...]:
        value = table.get(key, [])
        value = [value] if isinstance(value, str) else value
        if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
            raise self.fail(key, f"{key!r} must be a list of strings")
        return tuple(value)

    def argument(self, text: object) -> Argument:
        match = _ARGUMENT.fullmatch(text) if isinstance(text, str) and text else None
        if not match:
            raise self.fail(str(text), f"{text!r} is no argument; expected name, name@1 or @0[key]")
        keys = tuple(re.findall(r"\[([^\]]+)\]", match["keys"]))
        return Argument(match["name"], int(match["position"] or -1), keys)

    def arguments(self, value: object) -> tuple[Argument, ...]:
        if value is None:
            return ()
        items: Iterable[object] = value if isinstance(value, list) else [value]
        return tuple(self.argument(item) for item in items)

    def options(self, table: Mapping[str, Any]) -> tuple[Option, ...]:
        return tuple(
            Option(
                name,
                self.arguments(spec.get("argument")),
                spec.get("default", UNSET),
                self.texts(spec, "config"),
                self.text_of(spec, "attribute"),
            )
            for name, spec in table.get("options", {}).items()
        )

    def conditions(self, table: Mapping[str, Any]) -> Conditions:
        when = table.get("when", {})
        if not isinstance(when, dict):
            raise self.fail("when", "'when' must be a table { option = value }")
        return tuple(
            (name, tuple(value) if isinstance(value, list) else (value,))
            for name, value in when.items()
        )

    def event(self, table: Mapping[str, Any]) -> EventSpec:
        attributes = table.get("attributes", {})
        if not all(isinstance(value, str) for value in attributes.values()):
            raise self.fail("attributes", "attributes of an event are strings")
        return EventSpec(
            table.get("event", ""), attributes, self.conditions(table), self.text_of(table, "at")
        )

    def events(self, table: Mapping[str, Any], key: str) -> tuple[EventSpec, ...]:
        def build(entry: Mapping[str, Any]) -> EventSpec:
            self.check_keys(entry, _EVENT_KEYS, f"an event in {key!r}")
            return self.event(entry)

        built: tuple[EventSpec, ...] = self.each(table, key, build)
        return built

    def context(self, table: Mapping[str, Any], library: str) -> ContextSpec | None:
        spec = table.get("context")
        if spec is None:
            return None
        self.check_keys(spec, {"exit", "error", "returns"}, "'context'")
        return ContextSpec(
            self.events(spec, "exit"),
            self.events(spec, "error"),
            self.text_of(spec, "returns"),
            library,
        )

    def pattern(self, text: str) -> re.Pattern[str] | None:
        try:
            return re.compile(text) if text else None
        except re.error as error:
            raise self.fail("receiver", f"{text!r} is no regular expression: {error}") from None

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

    def call(self, table: Mapping[str, Any], library: str) -> CallSpec:
        self.check_keys(table, _CALL_KEYS, "[[call]]")
        names = self.texts(table, "names")
        if not names:
            raise self.fail("[[call]]", "a [[call]] needs 'names'")
        return CallSpec(
            library=library,
            names=names,
            event=self.event(table) if table.get("event") else None,
            cases=self.events(table, "cases"),
            before=self.events(table, "before"),
            then=self.events(table, "then"),
            options=self.options(table),
            returns=self.text_of(table, "returns"),
            batch=int(table.get("batch", 0)),
            result=self.text_of(table, "result"),
            labels=frozenset(self.texts(table, "labels")),
            sinks=self.arguments(table.get("sinks")),
            keyed=self.arguments(table.get("keyed")),
            sql=self.one(table, "sql"),
            context=self.context(table, library),
            calls=self.one(table, "calls"),
            deferred=bool(table.get("deferred", False)),
            spawns=self.one(table, "spawns"),
            joins=bool(table.get("joins", False)),
            raises=bool(table.get("raises", True)),
            bare=self.bare(table),
        )

    def handler(self, table: Mapping[str, Any], library: str) -> HandlerSpec:
        self.check_keys(table, _HANDLER_KEYS, "[[handler]]")
        shape = table.get("shape", {})
        return HandlerSpec(
            library=library,
            calls=self.texts(table, "call"),
            bare=bool(table.get("bare", False)),
            callback=self.arguments(table.get("callback")),
            decorators=self.texts(table, "decorator"),
            subclasses=self.texts(table, "subclass"),
            methods=self.texts(table, "methods"),
            assigns=self.texts(table, "assigns"),
            annotations=self.texts(table, "annotation"),
            shape_params=int(shape.get("params", 0)),
            shape_reads=self.texts(shape, "reads"),
            shape_last=self.pattern(self.text_of(shape, "last")),
            params=self.texts(table, "params"),
            options=self.options(table),
            entry=self.events(table, "entry"),
            success=self.events(table, "success"),
            failure=self.events(table, "failure"),
            partial=self.text_of(table, "partial"),
        )

    def raised(self, table: Mapping[str, Any], library: str) -> RaiseSpec:
        known = {"names", "event", "attributes", "when", "at", "cases", "options"}
        self.check_keys(table, known, "[[raise]]")
        return RaiseSpec(
            library,
            self.texts(table, "names"),
            self.event(table) if table.get("event") else None,
            self.events(table, "cases"),
            self.options(table),
        )

    def attribute(self, table: Mapping[str, Any]) -> AttributeSpec:
        self.check_keys(table, {"names", "returns", "labels", "batch"}, "[[attribute]]")
        return AttributeSpec(
            self.texts(table, "names"),
            self.text_of(table, "returns"),
            frozenset(self.texts(table, "labels")),
            int(table.get("batch", 0)),
        )
