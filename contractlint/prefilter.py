"""The words of the prefilter, read without loading the vocabulary itself."""

from __future__ import annotations

import re
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from contractlint.bundled import bundled

if TYPE_CHECKING:
    from collections.abc import Iterable

_WORDS = re.compile(rb"^words\s*=\s*\[(.*?)\]", re.MULTILINE | re.DOTALL)
_WORD = re.compile(rb'"((?:[^"\\]|\\.)*)"')


def library_files() -> list[Path]:
    """Return the bundled vocabulary files by name."""
    return sorted((bundled("rules") / "libraries").glob("*.toml"))


# From here on a faster engine is worth the time of its import, in bytes.
_A_LOT = 300_000


class WordSearch:
    """Finds any of some words in bytes; made for a word list that is long and rarely matches.

    A few bytes are searched word by word. `re` would try every word at every position; the
    linear-time engine of the schema library looks for all of them at once.
    """

    def __init__(self, words: Iterable[bytes]) -> None:
        self._words = sorted(words)
        self._searched = 0

    def found_in(self, source: bytes) -> bool:
        self._searched += len(source)
        if self._searched <= _A_LOT:
            return any(word in source for word in self._words)
        # One character a byte on both sides, so that the encoding does not matter.
        return bool(self._fast.is_valid(source.decode("latin-1")))

    @cached_property
    def _fast(self) -> Any:
        import jsonschema_rs

        words = (word.decode("latin-1") for word in self._words)
        pattern = "|".join(re.escape(word).replace("\\ ", " ") for word in words)
        engine = jsonschema_rs.RegexOptions()
        return jsonschema_rs.validator_for({"pattern": pattern}, pattern_options=engine)


@lru_cache(maxsize=8)
def broker_words(extra: tuple[str, ...] = ()) -> WordSearch | None:
    """Return a search for the words one of which a file with handlers must hold.

    The bundled library files are scanned for their words: reading them as TOML takes too long for
    a run that finds none. `extra` are files of the project, which have been checked already.
    """
    words: set[bytes] = set()
    for path in library_files():
        for row in _WORDS.findall(path.read_bytes()):
            words.update(word.replace(rb"\"", b'"') for word in _WORD.findall(row))
    for own in extra:
        words.update(word.encode() for word in _words_of(Path(own)))
    return WordSearch(words) if words else None


def _words_of(file: Path) -> list[str]:
    """Return the words of a project's file, which may write them in every way TOML allows."""
    from contractlint.tomlfile import read_toml

    words = read_toml(file).data.get("words", [])
    return [words] if isinstance(words, str) else words


_TEST_NAME = re.compile(r"(?i)(?:tests?|test_.*)(?:\.py)?|\w+_tests?(?:\.py)?|conftest\.py|testing")


def is_test_name(name: str) -> bool:
    """Is it the name of a file or folder of tests? They deliver to themselves."""
    return _TEST_NAME.fullmatch(name) is not None
