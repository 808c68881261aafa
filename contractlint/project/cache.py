"""Results of earlier runs, by content. A cache that is broken or cannot be written is no cache."""

from __future__ import annotations

import hashlib
import json
import os
import sys
import tempfile
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from contractlint import __version__
from contractlint.bundled import bundled
from contractlint.engine import EngineSettings, FileResult, HandlerRecord
from contractlint.findings import Finding, Problem, Step
from contractlint.tree import EVERY_SOURCE, source_files

FOLDER = ".contractlint_cache"
_FILE = "results.json"


class Cache:
    """What is known of files under one set of settings.

    An entry holds for the same path and content, as long as the other files it was made from are
    the same too. The file carries its own checksum, so that half a file is never believed.
    """

    def __init__(self, root: Path, key: str) -> None:
        self._folder = root / FOLDER
        self._key = key
        self._entries: dict[str, Any] = self._load()
        self._changed = False
        self._digests: dict[str, str] = {}

    def get(self, path: str, source: bytes) -> FileResult | None:
        entry = self._entries.get(path)
        if entry is None or entry["digest"] != digest(source):
            return None
        if any(self._file_digest(other) != known for other, known in entry["depends"].items()):
            return None
        return _decode(entry["result"])

    def put(self, path: str, source: bytes, result: FileResult) -> None:
        depends = {other: self._file_digest(other) for other in result.depends}
        self._entries[path] = {
            "digest": digest(source),
            "depends": depends,
            "result": asdict(result),
        }
        self._changed = True

    def save(self) -> None:
        """Write what is new, without the files that are gone."""
        if not self._changed:
            return
        entries = {path: entry for path, entry in self._entries.items() if os.path.exists(path)}
        body = json.dumps({"key": self._key, "entries": entries})
        try:
            self._folder.mkdir(exist_ok=True)
            (self._folder / ".gitignore").write_text("*\n", encoding="utf-8")
            _replace(self._folder / _FILE, f"{digest(body.encode())}\n{body}")
        except OSError:
            return

    def _load(self) -> dict[str, Any]:
        try:
            text = (self._folder / _FILE).read_text(encoding="utf-8")
        except (OSError, ValueError):
            return {}
        checksum, _, body = text.partition("\n")
        if checksum != digest(body.encode()):
            return {}
        content = json.loads(body)
        entries: dict[str, Any] = content["entries"] if content["key"] == self._key else {}
        return entries

    def _file_digest(self, path: str) -> str:
        if path not in self._digests:
            self._digests[path] = self._digest_of(Path(path))
        return self._digests[path]

    def _digest_of(self, path: Path) -> str:
        if path.name == EVERY_SOURCE:
            known = [
                (str(file), self._file_digest(str(file))) for file in source_files(path.parent)
            ]
            return digest(json.dumps(known).encode())
        try:
            return digest(path.read_bytes())
        except OSError:
            return ""


def cache_key(settings: EngineSettings, root: Path) -> str:
    """Return a digest of all that the result of a file depends on, besides its own content."""
    parts: list[object] = [
        __version__,
        sys.version_info[:3],
        _plain(settings),
        os.path.relpath(root),
        [digest(Path(path).read_bytes()) for path in _knowledge(settings)],
        [_stamp(path) for path in sorted(Path(__file__).parent.parent.rglob("*.py"))],
    ]
    return digest(json.dumps(parts).encode())


def digest(content: bytes) -> str:
    return hashlib.blake2b(content, digest_size=20).hexdigest()


def _knowledge(settings: EngineSettings) -> Iterable[str]:
    own = sorted(str(path) for path in bundled("rules").rglob("*.toml"))
    named = (*settings.libraries, *settings.rule_files)
    return [*own, *(path for path in named if os.path.isfile(path))]


def _stamp(path: Path) -> tuple[str, int, int]:
    status = path.stat()
    return path.name, status.st_mtime_ns, status.st_size


def _plain(settings: EngineSettings) -> list[object]:
    return [
        sorted(settings.codes),
        sorted((name, list(calls)) for name, calls in settings.events.items()),
        list(settings.libraries),
        list(settings.rule_files),
        sorted(settings.classes.items()),
        list(settings.source_roots),
        list(settings.envelope),
        [repr(rule) for rule in settings.inline_rules],
    ]


def _replace(file: Path, text: str) -> None:
    """Write a file so that a reader sees the old content or the new, never a part."""
    handle, name = tempfile.mkstemp(dir=file.parent, prefix=file.name)
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as stream:
            stream.write(text)
        os.replace(name, file)
    except OSError:
        os.unlink(name)
        raise


def _decode(encoded: Mapping[str, Any]) -> FileResult:
    return FileResult(
        findings=tuple(_finding(item) for item in encoded["findings"]),
        problems=tuple(Problem(**item) for item in encoded["problems"]),
        handlers=tuple(HandlerRecord(**item) for item in encoded["handlers"]),
        depends=tuple(encoded["depends"]),
        offers=tuple(encoded["offers"]),
    )


def _finding(encoded: Mapping[str, Any]) -> Finding:
    steps = tuple(Step(**step) for step in encoded["scenario"])
    anchors = tuple((path, line) for path, line in encoded["anchors"])
    return Finding(**{**encoded, "scenario": steps, "anchors": anchors})
