"""What a project adds to what is known; mistakes in it are told before anything is checked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from contractlint.events import EVENTS
from contractlint.findings import Problem
from contractlint.project.config import Config
from contractlint.rules.catalog import Catalog


def own_problems(config: Config, catalog: Catalog) -> list[Problem]:
    """Return what is wrong with the project's rule files, library files and names of events."""
    invented: set[str] = set()
    problems = [*catalog.problems, *_library_problems(config.libraries, invented)]
    if config.events and not problems:
        invented |= _events_of_rules(config, catalog)
        problems += _event_problems(config, EVENTS | invented)
    return sorted(problems)


def _library_problems(paths: Sequence[str], invented: set[str]) -> Iterator[Problem]:
    """Yield the mistakes in library files; the events that right ones use go into `invented`."""
    if not paths:
        return
    from contractlint.vocabulary.reading import VocabularyError, read_library

    for path in paths:
        try:
            invented |= read_library(Path(path)).events()
        except VocabularyError as error:
            yield from error.problems


def _events_of_rules(config: Config, catalog: Catalog) -> set[str]:
    from contractlint.rules.patterns import parse_pattern

    files = set(config.rules)
    own = [rule for rule in catalog.rules if rule.file is not None and rule.file.path in files]
    texts = (text for rule in (*own, *config.inline_rules) for text in rule.searched)
    return {kind for text in texts for kind in parse_pattern(text).kinds()}


def _event_problems(config: Config, known: Iterable[str]) -> Iterator[Problem]:
    import difflib

    for name in config.events:
        if name not in known:
            alike = difflib.get_close_matches(name, known, n=1)
            expected = alike[0] if alike else "one that a rule or a library of the project uses"
            message = f"events.{name}: no such event; expected {expected}"
            yield config.problem(("events", name), message)
