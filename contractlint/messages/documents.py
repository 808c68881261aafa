"""Reading JSON, JSON Lines and YAML: the value, its flaws, and the place of every JSON Pointer.

A place is looked up only when something is to be reported. What is plain JSON, and so are nearly
all messages, is read by a fast decoder; what may have flaws by the standard one. Depth, alias
expansion and scalar sizes are bounded, so hostile text costs time linear in its length and ends in
a `DocumentError`, never in a crash.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple

import orjson

Json = Any

# The validating engine stops at 255 levels.
MAX_DEPTH = 200
MAX_INTEGER_DIGITS = 4000
SAFE_INTEGER = 2**53 - 1
_UTF8_BOM = b"\xef\xbb\xbf"
_UTF16_BOMS = (b"\xff\xfe", b"\xfe\xff")


class Place(NamedTuple):
    """Line and column, both counted from 1; columns count characters."""

    line: int
    column: int


START = Place(1, 1)


@dataclass(frozen=True, slots=True)
class Flaw:
    """Something a decoder accepts and another one reads differently. `check` names it."""

    check: str
    pointer: str
    place: Place
    message: str


class DocumentError(Exception):
    """Text that cannot be read as what it claims to be."""

    def __init__(self, message: str, place: Place = START) -> None:
        super().__init__(message)
        self.message = message
        self.place = place

    def moved(self, lines: int) -> DocumentError:
        """Return the same error `lines` further down, for text cut out of a longer file."""
        return type(self)(self.message, Place(self.place.line + lines, self.place.column))


class BrokenOff(DocumentError):
    """Text that is right as far as it goes, and ends too early."""


@dataclass(frozen=True)
class Document:
    """One decoded value. `locate` turns a JSON Pointer into its place, or raises KeyError."""

    value: Json
    flaws: tuple[Flaw, ...]
    locate: Callable[[str], Place]

    def place(self, pointer: str) -> Place:
        """Return where `pointer` stands, or its nearest existing ancestor."""
        while pointer:
            try:
                return self.locate(pointer)
            except KeyError:
                pointer = pointer.rpartition("/")[0]
        return self.locate("")


def escape(part: str | int) -> str:
    """Return one reference token of a JSON Pointer."""
    return str(part).replace("~", "~0").replace("/", "~1")


def pointer_of(parts: list[str | int]) -> str:
    """Return the JSON Pointer that leads through `parts`."""
    return "".join(f"/{escape(part)}" for part in parts)


def decode(data: bytes) -> str:
    """Return `data` as text.

    Raises:
        DocumentError: UTF-16 or UTF-32, or bytes that are not UTF-8; the place is the first one.
    """
    if data.startswith(_UTF16_BOMS) or b"\0" in data[:4]:
        raise DocumentError("the text is UTF-16 or UTF-32; JSON between systems is UTF-8")
    try:
        return data.removeprefix(_UTF8_BOM).decode("utf-8")
    except UnicodeDecodeError as error:
        before = data[: error.start].decode("utf-8", "replace")
        place = place_at(before, len(before))
        if error.reason == "unexpected end of data":
            raise BrokenOff("not JSON: the text ends within a character", place) from None
        raise DocumentError(f"byte 0x{data[error.start]:02x} is not UTF-8", place) from None


def place_at(text: str, offset: int) -> Place:
    """Return the place of the character at `offset`."""
    return Place(text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset))


# --- JSON -----------------------------------------------------------------------------------------

_TOKEN = re.compile(
    r"""
      (?P<string>"[^"\\]*(?:\\.[^"\\]*)*")
    | (?P<open>[\[{])
    | (?P<close>[\]}])
    | (?P<scalar>[-+.\w]+)
    """,
    re.VERBOSE | re.DOTALL,
)
_COLON = re.compile(r"[ \t\r\n]*:")
_INTEGER = re.compile(r"-?\d+")
# What the decoder does not recognize because its end is missing.
_BEGUN = re.compile(r"-|t(ru?)?|f(a(ls?)?)?|n(ul?)?|\\?u[0-9a-fA-F]{0,3}")
# Cheaper than a regular expression, and asked about every message.
_SIXTEEN_DIGITS = b"0" * 16
_SPACES = b" \t\r\n"
# What nests too deeply takes a bracket to open and another to close each level.
_FLAT_LENGTH = 2 * MAX_DEPTH
_DIGITS_TO_ZERO = bytes.maketrans(b"123456789", b"000000000")


class Node(NamedTuple):
    """A value or, when `is_key`, the name of the member at `pointer`."""

    pointer: str
    text: str
    offset: int
    is_key: bool


@dataclass(slots=True)
class _Container:
    pointer: str
    is_object: bool
    index: int = 0
    key: str = ""

    def next_pointer(self) -> str:
        part = self.key if self.is_object else str(self.index)
        self.index += 1
        return f"{self.pointer}/{part}"


def nodes(text: str) -> Iterator[Node]:
    """Yield the values and names of well-formed JSON in the order they stand in `text`."""
    stack: list[_Container] = []
    for token in _TOKEN.finditer(text):
        word = token[0]
        if token.lastgroup == "close":
            stack.pop()
        elif stack and stack[-1].is_object and _names_member(text, token):
            stack[-1].key = escape(json.loads(word) if "\\" in word else word[1:-1])
            yield Node(f"{stack[-1].pointer}/{stack[-1].key}", word, token.start(), True)
        else:
            pointer = stack[-1].next_pointer() if stack else ""
            yield Node(pointer, word, token.start(), False)
            if token.lastgroup == "open":
                stack.append(_Container(pointer, word == "{"))


def _names_member(text: str, token: re.Match[str]) -> bool:
    return token.lastgroup == "string" and _COLON.match(text, token.end()) is not None


def too_deep(text: str) -> int | None:
    """Return the offset where brackets nest deeper than `MAX_DEPTH`, or None."""
    if text.count("[") + text.count("{") <= MAX_DEPTH:
        return None
    depth = 0
    for token in _TOKEN.finditer(text):
        if token.lastgroup == "open":
            depth += 1
            if depth > MAX_DEPTH:
                return token.start()
        elif token.lastgroup == "close":
            depth -= 1
    return None


def read_value(data: bytes) -> tuple[Json, bool]:
    """Return the JSON value of `data` and whether it may have flaws.

    Raises:
        DocumentError: not UTF-8, not JSON, or nested deeper than `MAX_DEPTH`.
    """
    packed = data.translate(_DIGITS_TO_ZERO, _SPACES)
    # Each of these asks first what is cheap and rules the rest out for most messages.
    if (b"\\" in packed and may_hold_quotes(packed)) or (
        len(packed) > _FLAT_LENGTH and packed.count(b"[") + packed.count(b"{") > MAX_DEPTH
    ):
        return _read_carefully(data)
    try:
        value = orjson.loads(data)
    except ValueError:
        return _read_carefully(data)
    # Without quotes in strings only a name ends before a colon. Two of one name are one member, so
    # what has as many when it is written again holds no name twice.
    names = packed.count(b'":')
    is_flat = type(value) is dict and len(value) == names
    if _SIXTEEN_DIGITS in packed or not (is_flat or orjson.dumps(value).count(b'":') == names):
        return _read_carefully(data)
    return value, False


def may_hold_quotes(data: bytes) -> bool:
    """Tell whether a string in JSON may hold a quote, which must be escaped there."""
    return b'\\"' in data or b"\\u00" in data


class _Carefully:
    """The standard decoder, told to notice repeated names and NaN."""

    def __init__(self) -> None:
        self.noticed = False

    def object(self, pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        members = dict(pairs)
        self.noticed = self.noticed or len(members) != len(pairs)
        return members

    def constant(self, word: str) -> float:
        self.noticed = True
        return float(word)


def _read_carefully(data: bytes) -> tuple[Json, bool]:
    """Read what is no plain JSON, and say why it cannot be read."""
    # An end that is missing is missing behind the text, not on the next line.
    text = decode(data).rstrip(_SPACES.decode())
    deep = too_deep(text)
    if deep is not None:
        raise DocumentError(f"nested deeper than {MAX_DEPTH} levels", place_at(text, deep))
    hooks = _Carefully()
    try:
        value = json.loads(text, object_pairs_hook=hooks.object, parse_constant=hooks.constant)
    except json.JSONDecodeError as error:
        place = Place(error.lineno, error.colno)
        kind = BrokenOff if _breaks_off(error) else DocumentError
        raise kind(f"not JSON: {error.msg.lower()}", place) from None
    except ValueError:
        raise _oversized_integer(text) from None
    return value, hooks.noticed or _SIXTEEN_DIGITS in data.translate(_DIGITS_TO_ZERO)


def _breaks_off(error: json.JSONDecodeError) -> bool:
    """Could more text make it JSON?"""
    rest = error.doc[error.pos :].rstrip()
    return not rest or error.msg.startswith("Unterminated") or _BEGUN.fullmatch(rest) is not None


def _oversized_integer(text: str) -> DocumentError:
    found = re.search(rf"\d{{{MAX_INTEGER_DIGITS}}}", text)
    place = place_at(text, found.start() if found else 0)
    return DocumentError(f"an integer of more than {MAX_INTEGER_DIGITS} digits", place)


def read_json(data: bytes) -> Document:
    """Return the one JSON value in `data`.

    Raises:
        DocumentError: not UTF-8, not JSON, or nested deeper than `MAX_DEPTH`.
    """
    value, flawed = read_value(data)
    return json_document(decode(data), value, flawed)


def json_document(text: str, value: Json, flawed: bool) -> Document:
    """Return the document of a `text` that has been read already."""
    flaws = tuple(_json_flaws(text)) if flawed else ()
    return Document(value, flaws, _Locator(text).place)


class _Locator:
    """Reads the text as far as it is asked about, and remembers what it has passed."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._nodes = nodes(text)
        self._passed: dict[str, int] = {}

    def place(self, pointer: str) -> Place:
        while pointer not in self._passed:
            node = next(self._nodes, None)
            if node is None:
                raise KeyError(pointer)
            if not node.is_key:
                self._passed[node.pointer] = node.offset
        return place_at(self._text, self._passed[pointer])


def _json_flaws(text: str) -> Iterator[Flaw]:
    seen: set[str] = set()
    for node in nodes(text):
        if node.is_key and node.pointer in seen:
            yield _flaw("duplicate-json-key", text, node, f"the name {node.text} occurs twice")
        elif not node.is_key and node.text in ("NaN", "Infinity", "-Infinity"):
            yield _flaw("not-a-number", text, node, f"{node.text} is not JSON")
        elif not node.is_key and _is_unsafe(node.text):
            yield _flaw("unsafe-integer", text, node, unsafe_message(node.text))
        if node.is_key:
            seen.add(node.pointer)


def _flaw(check: str, text: str, node: Node, message: str) -> Flaw:
    return Flaw(check, node.pointer, place_at(text, node.offset), message)


def _is_unsafe(word: str) -> bool:
    return _INTEGER.fullmatch(word) is not None and abs(int(word)) > SAFE_INTEGER


def unsafe_message(word: str) -> str:
    """Return what is wrong with an integer that a double cannot hold."""
    digits = word if len(word) <= 24 else f"{word[:20]}… ({len(word)} digits)"
    return f"{digits} is beyond 2^53 - 1; a reader that uses doubles rounds it"
