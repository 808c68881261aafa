"""rules/idioms.toml: what names tell where nothing can be resolved."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from contractlint.bundled import bundled

if sys.version_info >= (3, 11):
    import tomllib
else:  # the standard library has it from 3.11 on
    import tomli as tomllib


@dataclass(frozen=True)
class Errors:
    """Classes of errors by what repeating the work can change about them."""

    sets: dict[str, frozenset[str]]
    patterns: dict[str, re.Pattern[str]]
    bases: dict[str, tuple[str, ...]]

    def kind(self, dotted: str) -> str:
        """Return permanent, transient, duplicate, shutdown, idle, catch-all or unknown."""
        for name in self._lineage(dotted):
            for kind, members in self.sets.items():
                if name in members:
                    return kind
        last = dotted.rpartition(".")[2]
        for kind, pattern in self.patterns.items():
            if pattern.search(last):
                return kind
        return "unknown"

    def is_subclass(self, name: str, base: str) -> bool:
        return base in self._lineage(name)

    def _lineage(self, dotted: str) -> list[str]:
        names = [dotted]
        for name in names:
            names += [base for base in self.bases.get(name, ()) if base not in names]
        return names


@dataclass(frozen=True)
class Idioms:
    """`names` holds regular expressions by the role of the names they match."""

    errors: Errors
    names: dict[str, re.Pattern[str]]

    def is_name(self, role: str, name: str) -> bool:
        pattern = self.names.get(role)
        return bool(pattern and pattern.search(name))

    def any_name(self, role: str, names: Iterable[str]) -> bool:
        return any(self.is_name(role, name) for name in names)


@lru_cache(maxsize=1)
def read_idioms() -> Idioms:
    text = (bundled("rules") / "idioms.toml").read_text(encoding="utf-8")
    table = tomllib.loads(text)
    errors = table["errors"]
    sets = {key: frozenset(value) for key, value in errors.items() if isinstance(value, list)}
    patterns = {
        key.removesuffix("-pattern"): re.compile(value)
        for key, value in errors.items()
        if isinstance(value, str)
    }
    bases = {key: tuple(value) for key, value in table.get("error-bases", {}).items()}
    names = {key: re.compile(value) for key, value in table["names"].items()}
    return Idioms(Errors(sets, patterns, bases), names)
