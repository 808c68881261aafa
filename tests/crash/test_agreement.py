"""Rules and crash tables are made apart from each other. They never contradict each other.

A table that says *lost* or *repeated* needs a finding of such a rule in the same handler, and a
finding whose trace is the main chain needs that outcome at the place where it lets the worker die.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from contractlint.code.analysis import HandlerGraph
from contractlint.crash.chain import Chain, main_chain
from contractlint.crash.simulation import Simulation
from contractlint.crash.table import is_told
from contractlint.events import Event, Trace
from contractlint.rules.catalog import bundled_rules
from contractlint.rules.patterns import parse_pattern
from contractlint.rules.search import find_traces
from contractlint.ways import SearchSpace

ROOT = Path(__file__).resolve().parents[2]
LOSES = frozenset({"CL101", "CL102", "CL103"})
DOUBLES = frozenset({"CL401", "CL201", "CL203"})
FILES = sorted([*ROOT.glob("tests/cases/**/*.py"), *ROOT.glob("examples/*/*.py")])
PATTERNS = [
    (rule.code, parse_pattern(pattern))
    for rule in bundled_rules()
    if rule.code in LOSES | DOUBLES
    for pattern in rule.searched
]


def traces(space: SearchSpace) -> Iterator[tuple[str, Trace]]:
    for code, pattern in PATTERNS:
        for trace in find_traces(space, pattern):
            yield code, trace


def told(events: tuple[Event, ...] | list[Event]) -> list[Event]:
    return [event for event in events if is_told(event)]


def dies_on(chain: Chain, code: str, trace: Trace) -> int:
    """Return where on the chain the trace lets the worker die, -1 if it goes another way.

    After an acknowledgement CL401 speaks of a task that is retried, not of a death.
    """
    before = list(trace.events[: trace.crash])
    if trace.crash < 0 or before[-1] not in chain.events:
        return -1
    if code in DOUBLES and any(event.kind == "ack" for event in before):
        return -1
    position = chain.events.index(before[-1])
    return position if told(before) == told(chain.events[: position + 1]) else -1


def contradictions(handler: HandlerGraph) -> Iterator[str]:
    space = SearchSpace.of(handler.graph)
    chain = main_chain(space)
    if chain is None:
        return
    simulation = Simulation(space, chain)
    outcomes = [simulation.die_after(position).outcome for position in range(len(chain.events))]
    found = list(traces(space))
    codes = {code for code, _ in found}
    if "lost" in outcomes and not codes & LOSES:
        yield f"{handler.name}: the table says lost, and no rule does"
    if "repeated" in outcomes and not codes & DOUBLES:
        yield f"{handler.name}: the table says repeated, and no rule does"
    for code, trace in found:
        position = dies_on(chain, code, trace)
        expected = "lost" if code in LOSES else "repeated"
        if position >= 0 and outcomes[position] != expected:
            yield f"{handler.name}: {code} finds a fault, and the table says {outcomes[position]}"


@pytest.mark.parametrize("file", FILES, ids=lambda file: str(file.relative_to(ROOT)))
def test_rules_and_table_agree(file, graphs_of):
    assert [line for one in graphs_of(file) for line in contradictions(one)] == []


def test_contradictions_are_seen(monkeypatch, graphs_of):
    """A table without memory of what was acknowledged is caught."""
    monkeypatch.setattr(
        "contractlint.crash.world._STEPS", {"effect": lambda process, position, event: None}
    )
    (handler, *_) = graphs_of(ROOT / "examples/broken/orders.py")
    assert list(contradictions(handler)) != []


def test_most_findings_lie_on_the_main_chain(graphs_of):
    """Otherwise the test above would say little."""
    on_chain = off_chain = 0
    for file in FILES:
        for handler in graphs_of(file):
            space = SearchSpace.of(handler.graph)
            chain = main_chain(space)
            for code, trace in traces(space):
                if chain is not None and trace.crash >= 0:
                    on_chain += dies_on(chain, code, trace) >= 0
                    off_chain += dies_on(chain, code, trace) < 0
    assert on_chain > 50
    assert on_chain > off_chain
