"""Source files to findings. Importing this module does not import the parser."""

from __future__ import annotations

import fnmatch
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from contractlint.findings import Finding, Problem, one_a_fault

if TYPE_CHECKING:
    from contractlint.code.analysis import HandlerGraph, Producers
    from contractlint.crash.card import HandlerCard
    from contractlint.messages.envelope import Envelope
    from contractlint.rules.catalog import Rule
    from contractlint.rules.findings import CompiledRule
    from contractlint.vocabulary import Vocabulary

_LOSS_RULES = frozenset({"CL101", "CL102", "CL103"})
AT_MOST_ONCE = "at-most-once"


@dataclass(frozen=True, slots=True)
class HandlerRecord:
    """A function that receives deliveries.

    With `via` it is not called by the library itself: the handler of that name hands the delivery
    on to it, and is followed into it.
    """

    path: str
    line: int
    end_line: int
    name: str
    library: str
    via: str = ""


@dataclass(frozen=True, slots=True)
class FileResult:
    """What one file gave; `depends` are the other project files that were read for it.

    `offers` are names through which other files may get deliveries (this one wraps a library): a
    file that imports it and says one of them can hold handlers although it names no library.
    `cards` only if asked for.
    """

    findings: tuple[Finding, ...]
    problems: tuple[Problem, ...]
    handlers: tuple[HandlerRecord, ...]
    depends: tuple[str, ...]
    offers: tuple[str, ...] = ()
    cards: tuple[HandlerCard, ...] = ()


@dataclass(frozen=True, slots=True)
class EngineSettings:
    """What a project asks of the engine.

    `codes` are the rules to run, `events` maps an event to names the project declares for it,
    `classes` a handler's dotted name (or a pattern of it) to its delivery class. `envelope` is what
    the project's settings demand of each message. `cards`: tell what a death comes to, too.
    `inline_rules` stand in the settings themselves.
    """

    codes: frozenset[str]
    events: Mapping[str, tuple[str, ...]]
    libraries: tuple[str, ...]
    rule_files: tuple[str, ...]
    classes: Mapping[str, str]
    source_roots: tuple[str, ...]
    envelope: Envelope = ()
    cards: bool = False
    inline_rules: tuple[Rule, ...] = ()


def might_matter(source: bytes, settings: EngineSettings) -> bool:
    """Tell, from its bytes alone, whether a file can hold a handler."""
    from contractlint.prefilter import broker_words

    words = broker_words(settings.libraries)
    return words is not None and words.found_in(source)


def check_source(path: str, source: bytes, settings: EngineSettings, root: str) -> FileResult:
    """Check one file; `path` is how it is printed, `root` the project's folder on disk."""
    from contractlint.code.analysis import CheckedFile
    from contractlint.code.guarding import SourceError
    from contractlint.code.modules import Project
    from contractlint.rules.findings import without_superseded

    project = Project(Path(root).resolve(), settings.source_roots)
    vocabulary = _vocabulary(settings)
    rules = _compiled(settings.rule_files, settings.inline_rules, settings.codes)
    findings: list[Finding] = []
    handlers: list[HandlerRecord] = []
    cards: list[HandlerCard] = []
    try:
        file = Path(os.path.abspath(path))
        asked = _producers(rules, settings)
        checked = CheckedFile(path, file, source, project, vocabulary, asked)
        for handler in checked.graphs():
            handlers += _records(handler)
            cards += _cards(handler) if settings.cards else ()
            findings += _findings_of(handler, rules, settings)
    except SourceError as error:
        problem = Problem(path, error.line, error.message)
        return FileResult((), (problem,), (), ())
    told = without_superseded(one_a_fault(findings), rules)
    ordered = sorted(told, key=lambda finding: finding.sort_key)
    depends = tuple(sorted(str(read) for read in project.read))
    distinct = tuple(dict.fromkeys(handlers))
    offers = tuple(sorted(checked.offers))
    return FileResult(tuple(ordered), (), distinct, depends, offers, tuple(dict.fromkeys(cards)))


def _producers(rules: Iterable[CompiledRule], settings: EngineSettings) -> Producers | None:
    """Functions that only publish are looked at if a rule speaks of them."""
    from contractlint.code.analysis import Producers

    return Producers(settings.envelope) if any(map(_speaks_of_producers, rules)) else None


def _speaks_of_producers(rule: CompiledRule) -> bool:
    return any("produce" in kinds for one in rule.patterns for kinds in one.kinds_needed())


def _records(handler: HandlerGraph) -> Iterator[HandlerRecord]:
    if handler.produces:
        return
    rows = [(handler.name, handler.place, "")] if not handler.spawned else []
    rows += [(name, place, handler.name) for name, place in handler.followed]
    for name, place, via in rows:
        yield HandlerRecord(place.path, place.line, place.end_line, name, handler.library, via)


def _cards(handler: HandlerGraph) -> Iterator[HandlerCard]:
    """What a thread does with a delivery stands in the card of the handler that started it."""
    from contractlint.code.analysis import excerpt, locate
    from contractlint.crash.table import handler_card
    from contractlint.crash.telling import Teller

    if not (handler.produces or handler.spawned):
        teller = Teller(locate, excerpt)  # type: ignore[arg-type]  # opaque to whom it is given
        yield handler_card(handler.graph, handler.name, handler.library, handler.place, teller)


def _findings_of(
    handler: HandlerGraph, rules: Iterable[CompiledRule], settings: EngineSettings
) -> Iterable[Finding]:
    from contractlint.code.analysis import excerpt, locate
    from contractlint.rules.findings import Telling, does_something, findings_in

    if not does_something(handler.graph):
        return
    telling = Telling(locate, excerpt)  # type: ignore[arg-type]  # opaque to whom it is given
    anchors = tuple((place.path, place.line) for place in handler.anchors)
    may_lose = _delivery_class(handler, settings.classes) == AT_MOST_ONCE
    if handler.produces:
        rules = filter(_speaks_of_producers, rules)
    for finding in findings_in(handler.graph, tuple(rules), handler.name, telling):
        if not (may_lose and finding.code in _LOSS_RULES):
            yield replace(finding, anchors=(*anchors, (finding.path, finding.line)))


def _delivery_class(handler: HandlerGraph, classes: Mapping[str, str]) -> str:
    for pattern, delivery_class in classes.items():
        if any(fnmatch.fnmatchcase(n, pattern) for n in (handler.name, handler.dotted)):
            return delivery_class
    return ""


def _vocabulary(settings: EngineSettings) -> Vocabulary:
    from contractlint.vocabulary import load_vocabulary

    declared = tuple(sorted((event, tuple(names)) for event, names in settings.events.items()))
    return load_vocabulary(settings.libraries, declared)


@lru_cache(maxsize=8)
def _compiled(
    rule_files: tuple[str, ...], inline: tuple[Rule, ...], codes: frozenset[str]
) -> tuple[CompiledRule, ...]:
    from contractlint.rules.catalog import load_catalog
    from contractlint.rules.findings import compile_rules

    rules = load_catalog(rule_files, inline).rules
    return compile_rules((rule for rule in rules if not rule.of_journals), codes)
