"""TOML files whose every key knows its line, so that a mistake in one can be shown in its place."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from contractlint.findings import Problem

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

KeyPath = tuple[str | int, ...]

_TOKEN = re.compile(
    r'"""(?:[^\\]|\\.)*?"""|\'\'\'.*?\'\'\'|"(?:[^"\\\n]|\\.)*"|\'[^\'\n]*\''
    r"|#[^\n]*|\n|[\[\]{}=.,]|[^\s\[\]{}=.,#\"']+",
    re.DOTALL,
)


class TomlError(Exception):
    """A file that cannot be read as TOML. `problem` says where and why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


@dataclass(frozen=True)
class TomlFile:
    """The content of one file. `path` is the path as it is shown to people."""

    path: str
    text: str
    data: Mapping[str, Any]

    @cached_property
    def lines(self) -> Mapping[KeyPath, int]:
        """The line of every table header and key; elements of arrays of tables count from 0."""
        lines: dict[KeyPath, int] = {}
        for key_path, line in _key_places(self.text):
            for length in range(1, len(key_path) + 1):
                lines.setdefault(key_path[:length], line)
        return lines

    def line_of(self, key_path: Sequence[str | int]) -> int:
        """Return the line of this key, or of the nearest enclosing key that has one."""
        for length in range(len(key_path), 0, -1):
            line = self.lines.get(tuple(key_path[:length]))
            if line is not None:
                return line
        return 1

    def problem(self, key_path: Sequence[str | int], message: str) -> Problem:
        return Problem(self.path, self.line_of(key_path), message)


def read_toml(file: Path, shown: str | None = None) -> TomlFile:
    """Read one TOML file.

    Raises:
        TomlError: the file is missing, unreadable, not UTF-8 or not TOML.
    """
    path = shown if shown is not None else file.as_posix()
    try:
        text = file.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
        return TomlFile(path, text, tomllib.loads(text))
    except OSError as error:
        raise TomlError(Problem(path, 0, f"cannot be read: {error.strerror}")) from None
    except UnicodeDecodeError as error:
        line = error.object.count(b"\n", 0, error.start) + 1
        raise TomlError(Problem(path, line, "not UTF-8, which TOML has to be")) from None
    except tomllib.TOMLDecodeError as error:
        raise TomlError(_syntax_problem(path, text, str(error))) from None
    except RecursionError:
        raise TomlError(Problem(path, 1, "nested too deeply")) from None


def _syntax_problem(path: str, text: str, message: str) -> Problem:
    place = re.search(r" \(at (?:line (\d+), column \d+|end of document)\)$", message)
    if place is None:
        return Problem(path, 1, f"not valid TOML: {message}")
    line = int(place[1]) if place[1] else text.count("\n") + 1
    return Problem(path, line, f"not valid TOML: {message[: place.start()]}")


def validate(file: TomlFile, schema: dict[str, Any], table: KeyPath = ()) -> list[Problem]:
    """Return one problem for each place where `table` of this file breaks the JSON Schema."""
    import jsonschema_rs

    data: Any = file.data
    for key in table:
        data = data[key]
    errors = jsonschema_rs.validator_for(schema).iter_errors(_plain(data))
    return sorted(
        {
            file.problem((*table, *where), message)
            for error in errors
            for where, message in _mistakes(schema, error)
        }
    )


def _mistakes(schema: dict[str, Any], error: Any) -> Iterator[tuple[KeyPath, str]]:
    """Yield the place of each mistake and what to say."""
    where: KeyPath = tuple(error.instance_path)
    if error.kind.name == "additionalProperties":
        known = _keys_at(schema, error.schema_path[:-1])
        for key in error.kind.unexpected:
            yield (*where, key), f"{_named(where)}no key {key!r}{_instead_of(key, known)}"
        return
    if error.kind.name == "propertyNames":
        where = (*where, str(error.kind.error.instance))
    yield where, _named(where) + error.message


def _named(where: KeyPath) -> str:
    return ".".join(map(str, where)) + ": " if where else ""


def _keys_at(schema: Any, path: Sequence[str | int]) -> list[str]:
    for step in path:
        schema = schema[step]
    return sorted(schema.get("properties", ()))


def _instead_of(key: str, known: Sequence[str]) -> str:
    import difflib

    alike = difflib.get_close_matches(key, known, n=1)
    if alike:
        return f"; did you mean {alike[0]!r}?"
    return f"; expected one of {', '.join(known)}" if known else ""


def _plain(value: Any) -> Any:
    """Return `value` with TOML's dates and times as text: JSON Schema knows no others."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value if isinstance(value, str | int | float | bool) else str(value)


def _key_places(text: str) -> Iterator[tuple[KeyPath, int]]:
    """Yield every key of a valid TOML text outside inline tables, with its line."""
    table: KeyPath = ()
    sizes: dict[KeyPath, int] = {}
    for line, tokens in _statements(text):
        if tokens[0] == "[":
            table = _table_path(tokens, sizes)
            yield table, line
        else:
            yield table + _names(tokens[: tokens.index("=")]), line


def _table_path(tokens: Sequence[str], sizes: dict[KeyPath, int]) -> KeyPath:
    path: KeyPath = ()
    names = _names(tokens)
    is_element = tokens[1] == "["
    for depth, name in enumerate(names, 1):
        path = (*path, name)
        if is_element and depth == len(names):
            sizes[path] = sizes.get(path, 0) + 1
        if path in sizes:
            path = (*path, sizes[path] - 1)
    return path


def _names(tokens: Sequence[str]) -> tuple[str, ...]:
    return tuple(token.strip("\"'") for token in tokens if token not in "[].")


def _statements(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield each statement's first line and tokens; a value over several lines is one statement."""
    line = start = 1
    depth = 0
    tokens: list[str] = []
    for match in _TOKEN.finditer(text):
        token = match[0]
        if token == "\n" and depth == 0:
            if tokens:
                yield start, tokens
            tokens = []
        elif token[0] not in "#\n":
            start = start if tokens else line
            tokens.append(token)
            depth += (token in "[{") - (token in "]}")
        line += token.count("\n")
    if tokens:
        yield start, tokens
