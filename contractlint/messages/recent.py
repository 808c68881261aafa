"""A mapping that forgets: memory stays flat however long a stream is."""

from __future__ import annotations

from collections.abc import Iterator, MutableMapping
from typing import Any, TypeVar

K = TypeVar("K")
V = TypeVar("V")


class Recent(MutableMapping[K, V]):
    """Remembers at least the `size` entries written last, and at most twice as many.

    Two generations: when the young one is full it becomes the old one, and what was old is gone.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._young: dict[K, V] = {}
        self._old: dict[K, V] = {}

    def __getitem__(self, key: K) -> V:
        return self._young[key] if key in self._young else self._old[key]

    # The inherited versions of these two raise and catch an exception for every new key.

    def __contains__(self, key: object) -> bool:
        return key in self._young or key in self._old

    def get(self, key: K, default: Any = None) -> Any:
        found = self._young.get(key)
        return self._old.get(key, default) if found is None else found

    def remember(self, key: K, value: V) -> V | None:
        """Return what is known of `key`, or remember `value` and return None."""
        young = self._young
        before = len(young)
        known = young.setdefault(key, value)
        if len(young) == before:
            return known
        earlier = self._old.get(key) if self._old else None
        if earlier is not None:
            young[key] = earlier
        if before + 1 >= self._size:
            self._old, self._young = young, {}
        return earlier

    def exchange(self, key: K, value: V) -> V | None:
        """Set the value of `key`, and return what it was before, or None."""
        young = self._young
        if key in young:
            known: V | None = young[key]
            young[key] = value
        else:
            known = self._old.get(key)
            self[key] = value
        return known

    def __setitem__(self, key: K, value: V) -> None:
        if key not in self._young and len(self._young) >= self._size:
            self._old, self._young = self._young, {}
        self._young[key] = value

    def __delitem__(self, key: K) -> None:
        found = key in self._young or key in self._old
        self._young.pop(key, None)
        self._old.pop(key, None)
        if not found:
            raise KeyError(key)

    def __iter__(self) -> Iterator[K]:
        yield from self._young
        yield from (key for key in self._old if key not in self._young)

    def __len__(self) -> int:
        return sum(1 for _ in self)
