"""The Python sources below a folder, found without reading any."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

EVERY_SOURCE = "**"  # below a folder, it stands for all of its sources

_NOT_SOURCES = frozenset({"node_modules", "venv", "site-packages", "build", "dist", "__pycache__"})


def source_files(root: Path) -> Iterator[Path]:
    """Yield all sources below `root`, in order."""
    for folder, folders, files in os.walk(root):
        folders[:] = source_folders(folder, folders)
        for name in sorted(files):
            if name.endswith(".py"):
                yield Path(folder, name)


def source_folders(folder: str, folders: Iterable[str]) -> list[str]:
    """Return those of the folders in `folder` that can hold sources, in order.

    A package may be called `build`; what a build makes is none itself.
    """
    return sorted(
        name
        for name in folders
        if not name.startswith(".")
        and (name not in _NOT_SOURCES or Path(folder, name, "__init__.py").is_file())
    )
