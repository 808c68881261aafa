"""Patterns in the language of gitignore: ignore files, `exclude` and `per-file-ignores`."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec


@dataclass(frozen=True)
class Layer:
    """Patterns of one folder, and how a printed path is made relative to that folder."""

    spec: GitIgnoreSpec
    strip: int
    lead: str

    def verdict(self, path: str) -> bool | None:
        """Return True for ignored, False for explicitly not ignored, None for no word on it."""
        return self.spec.check_file(self.lead + path[self.strip :]).include


@dataclass(frozen=True)
class Ignores:
    """The ignore files that hold in a folder, outermost first; the innermost has the last word."""

    layers: tuple[Layer, ...] = ()

    def covers(self, path: str) -> bool:
        """Tell whether the printed `path` is ignored; folders end with a slash."""
        for layer in reversed(self.layers):
            verdict = layer.verdict(path)
            if verdict is not None:
                return verdict
        return False

    def within(self, prefix: str) -> Ignores:
        """Return what holds in the folder `prefix` (printed, "" or ending with a slash)."""
        layer = _layer(Path(prefix, ".gitignore"), strip=len(prefix), lead="")
        return Ignores((*self.layers, layer)) if layer else self


def ignores_above(folder: str, prefix: str) -> Ignores:
    """Return what the ignore files between the repository's top and `folder` say about its content.

    A folder that is itself ignored was asked for by name: then nothing above it counts.
    """
    homes = _repository_path(Path(folder).absolute())
    places = [(homes[0] / ".git" / "info" / "exclude", homes[0])]
    places += [(home / ".gitignore", home) for home in homes[:-1]]
    layers = (_layer(file, len(prefix), _lead(folder, home)) for file, home in places)
    above = Ignores(tuple(layer for layer in layers if layer))
    return Ignores() if above.covers(prefix) else above


def pattern_layer(patterns: Iterable[str], root: Path, folder: str, prefix: str) -> Layer:
    """Return patterns relative to `root` as they apply to printed paths below `folder`.

    Raises:
        ValueError: a pattern is not valid.
    """
    return Layer(compile_patterns(patterns), len(prefix), _lead(folder, root))


def compile_patterns(patterns: Iterable[str]) -> GitIgnoreSpec:
    """Raises ValueError for a pattern that is not valid."""
    from pathspec import GitIgnoreSpec

    try:
        return GitIgnoreSpec.from_lines(patterns)
    except re.error as error:
        raise ValueError(str(error)) from None


def is_pattern(text: str) -> bool:
    """Tell whether `text` is a valid pattern."""
    try:
        compile_patterns([text])
    except ValueError:
        return False
    return True


def _layer(file: Path, strip: int, lead: str) -> Layer | None:
    try:
        lines = file.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return None
    return Layer(compile_patterns(filter(is_pattern, lines)), strip, lead)


def _repository_path(folder: Path) -> list[Path]:
    """Return the folders from the repository's top down to `folder`."""
    for index, home in enumerate((folder, *folder.parents)):
        if (home / ".git").exists():
            return [*reversed(folder.parents[:index]), folder]
    return [folder]


def _lead(folder: str, home: Path) -> str:
    relative = os.path.relpath(folder, home).replace(os.sep, "/")
    return "" if relative == "." else f"{relative}/"
