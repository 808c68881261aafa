"""Parsing that cannot take the process down: what the parser cannot bear is refused before it.

CPython itself refuses more than 200 nested brackets and 100 levels of indentation, so refusing
them loses no valid program; libcst would crash the process on some thousands.
"""

from __future__ import annotations

import codecs
import io
import re
import tokenize
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import libcst as cst

_DEEPEST_BRACKETS = 200
_DEEPEST_INDENT = 100
_STRING_OR_BRACKET = re.compile(
    r"""(?P<skip>[rRbBuUfFtT]{0,2}(?:'''(?:\\.|[^\\])*?'''|\"\"\"(?:\\.|[^\\])*?\"\"\"
        |'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*")|\#[^\n]*)|(?P<open>[(\[{])|(?P<close>[)\]}])""",
    re.VERBOSE | re.DOTALL,
)


class SourceError(ValueError):
    """Source that is not Python; `line` counts from 1, 0 if the whole file is meant."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line
        self.message = message


def decode(source: bytes) -> str:
    """Decode by byte-order mark and PEP 263 declaration.

    Raises:
        SourceError: unknown or wrong encoding, or a NUL byte.
    """
    nul = source.find(b"\0")
    if nul >= 0 and not source.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        raise SourceError(source.count(b"\n", 0, nul) + 1, "the file holds a NUL byte")
    try:
        encoding, _ = tokenize.detect_encoding(io.BytesIO(source).readline)
        return source.decode(encoding)
    except SyntaxError as error:
        raise SourceError(1, f"cannot tell the encoding: {error}") from None
    except UnicodeDecodeError as error:
        line = source.count(b"\n", 0, error.start) + 1
        raise SourceError(line, f"not valid {error.encoding}: byte {error.start}") from None


def check_depth(text: str) -> None:
    """Refuse nesting that no Python accepts.

    Raises:
        SourceError: brackets deeper than 200 or indentation deeper than 100 levels.
    """
    if text.count("(") + text.count("[") + text.count("{") > _DEEPEST_BRACKETS:
        _check_brackets(text)
    _check_indent(text)


def _check_brackets(text: str) -> None:
    depth = 0
    for match in _STRING_OR_BRACKET.finditer(text):
        if match["open"]:
            depth += 1
            if depth > _DEEPEST_BRACKETS:
                line = text.count("\n", 0, match.start()) + 1
                raise SourceError(line, f"more than {_DEEPEST_BRACKETS} nested brackets")
        elif match["close"]:
            depth = max(0, depth - 1)


def _check_indent(text: str) -> None:
    deepest = " " * _DEEPEST_INDENT
    if f"\n{deepest}" not in text and "\n" + "\t" * _DEEPEST_INDENT not in text:
        return
    levels = [0]
    for number, line in enumerate(text.split("\n"), 1):
        body = line.lstrip(" \t")
        if not body or body[0] in "#\r":
            continue
        width = len(line) - len(body)
        while levels[-1] > width:
            levels.pop()
        if width > levels[-1] and body[0] not in ")]}":
            levels.append(width)
        if len(levels) > _DEEPEST_INDENT:
            raise SourceError(number, f"more than {_DEEPEST_INDENT} levels of indentation")


def parse(source: bytes) -> cst.Module:
    """Parse a file.

    Raises:
        SourceError: it is not Python, or nests deeper than Python allows.
    """
    import libcst as cst

    text = decode(source)
    check_depth(text)
    try:
        return cst.parse_module(text.lstrip("\ufeff"))
    except cst.ParserSyntaxError as error:
        raise SourceError(error.raw_line, f"syntax error: {_first_sentence(error)}") from None
    except RecursionError:
        raise SourceError(0, "nested too deeply to be read") from None
    except Exception as error:  # the native parser raises undocumented classes on odd input
        raise SourceError(0, f"cannot be parsed: {type(error).__name__}: {error}") from None


def _first_sentence(error: cst.ParserSyntaxError) -> str:
    return error.message.strip().splitlines()[0][:200]
