"""How far the alternatives of a schema multiply, told before any message is judged by it.

Each reference may be followed by others, so a short schema can stand for more alternatives than any
engine gets through; and one that refers to itself below `anyOf` doubles them with each level of the
message.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

MOST_PATHS = 200_000
_BELOW_ALTERNATIVES = re.compile(r"/(anyOf|oneOf)/\d")

# A schema, and whatever is needed to resolve the references in it.
Spot = tuple[Any, Any]
# The references below a spot: the pointer of each, and where it leads.
Follow = Callable[[Spot], Iterable[tuple[str, Spot]]]


@dataclass
class Branching:
    """`paths`: ways through the references. `refers_to_itself`, `has_alternatives`: as they say."""

    paths: int = 1
    refers_to_itself: bool = False
    has_alternatives: bool = False

    @property
    def too_wide(self) -> bool:
        return self.paths > MOST_PATHS

    @property
    def grows_with_depth(self) -> bool:
        return self.refers_to_itself and self.has_alternatives


@dataclass
class _Survey:
    follow: Follow
    branching: Branching = field(default_factory=Branching)
    counts: dict[int, int] = field(default_factory=dict)
    open: set[int] = field(default_factory=set)

    def paths(self, spot: Spot) -> int:
        key = id(spot[0])
        if key in self.open:
            self.branching.refers_to_itself = True
            return 0
        if key not in self.counts:
            self.open.add(key)
            self.counts[key] = 1 + sum(self._step(*one) for one in self.follow(spot))
            self.open.discard(key)
        return self.counts[key]

    def _step(self, pointer: str, spot: Spot) -> int:
        if _BELOW_ALTERNATIVES.search(pointer):
            self.branching.has_alternatives = True
        return self.paths(spot)


def survey(spot: Spot, follow: Follow) -> Branching:
    """Return how the alternatives below `spot` multiply."""
    walk = _Survey(follow)
    try:
        walk.branching.paths = walk.paths(spot)
    except RecursionError:
        walk.branching.paths = MOST_PATHS + 1
    return walk.branching
