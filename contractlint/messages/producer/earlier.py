"""The versions before the change: a file, a folder, or commits."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import cached_property
from pathlib import Path

from contractlint.messages.producer import git
from contractlint.messages.producer.documents import (
    File,
    MessageSchema,
    looks_like_schemas,
    message_schemas,
    paths_below,
    read_file,
)
from contractlint.messages.producer.opened import Opened, open_schema
from contractlint.messages.references import SchemaError


class AgainstError(Exception):
    """What to compare with cannot be used; the message says why."""


class Version:
    """One earlier state of the schemas. `root`: references may lead to files below it."""

    def __init__(self, root: Path, label: str, locate: Callable[[File], Path | None]) -> None:
        self._root = root
        self._label = label
        self._locate = locate

    def of(self, schema: MessageSchema) -> list[Opened]:
        """Return what `schema` was, the oldest first; empty when it is new.

        Raises:
            SchemaError: an earlier version cannot be read.
        """
        found = [_counterpart(schema, file) for file in self._files_for(schema.file)]
        return [open_schema(one, self._root, self._all_files) for one in found if one]

    def _files_for(self, file: File) -> list[File]:
        exact = self._locate(file)
        return [self._read(exact)] if exact else self._namesakes(file)

    def _read(self, path: Path) -> File:
        return read_file(path, self._shown(path), path.name)

    def _shown(self, path: Path) -> str:
        if not self._label:
            return path.as_posix()
        return f"{self._label}:{path.relative_to(self._root).as_posix()}"

    def _all_files(self) -> Sequence[File]:
        return self._files

    @cached_property
    def _files(self) -> list[File]:
        found = []
        for path in sorted(paths_below(self._root), key=_natural):
            try:
                file = self._read(path)
            except SchemaError:
                continue
            if looks_like_schemas(file):
                found.append(file)
        return found

    def _namesakes(self, file: File) -> list[File]:
        if file.identity:
            return [one for one in self._files if one.identity == file.identity]
        return [one for one in self._files if one.path.name == file.path.name]


class OneFile(Version):
    """One file that holds the earlier version. `of_all`: whatever it is compared with."""

    def __init__(self, root: Path, path: Path, of_all: bool) -> None:
        super().__init__(root, "", lambda file: path)
        self._of_all = of_all

    def _files_for(self, file: File) -> list[File]:
        return [one for one in super()._files_for(file) if self._of_all or _is_akin(one, file)]


def _is_akin(one: File, other: File) -> bool:
    same_id = bool(one.identity) and one.identity == other.identity
    return same_id or one.path.name == other.path.name


def _natural(path: Path) -> list[str]:
    """Return a key that puts v2 before v10."""
    return [
        f"{int(part):012d}" if part.isdecimal() else part
        for part in re.split(r"(\d+)", path.as_posix())
    ]


def _counterpart(schema: MessageSchema, file: File) -> MessageSchema | None:
    schemas = message_schemas(file)
    same_place = [one for one in schemas if one.pointer == schema.pointer]
    same_name = [one for one in schemas if one.name == schema.name]
    alone = schemas if len(schemas) == 1 and not schema.pointer else []
    return next(iter([*same_place, *same_name, *alone]), None)


@contextmanager
def earlier_versions(
    against: Sequence[str], root: Path, paths: Sequence[str]
) -> Iterator[list[Version]]:
    """Give the versions named by `against`, in that order, to compare `paths` with.

    `root` is the project. A single file is compared with a single file whatever their names are.

    Raises:
        AgainstError: something named is neither a file nor a folder nor a revision.
    """
    with ExitStack() as stack:
        alone = len(paths) == 1 and not Path(paths[0]).is_dir()
        yield [_version(named, root, stack, alone) for named in against]


def _version(named: str, root: Path, stack: ExitStack, alone: bool) -> Version:
    path = Path(named)
    if path.is_dir():
        return Version(path, "", lambda file: _existing(path / file.key))
    if path.is_file():
        home = root if path.resolve().is_relative_to(root) else path.parent
        return OneFile(home, path, alone)
    try:
        return _commit(named, root, stack)
    except git.GitError as error:
        raise AgainstError(str(error)) from None


def _commit(named: str, root: Path, stack: ExitStack) -> Version:
    repository = git.top_level(root).resolve()
    commit = git.commit_of(root, named)
    folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="contractlint-")))
    folder = folder.resolve()
    below = root.resolve().relative_to(repository).as_posix()
    git.write_files(repository, commit, below, folder)

    def locate(file: File) -> Path | None:
        path = file.path.resolve()
        inside = path.is_relative_to(repository)
        return _existing(folder / path.relative_to(repository)) if inside else None

    return Version(folder, named, locate)


def _existing(path: Path) -> Path | None:
    return path if path.is_file() else None
