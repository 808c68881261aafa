"""The JSON and YAML files of a commit, written to a folder. Nothing is checked out or fetched."""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path, PurePosixPath
from typing import NamedTuple

from contractlint.messages.producer.documents import SUFFIXES

_REFERENCE = re.compile(r"[A-Za-z0-9_@][\w./@{}^~+-]*")
_SECONDS = 120
_LARGEST = 32 * 1024 * 1024
_REGULAR = frozenset({"100644", "100755"})


class GitError(Exception):
    """Git has no answer; the message says why."""


class _Blob(NamedTuple):
    path: str
    object_id: str


def top_level(folder: Path) -> Path:
    """Return the root of the repository that holds `folder`.

    Raises:
        GitError: there is none, or git is missing.
    """
    return Path(os.fsdecode(_git(folder, "rev-parse", "--show-toplevel")).strip())


def commit_of(folder: Path, reference: str) -> str:
    """Return the commit that a branch, tag or other revision means.

    Raises:
        GitError: no such revision.
    """
    if not _REFERENCE.fullmatch(reference):
        raise GitError(f'"{reference}" is neither a file nor a git revision')
    asked = ("rev-parse", "--verify", "--quiet", "--end-of-options", f"{reference}^{{commit}}")
    try:
        return _git(folder, *asked).decode("ascii").strip()
    except GitError:
        message = f'"{reference}" is neither a file or folder nor a git revision here'
        raise GitError(message) from None


def write_files(repository: Path, commit: str, below: str, target: Path) -> None:
    """Write the JSON and YAML files that `commit` has below the folder `below` into `target`.

    Raises:
        GitError: git cannot read the commit.
    """
    blobs = list(_blobs(repository, commit, below))
    asked = "".join(f"{blob.object_id}\n" for blob in blobs).encode("ascii")
    answers = _git(repository, "cat-file", "--batch", given=asked)
    position = 0
    for blob in blobs:
        end_of_line = answers.index(b"\n", position)
        size = int(answers[position:end_of_line].split()[2])
        start = end_of_line + 1
        _write(target / blob.path, answers[start : start + size])
        position = start + size + 1


def _blobs(repository: Path, commit: str, below: str) -> Iterator[_Blob]:
    where = () if below in ("", ".") else ("--", below)
    listed = _git(repository, "ls-tree", "-r", "-l", "-z", "--full-tree", commit, *where)
    for entry in listed.split(b"\0"):
        attributes, _, name = os.fsdecode(entry).partition("\t")
        if not name:
            continue
        mode, _, object_id, size = attributes.split()
        if mode in _REGULAR and int(size) <= _LARGEST and _is_wanted(PurePosixPath(name)):
            yield _Blob(name, object_id)


def _is_wanted(path: PurePosixPath) -> bool:
    stays_inside = not path.is_absolute() and ".." not in path.parts
    return stays_inside and path.suffix in SUFFIXES and "node_modules" not in path.parts


def _write(path: Path, data: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def _git(folder: Path, *arguments: str, given: bytes = b"") -> bytes:
    # A partial clone would fetch what is missing; a lint run opens no connection.
    environment = {**os.environ, "GIT_NO_LAZY_FETCH": "1", "GIT_TERMINAL_PROMPT": "0"}
    command = ["git", "-c", "core.fsmonitor=", "-C", str(folder), *arguments]
    try:
        done = subprocess.run(
            command, input=given, capture_output=True, env=environment, timeout=_SECONDS, check=True
        )
    except FileNotFoundError:
        raise GitError("git is not installed") from None
    except subprocess.TimeoutExpired:
        raise GitError(f"git did not answer within {_SECONDS} seconds") from None
    except subprocess.CalledProcessError as error:
        text = os.fsdecode(error.stderr).strip().splitlines()
        raise GitError(text[-1] if text else "git failed") from None
    return done.stdout
