"""Traces → findings: the message, and the crash scenario step by step."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass

from contractlint.events import Event, EventGraph, Place, Trace
from contractlint.findings import Finding, Step, one_a_fault
from contractlint.rules.catalog import Rule
from contractlint.rules.patterns import EVENTS, Pattern, parse_pattern
from contractlint.rules.search import allows, find_traces
from contractlint.ways import SearchSpace

_TOLD = {
    "receive": "the broker delivers a message",
    "ack": "{code} acknowledges the delivery",
    "reject": "{code} rejects the delivery",
    "requeue": "{code} puts the message back",
    "dead_letter": "{code} moves the message to the dead letters",
    "retry": "{code} asks for another attempt",
    "produce": "{code} is called",
    "identity": "{code} identifies the message",
    "lease": "{code} is how long the broker waits for the acknowledgement",
    "publish": "{code} publishes",
    "flush": "{code} waits for what was published",
    "stage": "{code} writes, not yet committed",
    "persist": "{code} stores the result",
    "effect": "{code} acts on the outside world",
    "handoff": "{code} hands the message over and does not wait",
    "buffer": "{code} keeps the message in memory",
    "work": "{code} works on the message",
    "quarantine": "{code} sets the message aside",
    "failure": "{code} catches a failure",
    "told_failure": "{code} tells of a failure",
    "raise": "{code}",
    "ledger_check": "{code} looks up whether the work was done",
    "refusal": "{code} writes down that it was refused",
    "again": "{code} begins another round",
    "recall": "{code} asks the memory of this process",
    "version_check": "{code} looks at the version",
    "version_read": "{code} is the version that the message tells",
    "name": "{code} gives another value at each delivery",
    "name of delivery-identity": "{code} says which delivery it is, not which work",
}
_TOLD_AT_THE_END = frozenset({"again", "recall", "refusal"})
_SUBSTANCE = frozenset(
    {"persist", "stage", "effect", "work", "handoff", "buffer", "publish", "failure", "quarantine"}
)

_BEGUN = frozenset({"stage", "handoff", "buffer", "publish"})  # what is not done when it is called

_DEATH = Step("", 0, "crash", "✗ the process dies here")


@dataclass(frozen=True, slots=True)
class Telling:
    """How opaque sources are told: their place and their code.

    `happened`: the traces are no possibilities, somebody has seen them; nobody died where they
    could have died.
    """

    locate: Callable[[object], Place]
    excerpt: Callable[[object], str]
    happened: bool = False


@dataclass(frozen=True, slots=True)
class CompiledRule:
    rule: Rule
    patterns: tuple[Pattern, ...]
    also: tuple[Pattern, ...] = ()
    unless: tuple[Pattern, ...] = ()

    @classmethod
    def of(cls, rule: Rule) -> CompiledRule:
        also, unless = (
            tuple(parse_pattern(text, marks=False) for text in texts)
            for texts in (rule.also, rule.unless)
        )
        return cls(rule, tuple(map(parse_pattern, rule.searched)), also, unless)

    def applies_to(self, space: SearchSpace) -> bool:
        """Does the handler allow all that the rule needs beside its patterns, and no excuse?"""
        return all(allows(space, pattern) for pattern in self.also) and not any(
            allows(space, pattern) for pattern in self.unless
        )


def compile_rules(rules: Iterable[Rule], codes: Collection[str]) -> tuple[CompiledRule, ...]:
    """Return those of `codes` that search for traces."""
    return tuple(CompiledRule.of(rule) for rule in rules if rule.code in codes and rule.searched)


def does_something(graph: EventGraph) -> bool:
    """Is there any work in the graph that could be lost or doubled? A peek tool has none."""
    return bool((graph.kinds() & _SUBSTANCE) or (graph.kinds() - EVENTS))


def findings_in(
    graph: EventGraph, rules: Sequence[CompiledRule], handler: str, telling: Telling
) -> Iterator[Finding]:
    """Yield each fault of a handler once, with the shortest trace that shows it."""
    space = SearchSpace.of(graph)
    for compiled in rules:
        if compiled.applies_to(space):
            yield from one_a_fault(
                _finding(compiled.rule, trace, handler, telling)
                for pattern in compiled.patterns
                for trace in find_traces(space, pattern)
            )


def without_superseded(
    findings: Iterable[Finding], rules: Iterable[CompiledRule]
) -> Iterator[Finding]:
    """One fault, one finding: what stands on a step of a more exact rule's proof is left out."""
    told = list(findings)
    supersedes = {compiled.rule.code: compiled.rule.supersedes for compiled in rules}
    superseded = {
        (code, *place)
        for finding in told
        for code in supersedes[finding.code]
        for place in _proven_places(finding)
    }
    for finding in told:
        if (finding.code, finding.path, finding.line) not in superseded:
            yield finding


