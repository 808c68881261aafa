"""What outlives a worker: who owns the message, and which steps were done for good."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from contractlint.events import Event


@dataclass(frozen=True, slots=True)
class World:
    """The world after a worker has died.

    `owned`: the broker will deliver the message again. `marked`: it will if somebody looks for
    messages that were marked and not finished. The others are positions in the trace: `done` is
    durable or was seen outside, `lost` was only in memory, or not committed.
    """

    owned: bool
    marked: bool
    done: tuple[int, ...]
    lost: tuple[int, ...]


def world_after(events: Sequence[Event], last: int) -> World:
    """Let a worker take the steps up to `last` and die.

    A write of which no commit is to be seen in all `events` commits by itself.
    """
    commits = max((p for p, event in enumerate(events) if event.kind == "persist"), default=-1)
    process = _Process(events, commits)
    for position, event in enumerate(events[: last + 1]):
        take = _STEPS.get(event.kind)
        if take is not None:
            take(process, position, event)
    undone = (*process.staged, *process.waiting)
    return World(process.owned, process.marked, tuple(process.done), undone)


@dataclass(slots=True)
class _Process:
    """A worker at work. `staged` waits for a commit, `waiting` for a thread, a buffer or a broker
    that has not answered yet."""

    events: Sequence[Event]
    last_commit: int
    owned: bool = True
    marked: bool = False
    done: list[int] = field(default_factory=list)
    staged: list[int] = field(default_factory=list)
    waiting: list[int] = field(default_factory=list)

    def finish(self, position: int, event: Event) -> None:
        if event["settles"] == "yes":
            self.owned = False
        elif event["settles"]:
            self.marked = True
        else:
            self.done.append(position)

    def stage(self, position: int, event: Event) -> None:
        if position < self.last_commit:
            self.staged.append(position)
        else:
            self.finish(position, event)

    def commit(self, position: int, event: Event) -> None:
        """What is committed happens now. A commit that only takes the message stores no result."""
        only_settles = self.staged and all(self.events[p]["settles"] for p in self.staged)
        for staged in self.staged:
            self.finish(staged, self.events[staged])
        self.staged.clear()
        if not only_settles:
            self.finish(position, event)

    def roll_back(self, position: int, event: Event) -> None:
        self.staged.clear()

    def wait(self, position: int, event: Event) -> None:
        self.waiting.append(position)

    def publish(self, position: int, event: Event) -> None:
        (self.waiting if event["confirmed"] == "no" else self.done).append(position)

    def settle(self, position: int, event: Event) -> None:
        self.owned = self.owned and event["covers"] == "others"

    def join(self, position: int, event: Event) -> None:
        self.done += self.waiting
        self.waiting.clear()

    def return_to_broker(self, position: int, event: Event) -> None:
        self.owned = True


_STEPS: Mapping[str, Callable[[_Process, int, Event], None]] = {
    "work": _Process.finish,
    "effect": _Process.finish,
    "quarantine": _Process.finish,
    "compensate": _Process.finish,
    "ledger_record": _Process.finish,
    "stage": _Process.stage,
    "persist": _Process.commit,
    "rollback": _Process.roll_back,
    "handoff": _Process.wait,
    "buffer": _Process.wait,
    "publish": _Process.publish,
    "join": _Process.join,
    "flush": _Process.join,
    "ack": _Process.settle,
    "reject": _Process.settle,
    "dead_letter": _Process.settle,
    "requeue": _Process.return_to_broker,
    "retry": _Process.return_to_broker,
}
