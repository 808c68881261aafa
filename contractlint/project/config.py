"""The project's settings: the nearest contractlint.toml or pyproject.toml with our table."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from contractlint.bundled import bundled
from contractlint.findings import Problem
from contractlint.project.ignores import is_pattern
from contractlint.project.paths import shown_path
from contractlint.rules.catalog import Rule
from contractlint.rules.inline import KEY as INLINE_RULES
from contractlint.rules.inline import inline_rules
from contractlint.tomlfile import KeyPath, TomlError, TomlFile, read_toml, validate

_PYPROJECT_TABLE: KeyPath = ("tool", "contractlint")


class ConfigError(Exception):
    """Settings that cannot be used. `problems` say where, and what is expected."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("; ".join(problem.message for problem in problems))
        self.problems = tuple(problems)


@dataclass(frozen=True)
class Config:
    """What a project asks for.

    `root` is the folder that patterns and relative paths refer to. `rules` and `libraries` are
    relative to the current folder, `source_roots` are absolute; `inline_rules` stand in the file
    itself. `messages`, `schemas` and `journal` are those tables as they stand in the file, already
    checked against config.schema.json. `time_limit` is in seconds.
    """

    root: Path
    paths: tuple[str, ...] | None = None
    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    preview: bool = False
    per_file_ignores: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    exclude: tuple[str, ...] | None = None
    extend_exclude: tuple[str, ...] = ()
    respect_gitignore: bool = True
    require_reason: bool = True
    time_limit: float = 30.0
    source_roots: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    inline_rules: tuple[Rule, ...] = ()
    libraries: tuple[str, ...] = ()
    events: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    handlers: Mapping[str, str] = field(default_factory=dict)
    messages: Mapping[str, Any] = field(default_factory=dict)
    schemas: Mapping[str, Any] = field(default_factory=dict)
    journal: Mapping[str, Any] = field(default_factory=dict)
    file: TomlFile | None = None
    table: KeyPath = ()

    def problem(self, key_path: KeyPath, message: str) -> Problem:
        """Return a problem at this key of the configuration file."""
        if self.file is None:
            return Problem("", 0, message)
        return self.file.problem((*self.table, *key_path), message)


def load_config(start: Path) -> Config:
    """Return the settings of the project that holds the file or folder `start`.

    Raises:
        ConfigError: the nearest configuration is broken.
    """
    folder = start.absolute()
    for home in (folder, *folder.parents):
        for name in ("contractlint.toml", "pyproject.toml"):
            if _mentions_us(home / name):
                config = read_config(home / name)
                if config.file is not None:
                    return config
    return Config(root=find_root(folder))


def read_config(file: Path, root: Path | None = None) -> Config:
    """Return the settings of this file; `root` defaults to the folder it stands in.

    A pyproject.toml without our table gives the defaults, with `file` None.

    Raises:
        ConfigError: the file cannot be read or breaks config.schema.json.
    """
    try:
        document = read_toml(file, shown_path(file))
    except TomlError as error:
        raise ConfigError([error.problem]) from None
    table = _PYPROJECT_TABLE if file.name == "pyproject.toml" else ()
    settings = _table_at(document.data, table)
    if settings is None:
        return Config(root=root or file.parent)
    problems = validate(document, _schema(), table)
    if problems:
        raise ConfigError(problems)
    values = _values(settings, file.absolute().parent)
    values["inline_rules"] = inline_rules(settings, document, table)
    config = Config(root=root or file.parent, file=document, table=table, **values)
    problems = _pattern_problems(config)
    if problems:
        raise ConfigError(problems)
    return config


def find_root(folder: Path) -> Path:
    """Return the nearest folder above (or at) `folder` that looks like a project's top."""
    for home in (folder, *folder.parents):
        if (home / ".git").exists() or (home / "pyproject.toml").is_file():
            return home
    return folder if folder.is_dir() else folder.parent


def _values(settings: Mapping[str, Any], home: Path) -> dict[str, Any]:
    plain = {name: value for name, value in settings.items() if name != INLINE_RULES}
    values = {name.replace("-", "_"): _frozen(value) for name, value in plain.items()}
    for name in ("rules", "libraries"):
        values[name] = tuple(shown_path(home / item) for item in values.get(name, ()))
    values["source_roots"] = tuple(str(home / item) for item in values.get("source_roots", ()))
    for name in ("per_file_ignores", "events"):
        values[name] = {key: tuple(items) for key, items in values.get(name, {}).items()}
    return values


def _pattern_problems(config: Config) -> list[Problem]:
    places: list[tuple[KeyPath, str]] = [
        *((("exclude",), pattern) for pattern in config.exclude or ()),
        *((("extend-exclude",), pattern) for pattern in config.extend_exclude),
        *((("per-file-ignores", pattern), pattern) for pattern in config.per_file_ignores),
    ]
    return [
        config.problem(place, f"{pattern!r} is not a valid gitignore pattern")
        for place, pattern in places
        if not is_pattern(pattern)
    ]


def _frozen(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def _mentions_us(file: Path) -> bool:
    try:
        return (file.name == "contractlint.toml" and file.is_file()) or (
            b"contractlint" in file.read_bytes()
        )
    except OSError:
        return False


def _table_at(data: Any, table: KeyPath) -> Any:
    for key in table:
        data = data.get(key) if isinstance(data, dict) else None
    return data


def _schema() -> dict[str, Any]:
    file = bundled("schemas") / "config.schema.json"
    schema: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return schema
