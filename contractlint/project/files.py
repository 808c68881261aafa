"""Which files are checked."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass

from contractlint.findings import Problem
from contractlint.prefilter import is_test_name
from contractlint.project.config import Config
from contractlint.project.ignores import Ignores, Layer, ignores_above, pattern_layer
from contractlint.project.paths import shown_path

DEFAULT_EXCLUDE = frozenset(
    {
        ".bzr",
        ".contractlint_cache",
        ".direnv",
        ".eggs",
        ".git",
        ".hg",
        ".ipynb_checkpoints",
        ".mypy_cache",
        ".nox",
        ".pytest_cache",
        ".ruff_cache",
        ".svn",
        ".tox",
        ".venv",
        "__pycache__",
        "__pypackages__",
        "build",
        "dist",
        "node_modules",
        "site-packages",
        "venv",
    }
)


@dataclass(frozen=True)
class Selection:
    """Printed paths in order, each once, and what could not be looked at."""

    files: tuple[str, ...]
    problems: tuple[Problem, ...]


def select_files(paths: Iterable[str], config: Config) -> Selection:
    """Return the named files, and the Python files below the named folders.

    Links to folders are not followed: what they show is either in the tree already or not part of
    it, and following them need not end.
    """
    walk = _Walk(config)
    for path in paths:
        walk.add(path)
    return Selection(tuple(sorted(walk.files)), tuple(sorted(walk.problems)))


class _Walk:
    def __init__(self, config: Config) -> None:
        self.files: set[str] = set()
        self.problems: set[Problem] = set()
        self._config = config
        self._by_default = config.exclude is None

    def add(self, path: str) -> None:
        shown = shown_path(path)
        if os.path.isdir(path):
            self._add_folder(path, "" if shown == "." else f"{shown}/")
        elif os.path.lexists(path):
            self.files.add(shown)
        else:
            self.problems.add(Problem(shown, 0, "no such file or folder"))

    def _add_folder(self, folder: str, prefix: str) -> None:
        excluded = self._excluded(folder, prefix)
        honour = self._config.respect_gitignore
        pending = [(prefix, ignores_above(folder, prefix) if honour else Ignores())]
        while pending:
            prefix, ignores = pending.pop()
            entries = self._entries(prefix)
            if honour and any(entry.name == ".gitignore" for entry in entries):
                ignores = ignores.within(prefix)
            folders = self._visit(entries, prefix, Ignores((*ignores.layers, *excluded)))
            pending.extend((name, ignores) for name in folders)

    def _excluded(self, folder: str, prefix: str) -> tuple[Layer, ...]:
        patterns = (*(self._config.exclude or ()), *self._config.extend_exclude)
        if not patterns:
            return ()
        return (pattern_layer(patterns, self._config.root, folder, prefix),)

    def _entries(self, prefix: str) -> list[os.DirEntry[str]]:
        try:
            return list(os.scandir(prefix or "."))
        except OSError as error:
            shown = prefix.rstrip("/") or "."
            self.problems.add(Problem(shown, 0, f"cannot be read: {error.strerror}"))
            return []

    def _visit(
        self, entries: Iterable[os.DirEntry[str]], prefix: str, ignores: Ignores
    ) -> list[str]:
        """Take the Python files among `entries`; return the folders to go into."""
        folders = []
        for entry in entries:
            if self._by_default and left_out(entry.name):
                continue
            path = prefix + entry.name
            if entry.is_dir(follow_symlinks=False):
                if not ignores.covers(f"{path}/"):
                    folders.append(f"{path}/")
            elif _is_python(entry) and not ignores.covers(path):
                self.files.add(path)
        return folders


def left_out(name: str) -> bool:
    """Is a file or folder of that name passed over unless the settings say what to exclude?"""
    return name in DEFAULT_EXCLUDE or is_test_name(name)


def _is_python(entry: os.DirEntry[str]) -> bool:
    if not entry.name.endswith(".py"):
        return False
    return not (entry.is_symlink() and os.path.isdir(entry.path))
