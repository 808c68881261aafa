"""One run: all lines of all files, joined by job; files are one journal in the given order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import IO, Any

from contractlint.findings import Finding, Problem
from contractlint.journal.chains import Shape, numbered
from contractlint.journal.form import line_checker
from contractlint.journal.jobs import DEFAULT_REMEMBER, STRIDE, Jobs, Trace
from contractlint.journal.joining import Joining
from contractlint.journal.judging import Judge, Verdict, observed, placed, remark
from contractlint.journal.mapping import JournalMapping, misspelt
from contractlint.journal.observing import Observation, Observed
from contractlint.journal.reading import (
    Facts,
    ReadFacts,
    Values,
    fact_reader,
    follow,
    opened,
    usable,
)
from contractlint.journal.steps import Step, step_of
from contractlint.journal.waiting import Waiting, Waits
from contractlint.messages.run import Tally
from contractlint.messages.sources import (
    OFFSET_BITS,
    Broken,
    Found,
    Item,
    Source,
    find_files,
    line_of,
)
from contractlint.rules.catalog import Rule
from contractlint.rules.findings import CompiledRule

_FILE_SHIFT = 40
_LINE_MASK = (1 << _FILE_SHIFT) - 1
_MOST_FORMS = 20_000
_MALFORMED = "malformed-journal-line"


@dataclass(frozen=True)
class Settings:
    """What a run checks with; `checks` are the rules without patterns, by name.

    `codes` are the rules whose findings are told.
    """

    mapping: JournalMapping
    rules: tuple[CompiledRule, ...]
    checks: Mapping[str, Rule]
    codes: frozenset[str]
    remember: int = DEFAULT_REMEMBER
    observations: tuple[Observation, ...] = ()


@dataclass
class JournalTally(Tally):
    """What a run has seen. `faults` are the findings that are more than a remark."""

    noun: str = "line"
    jobs: int = 0
    faults: int = 0


Told = Finding | Problem | Observed


def run(paths: Iterable[str], settings: Settings, tally: JournalTally) -> Iterator[Told]:
    """Yield what there is to tell about the journal in `paths`."""
    for told in JournalRun(settings, tally).events(paths):
        if isinstance(told, Problem):
            tally.errors += 1
            yield told
        elif isinstance(told, Observed):
            yield told
        elif told.code in settings.codes:
            tally.findings += 1
            tally.faults += told.severity != "info"
            yield told


class JournalRun:
    """The state of a run: open jobs, forms of steps, verdicts."""

    def __init__(self, settings: Settings, tally: JournalTally) -> None:
        self._settings = settings
        self._tally = tally
        self._mapping = settings.mapping
        self._judge = Judge(settings.rules, settings.mapping.limit, settings.observations)
        self._checker = line_checker(settings.mapping)
        self._jobs = Jobs(settings.remember)
        self._waits = Waits(settings.mapping.patience)
        self._steps: dict[Values, Step] = {}
        self._names: list[str] = []
        self._strangers: set[str] = set()
        self._joining = Joining()
        self._now: Any = None

    def events(self, paths: Iterable[str]) -> Iterator[Told]:
        """Yield findings as jobs are forgotten, and those of the remaining jobs at the end."""
        for found in find_files(paths):
            self._tally.files += 1
            self._names.append(found.name)
            try:
                with opened(found) as stream:
                    yield from self._lines(found, stream)
            except (OSError, EOFError) as error:
                reason = getattr(error, "strerror", None) or str(error) or "no file"
                yield Problem(found.name, 0, f"cannot be read: {reason.lower()}")
        last: list[Finding | Observed] = []
        for job, trace in self._jobs.remaining():
            last += self._judged(job, trace, at_end=True)
        position = self._joining.by_tag()
        if position:
            path, line = self._place(position)
            rule = self._settings.checks["delivery-tag-as-job"]
            last.append(remark(rule, path, line, rule.summary))
        yield from sorted(last, key=self._order)

    def _order(self, told: Finding | Observed) -> tuple[int, int, str]:
        name = told.code if isinstance(told, Finding) else told.observation.name
        place = told if isinstance(told, Finding) else told.evidence[0]
        return (self._names.index(place.path), place.line, name)

    def _lines(self, found: Found, stream: IO[bytes]) -> Iterator[Finding | Observed]:
        """The loop over all lines; what happens for each of them is written out here."""
        is_valid, read = self._checker.is_surely_valid, fact_reader(self._mapping)
        steps, jobs, open_jobs, waits = self._steps, self._jobs, self._jobs.open, self._waits
        base = (len(self._names) - 1) << _FILE_SHIFT
        careful = bool(self._mapping.reasons) or not self._mapping.judges_all
        item: Item | Broken | None = None
        count = 0
        for item in Source(stream, ".jsonl").items():
            count += 1
            if isinstance(item, Broken):
                yield self._broken(item)
                continue
            value, flawed, place, _, _, _ = item
            position = base + (place >> OFFSET_BITS)
            try:
                facts = read(value) if is_valid(value) else None
            except ValueError:
                facts = None
            if flawed or facts is None:
                yield from self._faults(item)
            if facts is None or careful:
                facts = self._usable(value, read)
                if facts is None:
                    continue
            form, job, values = facts
            step = steps.get(form)
            if step is None:
                step = self._learn(form)
                yield from self._strange(step, position)
            trace = open_jobs.get(job)
            if trace is None:
                trace = jobs.reopen(job)
            trace += (step, position, values)
            if step.final and not _goes_on(trace):
                for one, forgotten in jobs.close(job):
                    yield from self._judged(one, forgotten)
            elif step.waits:
                waits.begin(job, self._waiting(position, value))
            elif step.kind == "receive" and waits:
                waits.end(job)
        self._tally.messages += count
        yield from self._end_of_file(item)

    def _faults(self, item: Item) -> Iterator[Finding]:
        """Yield what is wrong with the form of a line."""
        line, value = line_of(item.position), item.value
        if not isinstance(value, dict):
            yield self._remark(_MALFORMED, line, "a step is a JSON object, this is none")
            return
        if item.flawed:
            for flaw in item.opened().flaws:
                yield self._remark(_MALFORMED, line, flaw.message, flaw.pointer)
        for violation in self._checker.explain(value):
            yield self._remark(_MALFORMED, line, violation.message, violation.pointer)

    def _usable(self, value: Any, read: ReadFacts) -> Facts | None:
        """Return what can be used of a line that may not be as it should be."""
        facts = usable(read(value)) if isinstance(value, dict) else None
        if facts is None:
            return None
        (*form, reason_class), job, values = facts
        if values is None:
            return facts
        reason_class = reason_class or self._mapping.reasons.get(values[0])
        return (*form, reason_class), job, values

    def _learn(self, form: Values) -> Step:
        if len(self._steps) >= _MOST_FORMS:
            self._steps.clear()
        step = self._steps[form] = step_of(form, self._mapping)
        return step

    def _strange(self, step: Step, position: int) -> Iterator[Finding]:
        """Tell once of a step whose name looks like a misspelt one."""
        if step.name in self._strangers:
            return
        meant = misspelt(step.name, self._mapping.steps)
        if meant:
            self._strangers.add(step.name)
            message = f"the step `{step.name}` is not known; did you mean `{meant}`?"
            yield self._remark("unknown-step", position & _LINE_MASK, message)

    def _waiting(self, position: int, value: dict[str, Any]) -> Waiting:
        fields = self._mapping.fields
        return Waiting(position, follow(value, fields["time"]), follow(value, fields["queue"]))

    def _broken(self, broken: Broken) -> Finding:
        name = "torn-journal-line" if broken.torn else "unreadable-journal-line"
        place, what = broken.error.place, self._settings.checks[name].summary
        message = f"{what} ({broken.error.message}, column {place.column})"
        return self._remark(name, place.line, message)

    def _end_of_file(self, last: Item | Broken | None) -> Iterator[Finding]:
        if not isinstance(last, Item):
            return
        self._now = follow(last.value, self._mapping.fields["time"])
        if not last.raw.endswith(b"\n"):
            message = "the last line is complete, but it lacks its newline"
            yield self._remark("unfinished-journal-line", line_of(last.position), message)

    def _judged(
        self, job: Any, trace: Trace, *, at_end: bool = False
    ) -> Iterable[Finding | Observed]:
        """Judge one job; most are fine, and cost no more than finding out that they are."""
        overdue = at_end and bool(self._waits) and self._waits.is_overdue(job, self._now)
        shape = Shape(tuple(trace[::STRIDE]), numbered(trace[2::STRIDE], job), overdue)
        verdict = self._judge.verdict(shape)
        self._tally.jobs += 1
        if at_end or verdict.clues.tell:
            self._joining.look_at(verdict.clues, trace[1], is_open=job in self._jobs.open)
        return self._told(verdict, job, trace) if verdict.findings or verdict.seen else ()

    def _told(self, verdict: Verdict, job: Any, trace: Trace) -> Iterator[Finding | Observed]:
        def locate(index: int) -> tuple[str, int]:
            return self._place(trace[index * STRIDE + 1])

        for finding in verdict.findings:
            yield placed(finding, job, locate)
        for observation, sources in verdict.seen:
            yield observed(observation, sources, job, locate)

    def _place(self, position: int) -> tuple[str, int]:
        return self._names[position >> _FILE_SHIFT], position & _LINE_MASK

    def _remark(self, name: str, line: int, message: str, pointer: str = "") -> Finding:
        """Return a finding about a single line of the file that is being read."""
        return remark(self._settings.checks[name], self._names[-1], line, message, pointer)


def _goes_on(trace: Trace) -> bool:
    """Is another attempt scheduled? Then the acknowledgement is not the job's end."""
    for place in range(len(trace) - STRIDE, -1, -STRIDE):
        kind = trace[place].kind
        if kind == "receive":
            return False
        if kind == "retry":
            return True
    return False
