"""A small notation for event graphs.

    graph("if m.big: a()\\nelse: b()")  ==  {"a", "b"}

lowers a handler with that body and tells its traces. Events stand in their order, ` · ` between
them: a step by its function's name, anything else by its kind. `✗` at the end says that an
exception left the handler. A loop goes round at most once. tests/code/steps.toml is the library the
snippets use: `a` … `f` never fail, `risky` fails before it has happened, `late` before or after.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import dedent, indent

import pytest

from contractlint.code.analysis import CheckedFile, HandlerGraph
from contractlint.code.modules import Project
from contractlint.events import ANYTHING, Event, EventGraph
from contractlint.vocabulary import load_vocabulary

STEPS = str(Path(__file__).with_name("steps.toml"))
IMPORTS = "from steps import a, b, c, d, e, f, ack, free, late, risky, handler\nimport steps\n"
# What tests prove, and where a delivery begins: shown only when asked for.
QUIET = frozenset(
    {
        "receive",
        "poll",
        "idle",
        "classified",
        "bounded",
        "shutdown",
        "failure",
        "error",
        "raise",
        "call",
        "again",
        "content",
        "recall",
        "remember",
        "release",
        "refusal",
    }
)
_MOST_TRACES = 3000


@dataclass(frozen=True)
class Lowered:
    """The handlers of a module."""

    handlers: tuple[HandlerGraph, ...]

    @property
    def names(self) -> list[str]:
        return sorted(handler.name for handler in self.handlers)

    def traces(self, name: str = "", *, show: str = "", fails: bool = False) -> set[str]:
        """Return the traces of one handler; with `fails` also those that end in an exception."""
        graph = self.graph(name)
        shown = set(show.split())
        return {
            text
            for events in feasible(graph)
            if (text := told(events, shown, fails=fails)) is not None
        }

    def graph(self, name: str = "") -> EventGraph:
        found = [one for one in self.handlers if not name or one.name == name]
        assert len(found) == 1, f"handlers: {self.names}"
        return found[0].graph

    def events(self, kind: str, name: str = "") -> list[Event]:
        return [one for one in self.graph(name).events if one is not None and one.kind == kind]

    def attributes(self, kind: str, attribute: str, name: str = "") -> set[str]:
        """Return the values that an attribute has at the events of a kind."""
        return {event[attribute] for event in self.events(kind, name)}


def told(events: list[Event], shown: set[str], *, fails: bool) -> str | None:
    """Write a trace down; None if it ends in an exception and those are not asked for."""
    words = []
    for event in events:
        if event.kind == "exit":
            if event["by"] == "raise":
                return " · ".join([*words, "✗"]) if fails else None
        elif event.kind in shown or event.kind not in QUIET:
            words.append(event["name"] or event.kind)
    return " · ".join(words)


def feasible(graph: EventGraph) -> Iterator[list[Event]]:
    """Yield the events of every way through the graph that no test of a value forbids."""
    traces = 0
    waiting: list[tuple[int, dict[int, int], tuple[int, ...], list[Event]]] = [(0, {}, (), [])]
    while waiting:
        node, facts, passed, events = waiting.pop()
        passed = (*passed, node)
        for change in graph.changes[node]:
            known = facts.get(change.source, ANYTHING) if change.source >= 0 else change.mask
            facts = {**facts, change.slot: known}
        event = graph.events[node]
        if event is not None:
            events = [*events, event]
        if not graph.edges[node]:
            traces += 1
            assert traces < _MOST_TRACES, "too many traces for a test"
            yield events
        for edge in graph.edges[node]:
            if passed.count(edge.target) > 1:
                continue
            after = facts
            if edge.need is not None:
                mask = facts.get(edge.need.slot, ANYTHING) & edge.need.mask
                if not mask:
                    continue
                after = {**facts, edge.need.slot: mask}
            waiting.append((edge.target, after, passed, events))


def _lower(source: str, root: Path, path: str = "app.py", libraries: tuple[str, ...] = (STEPS,)):
    file = root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(source, encoding="utf-8")
    project = Project(root.resolve(), (".", "src"))
    vocabulary = load_vocabulary(libraries)
    return Lowered(tuple(CheckedFile(path, file, source.encode(), project, vocabulary).graphs()))


@pytest.fixture
def lower(tmp_path: Path):
    """Lower a whole module, beside `others`: `lower(source).traces("handler")`."""

    def lower(source: str, path: str = "app.py", others: dict[str, str] | None = None) -> Lowered:
        for name, content in (others or {}).items():
            file = tmp_path / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(dedent(content), encoding="utf-8")
        return _lower(dedent(source), tmp_path, path)

    return lower


@pytest.fixture
def graph(tmp_path: Path):
    """Lower a handler with this body and return its traces; `above` stands before the handler."""

    def graph(body: str, above: str = "", *, show: str = "", fails: bool = False) -> set[str]:
        keyword = "async def" if "await " in body or "async " in body else "def"
        handler = f"@handler\n{keyword} handle(m):\n{indent(dedent(body).strip(), '    ')}\n"
        source = f"{IMPORTS}\n{dedent(above)}\n\n{handler}"
        return _lower(source, tmp_path).traces("handle", show=show, fails=fails)

    return graph
