"""What the files in rules/libraries/ say, as data. docs/vocabulary.md explains every key."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

UNSET = object()


@dataclass(frozen=True, slots=True)
class Argument:
    """Where a call carries a value: `name`, `name@1`, `@0`, with keys of a dict `@0[a][b]`."""

    name: str
    position: int
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Option:
    """A named value of a call. `default` is UNSET where the library has none."""

    name: str
    arguments: tuple[Argument, ...] = ()
    default: object = UNSET
    config: tuple[str, ...] = ()
    attribute: str = ""
    project: str = ""


Conditions = tuple[tuple[str, tuple[object, ...]], ...]


@dataclass(frozen=True, slots=True)
class EventSpec:
    """An event that a call or a handler's entry or exit stands for."""

    event: str
    attributes: Mapping[str, str] = field(default_factory=dict)
    when: Conditions = ()
    at: str = ""


@dataclass(frozen=True, slots=True)
class ContextSpec:
    exit: tuple[EventSpec, ...] = ()
    error: tuple[EventSpec, ...] = ()
    returns: str = ""
    library: str = ""

    @property
    def is_transaction(self) -> bool:
        """Does leaving it make writes durable that were only staged inside?"""
        return any(event.event == "persist" for event in self.exit)


@dataclass(frozen=True, slots=True)
class Bare:
    """When a method name alone is evidence."""

    receiver: re.Pattern[str] | None = None
    needs: frozenset[str] = frozenset()
    takes_message: bool = False


@dataclass(frozen=True, slots=True)
class Ending:
    """A call that always ends with an exception of this class, if the conditions hold."""

    exception: str
    when: Conditions = ()


@dataclass(frozen=True, slots=True)
class CallSpec:
    library: str
    names: tuple[str, ...]
    event: EventSpec | None = None
    cases: tuple[EventSpec, ...] = ()
    before: tuple[EventSpec, ...] = ()
    then: tuple[EventSpec, ...] = ()
    options: tuple[Option, ...] = ()
    facts: tuple[EventSpec, ...] = ()
    returns: str = ""
    batch: int = 0
    result: str = ""
    labels: frozenset[str] = frozenset()
    sinks: tuple[Argument, ...] = ()
    keyed: tuple[Argument, ...] = ()
    sql: Argument | None = None
    rows: Argument | None = None
    values: Argument | None = None
    context: ContextSpec | None = None
    calls: Argument | None = None
    deferred: bool = False
    spawns: Argument | None = None
    joins: bool = False
    raises: bool = True
    ends: Ending | None = None
    bare: Bare | None = None


@dataclass(frozen=True, slots=True)
class StartSpec:
    """How tasks are started: by a clock (calls and settings), a method of theirs, or by name.

    `shared` are decorators of tasks that are bound to no application, `apps` what makes one;
    with one of the `keywords` of a decorator a clock starts the task. `marks` are the names of
    all decorators that make a task.
    """

    clock: tuple[str, ...] = ()
    sends: tuple[str, ...] = ()
    names: tuple[str, ...] = ()
    shared: tuple[str, ...] = ()
    apps: tuple[str, ...] = ()
    keywords: tuple[str, ...] = ()
    marks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class HandlerSpec:
    library: str
    calls: tuple[str, ...] = ()
    bare: bool = False
    callback: tuple[Argument, ...] = ()
    decorators: tuple[str, ...] = ()
    subclasses: tuple[str, ...] = ()
    methods: tuple[str, ...] = ()
    assigns: tuple[str, ...] = ()
    annotations: tuple[str, ...] = ()
    shape_params: int = 0
    shape_reads: tuple[str, ...] = ()
    shape_makes: tuple[str, ...] = ()
    shape_holds: tuple[str, ...] = ()
    shape_last: re.Pattern[str] | None = None
    shape_never: tuple[str, ...] = ()
    params: tuple[str, ...] = ()
    options: tuple[Option, ...] = ()
    entry: tuple[EventSpec, ...] = ()
    success: tuple[EventSpec, ...] = ()
    failure: tuple[EventSpec, ...] = ()
    delivered: Mapping[str, str] = field(default_factory=dict)
    partial: str = ""
    started: StartSpec | None = None


@dataclass(frozen=True, slots=True)
class RaiseSpec:
    library: str
    names: tuple[str, ...]
    event: EventSpec | None
    cases: tuple[EventSpec, ...] = ()
    options: tuple[Option, ...] = ()


@dataclass(frozen=True, slots=True)
class AttributeSpec:
    names: tuple[str, ...]
    returns: str = ""
    labels: frozenset[str] = frozenset()
    batch: int = 0


@dataclass(frozen=True, slots=True)
class Library:
    """One file of the vocabulary."""

    name: str
    versions: str = ""
    words: tuple[str, ...] = ()
    classes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    bases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    queues: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    calls: tuple[CallSpec, ...] = ()
    handlers: tuple[HandlerSpec, ...] = ()
    raises: tuple[RaiseSpec, ...] = ()
    attributes: tuple[AttributeSpec, ...] = ()

    def events(self) -> set[str]:
        """Return the kinds of event that the file speaks of."""
        specs: list[EventSpec | None] = []
        for call in self.calls:
            specs += (call.event, *call.cases, *call.before, *call.then)
            specs += (*call.context.exit, *call.context.error) if call.context else ()
        for handler in self.handlers:
            specs += (*handler.entry, *handler.success, *handler.failure)
        for raised in self.raises:
            specs += (raised.event, *raised.cases)
        return {spec.event for spec in specs if spec is not None and spec.event}
