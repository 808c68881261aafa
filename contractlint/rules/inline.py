"""Rules that stand in a project's settings: a name, and what has to come before what.

[[rule]]
name = "ship-without-evidence"
before = { ship = ["version_check", "evidence"] }
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from contractlint.rules.catalog import Rule
from contractlint.tomlfile import KeyPath, TomlFile

KEY = "rule"


def inline_rules(settings: Mapping[str, Any], file: TomlFile, table: KeyPath) -> tuple[Rule, ...]:
    """Return the rules under `rule` of these settings, which stand at `table` of the file.

    The settings are checked against config.schema.json; whether the patterns can be read is told
    when the rules join a catalog.
    """
    tables = settings.get(KEY, ())
    return tuple(
        _inline_rule(data, file, (*table, KEY, number)) for number, data in enumerate(tables)
    )


def _inline_rule(data: Mapping[str, Any], file: TomlFile, place: KeyPath) -> Rule:
    given = dict(data)
    before = given.pop("before", None)
    written = _before(before) if before else _listed(given.pop("pattern"))
    told = _told(before) if before else {"summary": "{marked} completes what must not happen"}
    general = {
        "code": given["name"].replace("-", "").upper(),
        "severity": "error",
        "why": "A rule of this project.",
        "fix": "Change the order of the steps so that the pattern does not match.",
    }
    key = "before" if before else "pattern"
    texts = {**general, **told, **given}
    return Rule(**texts, patterns=written, file=file, place=place, pattern_key=key)


def _listed(pattern: str | Sequence[str]) -> tuple[str, ...]:
    return (pattern,) if isinstance(pattern, str) else tuple(pattern)


def _before(before: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """One pattern for each step that has to stand before: a way that goes without it."""
    return tuple(
        f"receive ...not({needed}) !{step}" for step, steps in before.items() for needed in steps
    )


def _told(before: Mapping[str, Sequence[str]]) -> dict[str, str]:
    needed = _enumerated(step for steps in before.values() for step in steps)
    return {
        "summary": f"{{marked}} has to come after {needed}",
        "fix": f"See to it that every way goes through {needed} first.",
    }


def _enumerated(words: Iterable[str]) -> str:
    *first, last = words
    return f"{', '.join(first)} and {last}" if first else last
