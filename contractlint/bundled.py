"""Where `rules/` and `schemas/` live: in a wheel, an editable install or a checkout."""

from __future__ import annotations

from pathlib import Path

_PACKAGE = Path(__file__).resolve().parent


def bundled(folder: str) -> Path:
    """Return the folder `rules` or `schemas` that belongs to this installation.

    Raises:
        FileNotFoundError: the installation is incomplete; neither place has the folder.
    """
    for home in (_PACKAGE / "_bundled", _PACKAGE.parent):
        if (home / folder).is_dir():
            return home / folder
    raise FileNotFoundError(f"this installation of contractlint has no {folder!r} folder")
