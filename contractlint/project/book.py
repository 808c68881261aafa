"""The texts of the files a run speaks of, read at most once each."""

from __future__ import annotations

from contractlint.project.comments import Comment, find_comments
from contractlint.project.sources import SourceError, read_source, source_text


class SourceBook:
    """Sources by printed path. What was not put in is read from disk when it is asked for."""

    def __init__(self) -> None:
        self._sources: dict[str, bytes] = {}
        self._lines: dict[str, list[str]] = {}
        self._comments: dict[str, list[Comment]] = {}

    def forget(self, path: str) -> None:
        """Let go of a text that is not needed any more."""
        self._sources.pop(path, None)

    def keep(self, path: str, source: bytes) -> None:
        self._sources[path] = source

    def source(self, path: str) -> bytes:
        """Return the file's bytes; none for a file that cannot be read (any more)."""
        if path not in self._sources:
            try:
                self._sources[path] = read_source(path)
            except SourceError:
                self._sources[path] = b""
        return self._sources[path]

    def lines(self, path: str) -> list[str]:
        """Return the file's lines without their ends; line 1 is at index 0."""
        if path not in self._lines:
            try:
                text = source_text(self.source(path)).removeprefix("\ufeff")
            except SourceError:
                text = ""
            unified = text.replace("\r\n", "\n").replace("\r", "\n")
            self._lines[path] = unified.split("\n")
        return self._lines[path]

    def line(self, path: str, number: int) -> str:
        """Return one line, counted from 1; "" where there is none."""
        lines = self.lines(path)
        return lines[number - 1] if 0 < number <= len(lines) else ""

    def comments(self, path: str) -> list[Comment]:
        if path not in self._comments:
            self._comments[path] = find_comments(path, self.source(path))
        return self._comments[path]
