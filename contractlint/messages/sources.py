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
    BrokenOff,
    Document,
    DocumentError,
    Json,
    Place,
    decode,
    json_document,
    read_json,
    read_value,
)

MAX_MESSAGE_BYTES = 64 * 1024 * 1024
MESSAGE_SUFFIXES = frozenset({".json", ".jsonl", ".ndjson", ".yaml", ".yml"})
_LINE_SUFFIXES = frozenset({".jsonl", ".ndjson"})
_YAML_SUFFIXES = frozenset({".yaml", ".yml"})
_SKIPPED_FOLDERS = frozenset({"node_modules", "__pycache__"})
OFFSET_BITS = 48
_OFFSET_MASK = (1 << OFFSET_BITS) - 1
_SNIFFED_BYTES = 64 * 1024


class Item(NamedTuple):
    """One message. `raw` is its line when it stands on a line of its own.

    Otherwise it is the value at `pointer` of `document`. `flawed`: its document may have flaws.
    `position` is a number by which the source finds the message again, see `line_of`.
    """

    value: Json
    flawed: bool
    position: int
    raw: bytes
    document: Document | None = None
    pointer: str = ""

    def opened(self) -> Document:
        """Return the document that holds the message, with places inside the file."""
        if self.document is not None:
            return self.document
        text = decode(self.raw)
        return json_document(text, self.value, self.flawed)

    def in_file(self, place: Place) -> Place:
        """Return where in the file a place in the message's document is."""
        return Place(place.line + line_of(self.position) - 1, place.column)


def line_of(position: int) -> int:
    """Return the line where the message at `position` starts.

    A position is one number, line and offset together, because it is kept for every message. The
    messages of a JSON or YAML document count -1, -2 and so on; they share the document's line.
    """
    return position >> OFFSET_BITS if position >= 0 else 1


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
        self._values: list[Json] = []

    def items(self) -> Iterator[Item | Broken]:
        """Yield every message, or what stands in its place."""
        if self._suffix in _YAML_SUFFIXES:
            return self._yaml_items()
        if self._suffix in _LINE_SUFFIXES or self._starts_with_whole_line():
            return self._line_items()
        return self._json_items()

    def recall(self, position: int) -> Json:
        """Return the message at `position` once more; the reading goes on where it was."""
        if position < 0:
            return self._values[-position - 1]
        value, _ = read_value(self.recall_line(position))
        return value

    def recall_line(self, position: int) -> bytes:
        """Return the line at `position` once more; empty for a message of a document."""
        if position < 0:
            return b""
        here = self._stream.tell()
        self._stream.seek(position & _OFFSET_MASK)
        line = self._stream.readline(MAX_MESSAGE_BYTES)
        self._stream.seek(here)
        return line

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
        read_line = self._stream.readline
        # Half the price of calling Item, and paid for every message.
        make_item = partial(tuple.__new__, Item)
        number = offset = 0
        while raw := read_line(MAX_MESSAGE_BYTES + 1):
            number += 1
            start, offset = offset, offset + len(raw)
            if len(raw) > MAX_MESSAGE_BYTES and not raw.endswith(b"\n"):
                offset += self._skip_line()
                yield Broken(_too_long(number))
                continue
            try:
                value, flawed = read_value(raw)
            except DocumentError as error:
                if not raw.isspace():
                    torn = isinstance(error, BrokenOff) and not raw.endswith(b"\n")
                    yield Broken(error.moved(number - 1), torn)
            else:
                yield make_item((value, flawed, number << OFFSET_BITS | start, raw, None, ""))

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
        yield from self._split(document)

    def _yaml_items(self) -> Iterator[Item | Broken]:
        from contractlint.messages.yaml_reader import read_yaml

        try:
            for document in read_yaml(decode(self._whole())):
                yield from self._split(document)
        except DocumentError as error:
            yield Broken(error)

    def _split(self, document: Document) -> Iterator[Item]:
        """A document is one message; an array at its top is a batch of them."""
        flawed, value = bool(document.flaws), document.value
        batch = [("", value)]
        if isinstance(value, list):
            batch = [(f"/{index}", one) for index, one in enumerate(value)]
        for pointer, one in batch:
            self._values.append(one)
            yield Item(one, flawed, -len(self._values), b"", document, pointer)

    def _whole(self) -> bytes:
        data = self._stream.read(MAX_MESSAGE_BYTES + 1)
        if len(data) > MAX_MESSAGE_BYTES:
            raise _too_long(1)
        return data


def _too_long(line: int) -> DocumentError:
    limit = MAX_MESSAGE_BYTES // (1024 * 1024)
    return DocumentError(f"longer than {limit} MiB; write one message per line", Place(line, 1))


@dataclass(frozen=True)
class Memory:
    """Compares messages with earlier ones. `volatile`: paths of what changes on redelivery."""

    source: Source
    volatile: tuple[tuple[str, ...], ...] = ()

    def same(self, one: int, other: int) -> bool:
        """Tell whether the messages at two positions have the same content.

        That is the same JSON in any order of members, apart from what changes on redelivery.
        """
        line = self.source.recall_line(one)
        if line and line == self.source.recall_line(other):
            return True
        return self._text(one) == self._text(other)

    def _text(self, position: int) -> str:
        value = self.source.recall(position)
        for path in self.volatile:
            value = _without(value, path)
        return json.dumps(value, sort_keys=True)


class Content:
    """What the message at `position` says; it is looked at only when it is compared."""

    __slots__ = ("_memory", "position")

    def __init__(self, position: int, memory: Memory) -> None:
        self.position = position
        self._memory = memory

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Content):
            return NotImplemented
        return self._memory.same(self.position, other.position)

    __hash__ = None  # type: ignore[assignment]  # how Python says that it has none


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