def _proven_places(finding: Finding) -> Iterator[tuple[str, int]]:
    yield finding.path, finding.line
    for step in finding.happening:
        if step.event not in ("receive", "call"):
            yield step.path, step.line


def _finding(rule: Rule, trace: Trace, handler: str, telling: Telling) -> Finding:
    place = telling.locate(trace.marked.source)
    texts = _texts(trace, telling)
    return Finding(
        code=rule.code,
        rule=rule.name,
        severity=rule.severity,
        confidence=_confidence(trace),
        path=place.path,
        line=place.line,
        column=place.column,
        end_line=place.end_line or place.line,
        end_column=place.end_column or place.column,
        handler=handler,
        message=_message(rule, trace, texts),
        fix=rule.fix,
        scenario=tuple(_scenario(rule, trace, telling, texts)),
    )


def _texts(trace: Trace, telling: Telling) -> dict[str, str]:
    last = _harmed(trace)
    return {
        "marked": f"`{telling.excerpt(trace.marked.source)}`",
        "last": f"`{telling.excerpt(last.source)}`",
        "missing": trace.marked["missing"],
    }


def _harmed(trace: Trace) -> Event:
    """The step that is lost: the last one, or what was begun before the reported step."""
    last = trace.events[-1]
    if last is not trace.marked:
        return last
    steps = trace.events[:-1]
    begun = [event for event in steps if event.kind in _BEGUN] or [
        event for event in steps if event.kind in _SUBSTANCE
    ]
    return begun[-1] if begun else trace.events[0]


def _message(rule: Rule, trace: Trace, texts: dict[str, str]) -> str:
    text = rule.summary.format(**texts)
    default = trace.marked["default"]
    return f"{text}; the default is {default}" if default else text


def _confidence(trace: Trace) -> str:
    """High if every step that counts is known by its class, not by a name or a guess."""
    steps = [event for event in trace.events if event.kind in _TOLD and event.kind != "receive"]
    weak = any(event["grade"] == "bare" or event.kind in ("work", "buffer") for event in steps)
    return "medium" if weak else "high"


def _scenario(rule: Rule, trace: Trace, telling: Telling, texts: dict[str, str]) -> Iterator[Step]:
    inside = trace.events[0].chain
    for index, event in enumerate(trace.events):
        if index == trace.crash and not telling.happened:
            yield _DEATH
        if _is_told(event, trace):
            reached = telling.happened or trace.crash < 0 or index < trace.crash
            for call in _calls_into(event.chain, inside):
                yield _told(call, "call", "{code} is called", telling, reached=reached)
            inside = event.chain
            text = _TOLD.get(f"{event.kind} of {event['from']}") or _TOLD.get(event.kind, "{code}")
            yield _told(event.source, event.kind, text, telling, reached=reached)
    if trace.crash == len(trace.events) and not telling.happened:
        yield _DEATH
    condition = "had the process died in between: " if telling.happened and trace.crash > 0 else ""
    for line in rule.after:
        yield Step("", 0, "outcome", condition + line.format(**texts))


def _calls_into(chain: tuple[object, ...], inside: tuple[object, ...]) -> tuple[object, ...]:
    """Return the calls that lead from where the last step was to where the next one is."""
    common = 0
    while common < min(len(chain), len(inside)) and chain[common] == inside[common]:
        common += 1
    return chain[common:]


def _is_told(event: Event, trace: Trace) -> bool:
    """Of a flow of values only its ends belong to the proof, not what happens in between."""
    if trace.marked.kind == "name":
        return event.kind == "receive" or event in (trace.marked, trace.events[-1])
    if trace.marked.kind == "identity" and event.kind == "name":
        return False
    if event.kind in _TOLD_AT_THE_END:
        return event in (trace.marked, trace.events[-1])
    return event.kind in _TOLD or event.kind not in EVENTS


def _told(source: object, event: str, text: str, telling: Telling, *, reached: bool) -> Step:
    place = telling.locate(source)
    text = text.format(code=f"`{telling.excerpt(source)}`")
    return Step(place.path, place.line, event, text if reached else f"never reached: {text}")
