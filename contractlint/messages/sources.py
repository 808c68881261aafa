"""From files to messages: JSON, JSON Lines, YAML and standard input, one message at a time.

JSON Lines are read line by line, so memory follows the longest line, not the file.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import IO, NamedTuple

from contractlint.messages.documents import (
    Document,
    DocumentError,
    Json,
    JsonReader,
    NotJson,
    Place,
    decode,
    json_document,
    read_json,
)

MAX_MESSAGE_BYTES = 64 * 1024 * 1024
MESSAGE_SUFFIXES = frozenset({".json", ".jsonl", ".ndjson", ".yaml", ".yml"})
_LINE_SUFFIXES = frozenset({".jsonl", ".ndjson"})
_YAML_SUFFIXES = frozenset({".yaml", ".yml"})
_SKIPPED_FOLDERS = frozenset({"node_modules", "__pycache__"})
_SNIFFED_BYTES = 64 * 1024


class Trace(NamedTuple):
    """What is remembered of every message: its line, and how to find its content again.

    `fingerprint` is 0 for a message without a line of its own; `origin` is then its value,
    otherwise the offset of the line.
    """

    line: int
    fingerprint: int
    origin: Json


class Item(NamedTuple):
    """One message. `raw` is its line when it stands on a line of its own; `offset` where it starts.

    Otherwise it is the value at `pointer` of `document`. `flawed`: its document has flaws.
    """

    value: Json
    flawed: bool
    line: int
    raw: bytes
    offset: int
    document: Document | None = None
    pointer: str = ""

    def trace(self) -> Trace:
        if self.raw:
            return _make_trace((self.line, hash(self.raw), self.offset))
        return Trace(self.line, 0, self.value)

    def opened(self) -> Document:
        """Return the document that holds the message, with places inside the file."""
        if self.document is not None:
            return self.document
        text = decode(self.raw)
        return json_document(text, self.value, self.flawed)

    def place(self, document: Document, pointer: str) -> Place:
        """Return the place in the file of `pointer` into the message."""
        place = document.place(self.pointer + pointer)
        return Place(place.line + self.line - 1, place.column)


# Half the price of calling Trace, and paid for every message.
_make_trace = partial(tuple.__new__, Trace)


@dataclass(frozen=True, slots=True)
class Broken:
    """Text that is no message. `torn`: the file ends in the middle of it."""

    error: DocumentError
    torn: bool = False


class Source:
    """The messages of one open file."""

    def __init__(self, stream: IO[bytes], suffix: str = "") -> None:
        self._stream = stream
        self._suffix = suffix
        self._reader = JsonReader()

    def items(self) -> Iterator[Item | Broken]:
        """Yield every message, or what stands in its place."""
        if self._suffix in _YAML_SUFFIXES:
            return self._yaml_items()
        if self._suffix in _LINE_SUFFIXES or self._starts_with_whole_line():
            return self._line_items()
        return self._json_items()

    def recall(self, item_offset: int) -> Json:
        """Return the value of the line at `item_offset` once more; the reading goes on after it."""
        here = self._stream.tell()
        self._stream.seek(item_offset)
        value, _ = self._reader.read(self._stream.readline(MAX_MESSAGE_BYTES))
        self._stream.seek(here)
        return value

    def _starts_with_whole_line(self) -> bool:
        """Tell JSON Lines from one JSON value: the first of several lines is a value by itself."""
        head = self._stream.read(_SNIFFED_BYTES)
        self._stream.seek(0)
        line, newline, rest = head.lstrip().partition(b"\n")
        try:
            json.loads(line)
        except (ValueError, RecursionError):
            return False
        return bool(newline and rest.strip())

    def _line_items(self) -> Iterator[Item | Broken]:
        read_line, read = self._stream.readline, self._reader.read
        number = offset = 0
        while raw := read_line(MAX_MESSAGE_BYTES + 1):
            number += 1
            start, offset = offset, offset + len(raw)
            if len(raw) > MAX_MESSAGE_BYTES and not raw.endswith(b"\n"):
                offset += self._skip_line()
                yield Broken(_too_long(number))
                continue
            try:
                value, flawed = read(raw)
            except DocumentError as error:
                if not raw.isspace():
                    torn = isinstance(error, NotJson) and not raw.endswith(b"\n")
                    yield Broken(error.moved(number - 1), torn)
            else:
                yield Item(value, flawed, number, raw, start)

    def _skip_line(self) -> int:
        skipped = 0
        while raw := self._stream.readline(MAX_MESSAGE_BYTES):
            skipped += len(raw)
            if raw.endswith(b"\n"):
                break
        return skipped

    def _json_items(self) -> Iterator[Item | Broken]:
        try:
            document = read_json(self._whole())
        except DocumentError as error:
            yield Broken(error)
            return
        yield from _split(document)

    def _yaml_items(self) -> Iterator[Item | Broken]:
        from contractlint.messages.yaml_reader import read_yaml

        try:
            for document in read_yaml(decode(self._whole())):
                yield from _split(document)
        except DocumentError as error:
            yield Broken(error)

    def _whole(self) -> bytes:
        data = self._stream.read(MAX_MESSAGE_BYTES + 1)
        if len(data) > MAX_MESSAGE_BYTES:
            raise _too_long(1)
        return data


def _split(document: Document) -> Iterator[Item]:
    """A document is one message; an array at its top is a batch of them."""
    flawed = bool(document.flaws)
    if not isinstance(document.value, list):
        yield Item(document.value, flawed, 1, b"", -1, document)
        return
    for index, value in enumerate(document.value):
        yield Item(value, flawed, 1, b"", -1, document, f"/{index}")


def _too_long(line: int) -> DocumentError:
    limit = MAX_MESSAGE_BYTES // (1024 * 1024)
    return DocumentError(f"longer than {limit} MiB; write one message per line", Place(line, 1))


class Content:
    """What a message says, remembered by its fingerprint; compared in full only when that differs.

    Equal means the same JSON in any order of members, apart from what a redelivery changes.
    """

    __slots__ = ("_memory", "trace")

    def __init__(self, trace: Trace, memory: Memory) -> None:
        self.trace = trace
        self._memory = memory

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Content):
            return NotImplemented
        if self.trace.fingerprint == other.trace.fingerprint != 0:
            return True
        return self._memory.text(self.trace.origin) == self._memory.text(other.trace.origin)

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True)
class Memory:
    """Looks a message up again. `volatile`: paths of members that change on redelivery."""

    source: Source
    volatile: tuple[tuple[str, ...], ...] = ()

    def text(self, origin: Json) -> str:
        """Return the canonical text of the value, or of the line that starts at an offset."""
        value = self.source.recall(origin) if isinstance(origin, int) else origin
        for path in self.volatile:
            value = _without(value, path)
        return json.dumps(value, sort_keys=True)


def _without(value: Json, path: tuple[str, ...]) -> Json:
    if not isinstance(value, dict) or path[0] not in value:
        return value
    kept = {name: member for name, member in value.items() if name != path[0]}
    if len(path) > 1:
        kept[path[0]] = _without(value[path[0]], path[1:])
    return kept


class Found(NamedTuple):
    """A file to read, and what reports call it. `path` None: standard input."""

    path: Path | None
    name: str


def find_files(paths: Iterable[str]) -> Iterator[Found]:
    """Yield the files named by `paths` in a stable order; folders are searched for messages."""
    for name in paths:
        path = Path(name)
        if name == "-":
            yield Found(None, "<stdin>")
        elif path.is_dir():
            yield from _files_below(path)
        else:
            yield Found(path, path.as_posix())


def _files_below(folder: Path) -> Iterator[Found]:
    for path in sorted(folder.iterdir()):
        if path.name.startswith(".") or path.name in _SKIPPED_FOLDERS or path.is_symlink():
            continue
        if path.is_dir():
            yield from _files_below(path)
        elif path.suffix in MESSAGE_SUFFIXES:
            yield Found(path, path.as_posix())
