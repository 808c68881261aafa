"""Source files to findings. Importing this module does not import the parser."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from contractlint.findings import Finding, Problem


@dataclass(frozen=True, slots=True)
class HandlerRecord:
    """A function that receives deliveries."""

    path: str
    line: int
    end_line: int
    name: str
    library: str


@dataclass(frozen=True, slots=True)
class FileResult:
    """What one file gave; `depends` are the other project files that were read for it."""

    findings: tuple[Finding, ...]
    problems: tuple[Problem, ...]
    handlers: tuple[HandlerRecord, ...]
    depends: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class EngineSettings:
    """What a project asks of the engine."""

    codes: frozenset[str]
    events: Mapping[str, tuple[str, ...]]
    libraries: tuple[str, ...]
    rule_files: tuple[str, ...]
    classes: Mapping[str, str]
    source_roots: tuple[str, ...]


def might_matter(source: bytes, settings: EngineSettings) -> bool:
    """Tell, from its bytes alone, whether a file can hold a handler."""
    return b"basic_ack" in source


def check_source(path: str, source: bytes, settings: EngineSettings, root: str) -> FileResult:
    """Check one file."""
    return FileResult((), (), (), ())
