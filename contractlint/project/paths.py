"""How paths are printed: relative to where the command ran, with forward slashes."""

from __future__ import annotations

import os


def shown_path(path: str | os.PathLike[str], start: str | os.PathLike[str] = ".") -> str:
    """Return `path` relative to `start`. A path on another drive stays absolute."""
    try:
        relative = os.path.relpath(path, start)
    except ValueError:
        relative = os.path.abspath(path)
    return relative.replace(os.sep, "/")
