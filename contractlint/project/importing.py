"""Which files import which, told from their bytes alone."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import lru_cache
from pathlib import Path, PurePosixPath

from contractlint.project.paths import shown_path

_IMPORT = re.compile(
    rb"^[ \t]*(?:from[ \t]+(?P<dots>\.*)(?P<origin>[\w.]*)[ \t]+import[ \t]*"
    rb"(?P<names>\([^)]*\)|[^\n]*)|import[ \t]+(?P<modules>[^\n]*))",
    re.MULTILINE,
)
_NAME = re.compile(rb"[\w.]+")
_FARTHEST_IMPORT = 3


class Offers:
    """Files with the names they offer, and whether another file imports such a file for one."""

    def __init__(self, paths: Iterable[str], names: Iterable[str]) -> None:
        self._modules = {parts for path in paths if (parts := _module(path))}
        self._names = [name.encode() for name in names]

    def taken_by(self, path: str, source: bytes) -> bool:
        """Does the file at `path` import one of the files, and say one of the names?

        Where the sources begin, nobody knows here: an absolute name is taken for a file whose path
        ends with it. A name of one part has to be found beside the importing file or above it.
        """
        if not any(name in source for name in self._names):
            return False
        folder = PurePosixPath(path).parts[:-1]
        return any(self._means_one(name, folder) for name in _imported(path, source))

    def _means_one(self, name: tuple[str, ...], folder: tuple[str, ...]) -> bool:
        for module in self._modules:
            home = module[:-1]
            in_sight = len(name) > 1 or folder[: len(home)] == home
            if name and module[-len(name) :] == name and in_sight:
                return True
        return False


class Imports:
    """Finds the files of a project that sources import, and those that these import in turn."""

    def __init__(self, root: Path, source_roots: Sequence[str]) -> None:
        self._root = shown_path(root)
        self._bases = [self._root, *(f"{self._root}/{part}" for part in ("src", *source_roots))]

    def reached(self, paths: Iterable[str], source: Callable[[str], bytes]) -> list[str]:
        """Return the files that `paths` reach by a few imports, without themselves, in order."""
        seen = set(paths)
        level, found = list(paths), []
        for _ in range(_FARTHEST_IMPORT):
            level = sorted({file for path in level for file in self._of(path, source(path))} - seen)
            seen.update(level)
            found += level
        return found

    def _of(self, path: str, source: bytes) -> Iterator[str]:
        bases = [*self._bases, *_folders_above(path, self._root)]
        for name in set(_imported(path, source)):
            if name:
                yield from filter(None, (_source_at(base, name) for base in ("", *bases)))


def _folders_above(path: str, root: str) -> Iterator[str]:
    folder = os.path.dirname(path)
    while folder not in ("", "/") and folder != root:
        yield folder
        folder = os.path.dirname(folder)


@lru_cache(maxsize=65536)
def _source_at(base: str, name: tuple[str, ...]) -> str:
    """Return the module or package of that name below `base`, "" if there is none."""
    file = "/".join((base, *name) if base else name)
    for path in (f"{file}.py", f"{file}/__init__.py"):
        if os.path.isfile(path):
            return shown_path(path)
    return ""


def _module(path: str) -> tuple[str, ...]:
    parts = PurePosixPath(path.removesuffix(".py")).parts
    return parts[:-1] if parts[-1:] == ("__init__",) else parts


def _imported(path: str, source: bytes) -> Iterator[tuple[str, ...]]:
    """Yield what may be a module, as parts of its name or, for a relative import, of its path."""
    for match in _IMPORT.finditer(source):
        if match["modules"] is not None:
            for name in match["modules"].split(b","):
                yield _parts(name.split(b" as ")[0])
            continue
        origin = (*_home(path, len(match["dots"])), *_parts(match["origin"]))
        yield origin
        for name in _NAME.findall(match["names"]):
            yield (*origin, *_parts(name))


def _home(path: str, dots: int) -> tuple[str, ...]:
    return PurePosixPath(path).parts[:-dots] if dots else ()


def _parts(name: bytes) -> tuple[str, ...]:
    return tuple(part.decode("latin-1") for part in name.strip().split(b".") if part)
