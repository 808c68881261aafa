"""The words of the prefilter, read without loading the vocabulary itself."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from contractlint.bundled import bundled

if TYPE_CHECKING:
    from collections.abc import Iterable

_WORDS = re.compile(rb"^words\s*=\s*\[(.*?)\]", re.MULTILINE | re.DOTALL)
_WORD = re.compile(rb'"((?:[^"\\]|\\.)*)"')


def library_files(extra: Iterable[str] = ()) -> list[Path]:
    """Return the vocabulary files: the bundled ones by name, then a project's own."""
    own = sorted((bundled("rules") / "libraries").glob("*.toml"))
    return own + [Path(path) for path in extra]


@lru_cache(maxsize=8)
def broker_words(extra: tuple[str, ...] = ()) -> re.Pattern[bytes] | None:
    """Return a pattern for the words one of which a file with handlers must hold."""
    words: set[bytes] = set()
    for path in library_files(extra):
        for row in _WORDS.findall(path.read_bytes()):
            words.update(_WORD.findall(row))
    if not words:
        return None
    return re.compile(b"|".join(re.escape(word) for word in sorted(words)))
