"""One run: every message of every file, through the schema, the roles and the history."""

from __future__ import annotations

import shutil
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import IO, NamedTuple

from contractlint.findings import Finding, Problem, Step, Summary, certain
from contractlint.messages.checks import CHECKS
from contractlint.messages.decision import Contract, Decision
from contractlint.messages.documents import Document, Flaw, Place, may_hold_quotes
from contractlint.messages.fields import Fault, embedded_json, field_faults, is_clean
from contractlint.messages.history import EffectKeyHistory, IdHistory, OrderHistory
from contractlint.messages.roles import Facts
from contractlint.messages.settings import Settings
from contractlint.messages.sources import (
    Broken,
    Content,
    Found,
    Item,
    Memory,
    Source,
    find_files,
)
from contractlint.messages.validation import Violation

_ESCAPE = b"\\"
_SPOOLED_BYTES = 16 * 1024 * 1024


class Decided(NamedTuple):
    """What a consumer does with the message on `line`."""

    path: str
    line: int
    id: str
    outcome: str
    awaited: int
    replayed: bool


@dataclass
class Tally:
    """What a run has seen so far; `noun` names what it counts as messages."""

    noun: str = "message"
    files: int = 0
    messages: int = 0
    findings: int = 0
    errors: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)

    @property
    def looked_at(self) -> dict[str, int]:
        return {"file": self.files, self.noun: self.messages}

    @property
    def summary(self) -> Summary:
        return Summary(self.looked_at, self.findings, self.errors, self.outcomes)


Event = Finding | Problem | Decided


def run(paths: Iterable[str], settings: Settings, tally: Tally) -> Iterator[Event]:
    """Yield what there is to tell about the messages in `paths`, in the order of the files."""
    for found in find_files(paths):
        tally.files += 1
        for event in _run_file(found, settings, tally):
            _count(event, tally)
            yield event


def _count(event: Event, tally: Tally) -> None:
    if isinstance(event, Finding):
        tally.findings += 1
    elif isinstance(event, Problem):
        tally.errors += 1
    else:
        tally.outcomes[event.outcome] += 1


def _run_file(found: Found, settings: Settings, tally: Tally) -> Iterator[Event]:
    try:
        with _opened(found) as stream:
            suffix = found.path.suffix if found.path else ""
            yield from FileRun(found.name, Source(stream, suffix), settings).events(tally)
    except OSError as error:
        yield Problem(found.name, 0, f"cannot be read: {(error.strerror or 'no file').lower()}")


@contextmanager
def _opened(found: Found) -> Iterator[IO[bytes]]:
    if found.path is None:
        with _spooled(sys.stdin.buffer) as spool:
            yield spool
        return
    with found.path.open("rb") as stream:
        if stream.seekable():
            yield stream
            return
        with _spooled(stream) as spool:
            yield spool


@contextmanager
def _spooled(pipe: IO[bytes]) -> Iterator[IO[bytes]]:
    """Copy a pipe: it cannot be read twice, but a reused id makes us look back."""
    with tempfile.SpooledTemporaryFile(max_size=_SPOOLED_BYTES) as spool:
        shutil.copyfileobj(pipe, spool)
        spool.seek(0)
        yield spool


