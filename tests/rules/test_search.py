"""The search: every forbidden trace that can happen, the shortest first, and none that cannot."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from contractlint.events import (
    ANYTHING,
    IS_FALSY,
    IS_NONE,
    IS_TRUTHY,
    Change,
    Event,
    EventGraph,
    Need,
)
from contractlint.rules.patterns import parse_pattern
from contractlint.rules.search import find_traces
from contractlint.ways import SearchSpace


def test_nothing_forbidden_is_nothing_found(paths):
    assert paths("receive persist ack").find("receive ...not(persist) !ack") == []


def test_one_way_of_several_is_enough(paths):
    graph = paths("receive persist ack", "receive work ack")
    assert graph.find("receive ...not(persist) !ack") == ["receive work !ack"]


def test_the_shortest_trace_is_told(paths):
    graph = paths("receive work work work ack persist", "receive work ack persist")
    assert graph.find("receive ... !ack crash ... persist")[0] == "receive work !ack ✗ persist"


def test_each_reported_event_is_told_once(paths):
    graph = paths("receive ack persist", "receive ack effect", "receive work ack persist")
    assert graph.find("receive ... !ack crash ... (persist|effect)") == [
        "receive !ack ✗ persist",
        "receive work !ack ✗ persist",
    ]


def test_the_trace_begins_where_the_pattern_does(paths):
    assert paths("open receive work ack").find("receive ... !ack") == ["receive work !ack"]
    lost = "receive ... !ack crash ... persist"
    assert paths("open receive ack persist").find(lost) == ["receive !ack ✗ persist"]


@pytest.mark.parametrize(
    ("pattern", "told"),
    [
        ("receive ... !ack crash ... persist", "receive !ack ✗ work persist"),
        ("receive ... !ack ... crash persist", "receive !ack ✗ work persist"),
        ("receive ... !ack ... persist crash", "receive !ack work persist ✗"),
        ("receive crash ... !ack", "receive ✗ !ack"),
        ("receive ... !ack ... persist", "receive !ack work persist"),
    ],
)
def test_where_the_process_dies(paths, pattern, told):
    assert paths("receive ack work persist").find(pattern) == [told]


def test_a_loop_is_gone_round(find, make_event):
    graph = EventGraph()
    receive, ack = graph.add(make_event("receive")), graph.add(make_event("ack"))
    persist = graph.add(make_event("persist"))
    graph.connect(0, receive)
    graph.connect(receive, persist)
    graph.connect(receive, ack)
    graph.connect(ack, receive)
    assert find(graph, "receive !ack ...next persist") == ["receive !ack receive persist"]
    assert find(graph, "receive !ack ... persist") == []


def test_a_gap_ends_at_the_next_delivery(paths):
    graph = paths("receive ack receive persist")
    assert graph.find("receive ... !ack crash ... persist") == []
    assert graph.find("receive ... !ack crash ...next persist") == [
        "receive !ack ✗ receive persist"
    ]


def test_a_pattern_without_its_events_is_not_searched(paths):
    assert paths("receive ack").find("receive ... !ack ... effect") == []


# -- tests that depend on each other ------------------------------------------------------------


def branch_and_ask(told: int, asked: int) -> EventGraph:
    """`if x: ack, y = told`; later `if y answers asked: persist`."""
    graph = EventGraph()
    receive = graph.add(Event("receive"))
    graph.connect(0, receive)
    settled = graph.add(Event("ack"))
    mark = graph.add(None, (Change(1, told),))
    other = graph.add(None, (Change(1, ANYTHING & ~told),))
    asks = graph.add()
    persist = graph.add(Event("persist"))
    graph.connect(receive, settled)
    graph.connect(settled, mark)
    graph.connect(receive, other)
    graph.connect(mark, asks)
    graph.connect(other, asks)
    graph.connect(asks, persist, Need(1, asked))
    graph.connect(asks, graph.add(Event("exit")), Need(1, ANYTHING & ~asked))
    return graph


@pytest.mark.parametrize("told", [IS_NONE, IS_FALSY, IS_TRUTHY])
def test_a_test_agrees_with_what_was_told_before(find, told):
    lost = "receive ... !ack crash ... persist"
    assert find(branch_and_ask(told, told), lost) == ["receive !ack ✗ persist"]
    assert find(branch_and_ask(told, ANYTHING & ~told), lost) == []


def test_two_tests_of_one_value_agree(find, make_event):
    graph = EventGraph()
    receive, ack, persist = (graph.add(make_event(w)) for w in ("receive", "ack", "persist"))
    graph.connect(0, receive)
    middle = graph.add()
    graph.connect(receive, ack, Need(7, IS_TRUTHY))
    graph.connect(ack, middle)
    graph.connect(receive, middle, Need(7, IS_NONE | IS_FALSY))
    graph.connect(middle, persist, Need(7, IS_NONE | IS_FALSY))
    assert find(graph, "receive ... !ack ... persist") == []
    assert find(graph, "receive ... !persist") == ["receive !persist"]


def test_a_new_value_forgets_the_old_one(find, make_event):
    graph = EventGraph()
    receive, ack, persist = (graph.add(make_event(w)) for w in ("receive", "ack", "persist"))
    anew = graph.add(None, (Change(7),))
    graph.connect(0, receive)
    graph.connect(receive, ack, Need(7, IS_TRUTHY))
    graph.connect(ack, anew)
    graph.connect(anew, persist, Need(7, IS_FALSY))
    assert find(graph, "receive ... !ack ... persist") == ["receive !ack persist"]


def test_knowledge_goes_along_with_a_copy(find, make_event):
    graph = EventGraph()
    receive, ack, persist = (graph.add(make_event(w)) for w in ("receive", "ack", "persist"))
    told = graph.add(None, (Change(1, IS_TRUTHY),))
    copied = graph.add(None, (Change(2, ANYTHING, 1),))
    graph.connect(0, receive)
    graph.connect(receive, told)
    graph.connect(told, ack)
    graph.connect(ack, copied)
    graph.connect(copied, persist, Need(2, IS_FALSY))
    assert find(graph, "receive ... !ack ... persist") == []


# -- against plain enumeration ------------------------------------------------------------------

KINDS = ("receive", "ack", "persist", "work", "poll")
PATTERNS = (
    "receive ... !ack crash ... persist",
    "receive ...not(persist) !ack",
    "!ack persist",
    "receive !* ack",
    "receive ...not(work|persist) !ack ...next not(poll) persist",
    "!receive crash",
    "(ack|work) ... !(persist|work) ... ack",
)


@st.composite
def acyclic_graphs(draw) -> EventGraph:
    """Graphs without loops, whose ways can be counted."""
    graph = EventGraph()
    for _ in range(draw(st.integers(1, 7))):
        kind = draw(st.sampled_from((*KINDS, "")))
        changes = draw(
            st.lists(
                st.builds(
                    Change, st.integers(1, 2), st.integers(1, 7), st.sampled_from((-1, -1, 1, 2))
                ),
                max_size=1,
            )
        )
        graph.add(Event(kind) if kind else None, tuple(changes))
    needs = st.none() | st.builds(Need, st.integers(1, 2), st.integers(1, 6))
    for origin, target in itertools.combinations(range(len(graph)), 2):
        if draw(st.integers(0, 9)) < 5:
            graph.connect(origin, target, draw(needs))
    return graph


def ways(graph: EventGraph, node: int = 0, facts: dict | None = None, events: tuple = ()):
    """Yield the events of every feasible way from `node`, also of those that stop early."""
    facts = dict(facts or {})
    for change in graph.changes[node]:
        known = facts.get(change.source, ANYTHING) if change.source >= 0 else change.mask
        facts[change.slot] = known
    if graph.events[node] is not None:
        events = (*events, graph.events[node])
    yield events
    for edge in graph.edges[node]:
        if edge.need is None:
            yield from ways(graph, edge.target, facts, events)
        elif mask := facts.get(edge.need.slot, ANYTHING) & edge.need.mask:
            yield from ways(graph, edge.target, {**facts, edge.need.slot: mask}, events)


def marked_in(pattern, events) -> set[Event]:
    """Run the automaton over one trace; return the events it can report at the end."""
    states = {(0, None)}
    for event in events:
        following = set()
        for state, mark in states:
            if state == len(pattern.stages):
                continue
            for after in pattern.advance(state, event):
                marked = after > state and pattern.stages[state].marked
                following.add((after, event if marked else mark))
        states = following
    return {mark for state, mark in states if state == len(pattern.stages)}


@settings(max_examples=400, deadline=None, derandomize=True)
@given(acyclic_graphs(), st.sampled_from(PATTERNS))
def test_the_search_finds_what_enumeration_finds(graph, text):
    pattern = parse_pattern(text)
    shortest: dict[Event, int] = {}
    for events in ways(graph):
        for marked in marked_in(pattern, events):
            shortest[marked] = min(len(events), shortest.get(marked, len(events)))
    found = {trace.marked: trace for trace in find_traces(SearchSpace.of(graph), pattern)}
    assert set(found) == set(shortest)
    for marked, trace in found.items():
        assert len(trace.events) <= shortest[marked]
        assert marked in marked_in(pattern, trace.events)
