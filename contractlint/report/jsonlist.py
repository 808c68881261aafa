"""What the formats that are JSON share: the findings stand in a list, each on a line of its own."""

from __future__ import annotations

import json
from abc import abstractmethod
from typing import Any

from contractlint.findings import Reported, Summary
from contractlint.report.writer import Writer


class JsonWriter(Writer):
    """Writes the list while it grows; a format says what stands before, in and behind it."""

    _begun = False

    def _finding(self, reported: Reported) -> None:
        self._write_entry(self._entry(reported))

    def close(self, summary: Summary) -> None:
        self._write_rest(summary)
        if not self._begun:
            self._begin()
        self._out.write("\n]")
        self._write_end(summary)
        self._out.write("\n")

    def _write_entry(self, entry: dict[str, Any]) -> None:
        if self._begun:
            self._out.write(",\n")
        else:
            self._begin()
        self._out.write(line(entry))

    def _begin(self) -> None:
        self._out.write(self._head() + "[\n")
        self._begun = True

    def _head(self) -> str:
        """Return what stands before the list."""
        return ""

    @abstractmethod
    def _entry(self, reported: Reported) -> dict[str, Any]: ...

    def _write_rest(self, summary: Summary) -> None:
        """Write the entries that come after those of the findings."""

    def _write_end(self, summary: Summary) -> None:
        """Write what stands behind the list."""


def line(value: object) -> str:
    """Return JSON on one line."""
    return json.dumps(value, ensure_ascii=False)