class FileRun:
    """The messages of one file, which is one stream."""

    def __init__(self, name: str, source: Source, settings: Settings) -> None:
        roles, remember = settings.roles, settings.remember
        self._name = name
        self._source = source
        self._settings = settings
        self._decides_all = settings.stream
        self._read_facts = roles.reader().read
        self._is_valid = settings.checker.is_surely_valid if settings.checker else None
        self._has_version = "schema-version" in roles
        self._memory = Memory(source, roles.paths("attempt"))
        self._ids = IdHistory(roles, self._memory, remember)
        self._first_of_id = self._ids.first
        self._keys = EffectKeyHistory(roles, source, remember) if "effect-key" in roles else None
        self._order = self._order_history()
        self._word: Callable[[Decision], str] = _event_word if self._keys is None else _task_word

    def _order_history(self) -> OrderHistory:
        settings = self._settings
        contract = settings.contract if settings.stream else Contract(starts_at_first=True)
        order = OrderHistory(settings.roles, contract, settings.remember)
        order.consumer.state.last.update(settings.last)
        return order

    def events(self, tally: Tally) -> Iterator[Event]:
        read_facts, is_fine, remember = self._read_facts, self._is_fine, self._remember
        for item in self._source.items():
            tally.messages += 1
            if isinstance(item, Broken):
                yield self._broken(item)
            elif not isinstance(item.value, dict):
                yield self._no_object(item)
            else:
                facts = read_facts(item.value)
                faults = [] if is_fine(item, facts) else list(self._faults_of_one(item, facts))
                try:
                    decided = remember(item, facts, faults)
                except TypeError:
                    # An object or array where a key should be cannot be looked up.
                    decided = remember(item, facts.simple(), faults)
                if faults or decided:
                    yield from self._told(item, faults)
                    yield from decided
        if self._keys is not None:
            yield from map(self._closing, self._keys.finish())
        yield from map(self._closing, self._order.finish())

    def _is_fine(self, item: Item, facts: Facts) -> bool:
        """Answer for the many good messages without looking at any field twice."""
        # JSON inside a string cannot do without a quote.
        raw = item.raw
        if item.flawed or not raw or (_ESCAPE in raw and may_hold_quotes(raw)):
            return False
        try:
            if self._is_valid is not None and not self._is_valid(item.value):
                return False
        except ValueError:
            return False
        return is_clean(facts, item.value, self._has_version)

    def _faults_of_one(self, item: Item, facts: Facts) -> Iterator[Fault]:
        faults = list(field_faults(facts, self._settings.roles, item.value))
        yield from faults
        if item.flawed:
            yield from _flaws_within(item)
        if self._settings.checker is not None:
            told = _subjects(faults)
            for violation in self._settings.checker.explain(item.value):
                if violation.subject not in told:
                    yield _violation_fault(violation)
        yield from embedded_json(item.value)

    def _remember(self, item: Item, facts: Facts, faults: list[Fault]) -> list[Decided]:
        position, first = item.position, None
        if facts.id is not None:
            first = self._first_of_id(hash((facts.source, facts.id)), position)
            if first is not None:
                faults += self._ids.faults(facts, position, first)
        if self._keys is not None and facts.effect_key is not None:
            faults += self._keys.faults(facts, position)
        if self._decides_all:
            return self._decide(facts, position, faults)
        if facts.sequence is not None and first is None and not self._order.goes_on(facts):
            self._decide(facts.order_only(), position, faults)
        return []

    def _decide(self, facts: Facts, position: int, faults: list[Fault]) -> list[Decided]:
        content = Content(position, self._memory)
        decision, *replayed = self._order.decisions(facts, content)
        told = _subjects(faults)
        faults += [
            fault for fault in self._order.faults(decision, replayed) if fault.pointer not in told
        ]
        return [self._decided(one) for one in (decision, *replayed)]

    def _decided(self, decision: Decision) -> Decided:
        message = decision.message
        return Decided(
            self._name,
            message.place,
            "-" if message.facts.id is None else str(message.facts.id),
            self._word(decision),
            decision.awaited,
            decision.replayed,
        )

    def _told(self, item: Item, faults: list[Fault]) -> Iterator[Finding]:
        if faults:
            document = item.opened()
            yield from (self._finding(fault, item, document) for fault in faults)

    def _no_object(self, item: Item) -> Finding:
        fault = Fault("schema-violation", "", "a message is a JSON object, this is none")
        return self._finding(fault, item, item.opened())

    def _broken(self, broken: Broken) -> Finding:
        check = "torn-last-line" if broken.torn else "unreadable-message"
        return self._at(check, broken.error.place, "", broken.error.message)

    def _closing(self, fault: Fault) -> Finding:
        return self._at(fault.check, Place(fault.line, 1), fault.pointer, fault.message)

    def _finding(self, fault: Fault, item: Item, document: Document) -> Finding:
        pointer = item.pointer + fault.pointer
        place = item.in_file(fault.place or document.place(pointer))
        return self._at(fault.check, place, pointer, fault.message, fault.earlier)

    def _at(self, name: str, place: Place, pointer: str, message: str, earlier: int = 0) -> Finding:
        clash = (Step(self._name, earlier, "earlier", "the message it clashes with"),)
        return certain(
            CHECKS[name],
            self._name,
            place.line,
            f"{message} (at {pointer})" if pointer else message,
            column=place.column,
            pointer=pointer,
            scenario=clash if earlier else (),
        )


def _subjects(faults: list[Fault]) -> set[str]:
    """Return the fields that something has been said about."""
    return {fault.subject or fault.pointer for fault in faults}


def _event_word(decision: Decision) -> str:
    return decision.outcome.for_event


def _task_word(decision: Decision) -> str:
    return decision.outcome.for_task


def _flaws_within(item: Item) -> Iterator[Fault]:
    for flaw in item.opened().flaws:
        if _is_within(flaw, item.pointer):
            pointer = flaw.pointer.removeprefix(item.pointer)
            yield Fault(flaw.check, pointer, flaw.message, place=flaw.place)


def _is_within(flaw: Flaw, pointer: str) -> bool:
    return flaw.pointer == pointer or flaw.pointer.startswith(f"{pointer}/")


def _violation_fault(violation: Violation) -> Fault:
    return Fault("schema-violation", violation.pointer, violation.message, violation.subject)
