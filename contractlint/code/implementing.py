"""Who implements an interface: the classes of a project by the names of their bases.

The whole project is asked, so its text is searched and not parsed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple

from contractlint.code.modules import production_files

_CLASS = re.compile(rb"^class[ \t]+(?P<name>\w+)[ \t]*\((?P<bases>[^()]*)\)", re.MULTILINE)
_BASE = re.compile(rb"(?:^|[,.\s])(?P<name>\w+)\s*(?:\[[^\]]*\])?\s*(?=,|$)")


class Heir(NamedTuple):
    """A class that names another one as its base."""

    file: Path
    name: str


@lru_cache(maxsize=4)
def heirs_in(root: Path) -> Mapping[str, tuple[Heir, ...]]:
    """Return the classes of the project below `root`, tests left out, by the names of bases."""
    found: dict[str, tuple[Heir, ...]] = {}
    for file in production_files(root):
        try:
            text = file.read_bytes()
        except OSError:
            continue
        for match in _CLASS.finditer(text):
            heir = Heir(file, match["name"].decode(errors="replace"))
            for base in _BASE.finditer(match["bases"]):
                name = base["name"].decode(errors="replace")
                found[name] = (*found.get(name, ()), heir)
    return found
