"""Reading a source file the way Python would, and refusing clearly what Python would refuse."""

from __future__ import annotations

import ast
import io
import os
import re
import stat
import warnings
from tokenize import detect_encoding

from contractlint.findings import Problem

_BRACKET = re.compile(rb"[\[({]|[\])}]")
_DEEP_INDENT = re.compile(rb"^[ \t]{100}", re.MULTILINE)
_COOKIE = re.compile(rb"\A(?:[ \t\f]*(?:#[^\r\n]*)?\r?\n)?[ \t\f]*#[^\r\n]*coding[:=]")

# CPython refuses more than 200 nested brackets; text in strings and comments blurs the count.
_SUSPICIOUS_DEPTH = 150

# Chains of thousands of operators nest just as deeply, and stand on lines that no one writes.
_LONG_LINE = re.compile(rb"[^\n]{4000,}")


class SourceError(Exception):
    """A file that is not Python text. `problem` says where and why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


def read_source(path: str) -> bytes:
    """Return the bytes of a regular file.

    Raises:
        SourceError: it cannot be read, or is no regular file (reading a pipe would never end).
    """
    try:
        with open(os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0)), "rb") as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise SourceError(Problem(path, 0, "cannot be read: not a regular file"))
            return file.read()
    except OSError as error:
        raise SourceError(Problem(path, 0, f"cannot be read: {error.strerror}")) from None


def as_utf8(path: str, source: bytes) -> bytes:
    """Return `source` encoded as UTF-8, whatever encoding it declares.

    Raises:
        SourceError: it holds a NUL byte, or bytes that its encoding does not allow.
    """
    if b"\0" in source:
        raise SourceError(Problem(path, _line_at(source, source.index(b"\0")), "holds a NUL byte"))
    if source.isascii() and not _COOKIE.match(source):
        return source
    return _decoded(path, source).encode("utf-8", "surrogatepass")


def source_text(source: bytes) -> str:
    """Return a source that has been checked before as text."""
    return _decoded("", source)


def _decoded(path: str, source: bytes) -> str:
    try:
        encoding, _ = detect_encoding(io.BytesIO(source).readline)
        return source.decode(encoding)
    except UnicodeDecodeError as error:
        line = _line_at(source, error.start)
        raise SourceError(Problem(path, line, f"not valid {error.encoding}")) from None
    except (SyntaxError, LookupError, ValueError) as error:
        reason = error.msg if isinstance(error, SyntaxError) else error
        line = _first_bad_line(source)
        raise SourceError(Problem(path, line, f"cannot be decoded: {reason}")) from None


def _first_bad_line(source: bytes) -> int:
    try:
        source.decode("utf-8")
    except UnicodeDecodeError as error:
        return _line_at(source, error.start)
    return 1


def _line_at(source: bytes, position: int) -> int:
    return source.count(b"\n", 0, position) + 1


def nesting_problem(path: str, source: bytes) -> Problem | None:
    """Return a problem for nesting that Python itself refuses.

    Our parser would crash on it, or take minutes and gigabytes.
    """
    if not _looks_deep(source):
        return None
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            ast.parse(source)
    except SyntaxError as error:
        return Problem(path, error.lineno or 1, f"not valid Python: {error.msg}")
    except (RecursionError, MemoryError, ValueError):
        return Problem(path, deepest_line(source), "nested too deeply")
    return None


def _looks_deep(source: bytes) -> bool:
    signs = (_LONG_LINE, _DEEP_INDENT)
    return _depth(source)[0] > _SUSPICIOUS_DEPTH or any(sign.search(source) for sign in signs)


def deepest_line(source: bytes) -> int:
    """Return the line where the source nests most: in brackets, in operators or in blocks."""
    depth, position = _depth(source)
    long_line = _LONG_LINE.search(source)
    if depth < _SUSPICIOUS_DEPTH and long_line:
        position = long_line.start()
    elif depth < _SUSPICIOUS_DEPTH:
        position = max(_indentations(source), default=(0, 0))[1]
    return _line_at(source, position)


def _depth(source: bytes) -> tuple[int, int]:
    """Return the greatest depth of brackets and where it is first reached."""
    depth = deepest = position = 0
    for match in _BRACKET.finditer(source):
        depth = depth + 1 if match[0] in b"[({" else max(depth - 1, 0)
        if depth > deepest:
            deepest, position = depth, match.start()
    return deepest, position


def _indentations(source: bytes) -> list[tuple[int, int]]:
    return [(len(m[1]), m.start()) for m in re.finditer(rb"^([ \t]*)\S", source, re.MULTILINE)]
