"""How paths are printed: relative to where the command ran, with forward slashes."""

from __future__ import annotations

import os


def shown_path(path: str | os.PathLike[str]) -> str:
    """Return `path` as it is printed. A path on another drive stays absolute."""
    try:
        relative = os.path.relpath(path)
    except ValueError:
        relative = os.path.abspath(path)
    return relative.replace(os.sep, "/")
