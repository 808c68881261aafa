"""Building an event graph: where control is, where exceptions go, what runs on the way out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field

import libcst as cst

from contractlint.code.modules import FunctionInfo
from contractlint.code.values import Scope, Source, Value
from contractlint.events import Change, Event, EventGraph, Need

NOWHERE = -1
SETTLES = frozenset({"ack", "reject", "requeue", "dead_letter"})
_STORES = frozenset({"persist", "stage"})
_ACTS = frozenset({"effect", "publish"})
TAKES_PART = SETTLES | {"receive"}
_MOST_NODES = 4_000
_DEEPEST = 8


@dataclass(slots=True)
class Catch:
    """Where exceptions go: (node that raises, dotted class if known), in order of appearance."""

    raised: dict[tuple[int, str], None] = field(default_factory=dict)


@dataclass(slots=True)
class Cleanup:
    """What runs when control leaves a `with` or `try … finally`; `catches` is the depth outside."""

    run: Callable[[], None]
    catches: int


@dataclass(slots=True, eq=False)
class Transaction:
    """An open transaction: writes of its library are only staged, `deferred` calls wait for it."""

    library: str
    deferred: list[tuple[Value, cst.Call]] = field(default_factory=list)


@dataclass(slots=True)
class Loop:
    """`counter` counts the rounds; in `going_on` the last round is ruled out after a failure.

    `tries`: a round that succeeds is the last one. `of_others`: it goes through things of which
    each may belong to another delivery. `flags` are the names that a `while` asks.
    """

    cleanup_depth: int
    counter: str = ""
    going_on: int = -1
    of_others: bool = False
    tries: bool = False
    flags: frozenset[str] = frozenset()
    breaks: list[int] = field(default_factory=list)
    continues: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Frame:
    """One activation of a function while its body is lowered."""

    scope: Scope
    function: FunctionInfo | None
    cleanup_depth: int
    returns: list[tuple[int, Value]] = field(default_factory=list)
    on_yield: Callable[[Value, cst.CSTNode], Value] | None = None
    loops: list[Loop] = field(default_factory=list)
    caught: list[str] = field(default_factory=list)
    handling: int = 0
    failures: list[str] = field(default_factory=list)  # the kinds of those in hand
    stands_for: Source | None = None  # the `with` that this context manager's body serves
    tells_itself: bool = False  # only the body tells that the function handles deliveries
    scratch: frozenset[str] = frozenset()
    reported: frozenset[str] = frozenset()


class Flow:
    """The graph under construction. `current` is the node control has reached, or NOWHERE."""

    def __init__(self) -> None:
        self.graph = EventGraph()
        self.follow = _DEEPEST
        self.deeper = 0
        self.current = 0
        self.catches: list[Catch] = [Catch()]
        self.cleanups: list[Cleanup] = []
        self.frames: list[Frame] = []
        self.transactions: list[Transaction] = []
        self.chain: tuple[Source, ...] = ()
        self.receive_depth = 0
        self.delivered = False
        self.redelivers = ""
        self.handling = 0
        self.asked: frozenset[str] = frozenset()  # the stores that were looked into last
        self.consulted: frozenset[str] = frozenset()  # those that a test has answered for
        self.fetching = False
        self.buffers: set[str] = set()  # what outlives the handler and was given something to keep
        self.queues: set[str] = set()  # names, or the code, of where deliveries come from
        self.settling: set[int] = set()  # nodes where only the settlement can fail
        self._slots: dict[tuple[Scope, str], int] = {}
        self._next_slot = 0

    @property
    def frame(self) -> Frame:
        return self.frames[-1]

    @property
    def scope(self) -> Scope:
        return self.frames[-1].scope

    @property
    def active_names(self) -> list[str]:
        """The functions that are being lowered, the outermost first."""
        return [frame.function.name for frame in self.frames if frame.function is not None]

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Lower what follows beside the graph: only the values it gives are of interest."""
        kept = self.graph, self.current, self.catches, self.cleanups
        self.graph, self.current, self.catches, self.cleanups = EventGraph(), 0, [Catch()], []
        try:
            yield
        finally:
            self.graph, self.current, self.catches, self.cleanups = kept

    @property
    def is_deep(self) -> bool:
        """Are there so many activations that no further call is followed?"""
        return len(self.frames) > self.follow + self.deeper

    @property
    def exhausted(self) -> bool:
        """Has the graph grown so large that no further call is followed?"""
        return len(self.graph) > _MOST_NODES

    def source(self, node: cst.CSTNode) -> Source:
        return Source(self.scope.module, node)

    def emit(
        self,
        kind: str,
        source: Source,
        attributes: Mapping[str, str] | None = None,
        *,
        raises: bool = False,
    ) -> None:
        """Let an event happen here; one that `raises` may fail before it has happened."""
        if self.current == NOWHERE:
            return
        if raises and kind in SETTLES:
            self.step(self.graph.add())  # a place of its own, to know it by
            self.settling.add(self.current)
        if raises:
            self.may_raise()
        event = Event(kind, source, attributes or {}, self.chain)
        self.step(self.graph.add(event))

    def change(self, *changes: Change) -> None:
        if self.current != NOWHERE and changes:
            self.step(self.graph.add(None, tuple(changes)))

    def step(self, node: int, need: Need | None = None) -> None:
        if self.current != NOWHERE:
            self.graph.connect(self.current, node, need)
            self.current = node

    def may_raise(self, exception: str = "") -> None:
        if self.current != NOWHERE:
            self.catches[-1].raised[(self.current, exception)] = None

    def raise_now(self, exception: str = "") -> None:
        self.may_raise(exception)
        self.current = NOWHERE

    def label(self) -> int:
        """Return a fresh node to jump to; control does not go there by itself."""
        return self.graph.add()

    def join(self, nodes: Iterable[int]) -> int:
        """Let control go on where `nodes` meet; NOWHERE among them is left out."""
        reached = list(dict.fromkeys(node for node in nodes if node != NOWHERE))
        if len(reached) <= 1:
            self.current = reached[0] if reached else NOWHERE
            return self.current
        meeting = self.graph.add()
        for node in reached:
            self.graph.connect(node, meeting)
        self.current = meeting
        return meeting

    def branch(self, need: Need | None) -> int:
        """Return a node behind the current one that is reached only if `need` holds."""
        if self.current == NOWHERE:
            return NOWHERE
        node = self.graph.add()
        self.graph.connect(self.current, node, need)
        return node

    def slot(self, name: str, scope: Scope | None = None) -> int:
        key = (scope or self.scope, name)
        if key not in self._slots:
            self._slots[key] = self.fresh_slot()
        return self._slots[key]

    def fresh_slot(self) -> int:
        self._next_slot += 1
        return self._next_slot

    def unwind(self, depth: int) -> None:
        """Run the clean-ups that lie between here and `depth`, innermost first."""
        cleanups, catches = self.cleanups, self.catches
        for index in range(len(cleanups) - 1, depth - 1, -1):
            if self.current == NOWHERE:
                break
            self.cleanups = cleanups[:index]
            self.catches = catches[: cleanups[index].catches]
            cleanups[index].run()
        self.cleanups, self.catches = cleanups, catches

    def rethrow(self, caught: Catch) -> None:
        """Let what `caught` collected go on outwards, through the current node if there is one."""
        if self.current != NOWHERE:
            classes = {exception for _, exception in caught.raised} or {""}
            for exception in sorted(classes):
                self.may_raise(exception)
            self.current = NOWHERE

    def gather(self, raised: Iterable[tuple[int, str]]) -> None:
        """Let control go on where the exceptions `raised` arrive."""
        self.join([node for node, _ in raised])

    def collect(self, run: Callable[[], None]) -> Catch:
        caught = Catch()
        self.catches.append(caught)
        run()
        self.catches.pop()
        return caught

    def received_since(self, start: int) -> bool:
        return any(one is not None and one.kind == "receive" for one in self.graph.events[start:])

    def done_since(self, start: int) -> str:
        """Tell the most that was done since then: stored, an effect, work; "" is nothing."""
        events = [event for event in self.graph.events[start:] if event is not None]
        if any(event.kind in _STORES or event["stores"] for event in events):
            return "store"
        kinds = {event.kind for event in events}
        return "effect" if kinds & _ACTS else ("work" if "work" in kinds else "")

    def count(self, kind: str) -> int:
        return sum(1 for event in self.graph.events if event is not None and event.kind == kind)
