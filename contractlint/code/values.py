"""What lowering knows of a value: what it is, where it comes from, what a test of it tells."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import NamedTuple

import libcst as cst

from contractlint.code.modules import ClassInfo, FunctionInfo, Module
from contractlint.events import ANYTHING, IS_FALSY, IS_NONE, IS_TRUTHY
from contractlint.vocabulary.model import Argument


class Source(NamedTuple):
    """A node of a module: what an event points at until somebody asks for its line."""

    module: Module
    node: cst.CSTNode


class _Unknown:
    def __repr__(self) -> str:
        return "UNKNOWN"


UNKNOWN = _Unknown()
GAVE_UP = "gave-up"  # the outcome of a call that answers nothing because it has failed
NO_LABELS: frozenset[str] = frozenset()

# Labels that stay when a value is taken apart, put together or computed with.
LASTING = frozenset(
    {
        *("message", "fetched", "unstable", "temp", "delivery-identity", "exception"),
        *("attempt-count", "broker-death-count", "lookup", "claim", "write-count", "ledger"),
        *("spawned", "fallback", "row", "partition", "answered", "source"),
        "version",
    }
)
# Labels of a message as it was delivered, not of something made of it.
WHOLE = frozenset({"whole", "delivery"})
# Labels of which it is told where they came from, if they arrive where they must not.
FLOWING = frozenset({"unstable", "delivery-identity"})
# Labels that an unknown function does not pass on: it may well return something else.
NOT_THROUGH_CALLS = frozenset(
    {*FLOWING, "temp", "lookup", "claim", "write-count", "ledger", "partition", "version"}
)


class Setting(NamedTuple):
    """The value of an option, and where it was given (None: it is the library's default)."""

    value: Value
    source: Source | None


Settings = dict[str, Setting]


class Entries(dict[str, "Value"]):
    """Items of a dict display and where they stand; `open`: there may be others beside them."""

    __slots__ = ("open", "sources")

    def __init__(self, items: Mapping[str, Value] | None = None) -> None:
        super().__init__(items or {})
        self.open = False
        self.sources: dict[str, Source] = {}

    def put(self, key: Value, value: Value, source: Source) -> None:
        if isinstance(key.const, str):
            self[key.const] = replace(value, slot=-1)
            self.sources[key.const] = source
        else:
            self.open = True

    def spread(self, value: Value) -> None:
        """Take over what `**value` gives."""
        self.update(value.entries or {})
        if isinstance(value.entries, Entries):
            self.sources |= value.entries.sources
        self.open = self.open or not isinstance(value.entries, Entries) or value.entries.open


class Making(NamedTuple):
    """The call that made a value: `by` whom, of which arguments, and what it only wraps."""

    by: str
    arguments: Arguments
    content: Value | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Value:
    """All fields are what is known; the empty value is an object of which nothing is.

    `dotted` is the importable name of a module, class, function or constant; `type` the dotted
    class of an instance; `member` is `owner.name` of an attribute that nobody knows. `entries`
    are the items of a dict or the attributes of a constructed object, `elements` those of a list
    or tuple. `text` is a string with `{}` for unknown parts. `made` is kept where somebody will ask
    what a message was made of. `outcome` is what the call did that answered with it.
    """

    dotted: str = ""
    type: str = ""
    member: str = ""
    definition: FunctionInfo | ClassInfo | None = None
    receiver: Value | None = None
    scope: Scope | None = None
    partial: tuple[Value, Arguments] | None = None
    const: object = UNKNOWN
    text: str = ""
    entries: Mapping[str, Value] | None = None
    elements: tuple[Value, ...] | None = None
    alternatives: tuple[Value, ...] = ()
    options: Mapping[str, Setting] = field(default_factory=dict)
    labels: frozenset[str] = NO_LABELS
    origin: Source | None = None
    slot: int = -1
    batch: int = 0
    made: Making | None = None
    outcome: str = ""

    @property
    def instance_of(self) -> ClassInfo | None:
        return self.definition if self.type and isinstance(self.definition, ClassInfo) else None

    @property
    def is_class(self) -> bool:
        return not self.type and isinstance(self.definition, ClassInfo)

    @property
    def is_callable(self) -> bool:
        """Can it be called by what is known of it?"""
        return bool(self.definition or self.partial or (self.dotted and not self.type))

    @property
    def known(self) -> bool:
        return self.const is not UNKNOWN

    @property
    def mask(self) -> int:
        """The ways this value can answer a test, as far as it is known."""
        if self.known:
            if self.const is None:
                return IS_NONE
            return IS_TRUTHY if self.const else IS_FALSY
        if self.partial is not None or (self.definition is not None and not self.type):
            return IS_TRUTHY
        if self.elements or self.entries:
            return IS_TRUTHY
        if self.elements is not None or self.entries is not None:
            return IS_FALSY | IS_TRUTHY
        return ANYTHING

    def has(self, label: str) -> bool:
        return label in self.labels

    def plus(self, labels: Iterable[str], origin: Source | None = None) -> Value:
        added = frozenset(labels)
        if added <= self.labels and (self.origin or origin) is self.origin:
            return self
        return replace(self, labels=self.labels | added, origin=self.origin or origin)


NOTHING = Value()
NONE_VALUE = Value(const=None)


def derived(*parts: Value, through_call: bool = False) -> Value:
    """Return a value computed from `parts`: their lasting labels, nothing else."""
    labels: set[str] = set()
    origin = None
    for part in parts:
        labels |= part.labels & LASTING
        if part.labels & FLOWING:
            origin = origin or part.origin
        labels |= _inner_labels(part)
    if through_call:
        labels -= NOT_THROUGH_CALLS
        origin = None
    return Value(labels=frozenset(labels), origin=origin) if labels else NOTHING


def _inner_labels(part: Value) -> set[str]:
    """A container of message data is message data; other labels stay with the element."""
    inner: list[Value] = [*(part.elements or ()), *(part.entries or {}).values()]
    return {"message"} if any(item.has("message") for item in inner) else set()


def merged(values: Iterable[Value]) -> Value:
    """Return what holds for each of `values` (where branches meet), with the labels of all."""
    distinct: list[Value] = []
    for value in values:
        if all(value is not other for other in distinct):
            distinct.append(value)
    if len(distinct) <= 1:
        return distinct[0] if distinct else NOTHING
    telling = [v for v in distinct if v.const is not None]
    first = telling[0] if telling else distinct[0]
    labels = frozenset().union(*(value.labels for value in distinct))
    if "unstable" in labels and not all("unstable" in value.labels for value in telling):
        labels |= {"fallback"}
    origin = next((value.origin for value in distinct if value.origin), None)
    outcomes = {value.outcome for value in distinct} - {""}
    outcome = GAVE_UP if GAVE_UP in outcomes else min(outcomes, default="")
    if len(telling) == 1:
        return replace(first, labels=labels, origin=origin, slot=-1, const=UNKNOWN, outcome=outcome)
    same_type = all(value.type == first.type for value in telling)
    same_const = all(v.known and v.const == first.const for v in distinct) if first.known else False
    return Value(
        type=first.type if same_type else "",
        definition=first.definition
        if all(v.definition is first.definition for v in telling)
        else None,
        const=first.const if same_const else UNKNOWN,
        text=first.text,
        entries=first.entries,
        dotted=first.dotted if all(v.dotted == first.dotted for v in telling) else "",
        receiver=first.receiver if all(v.dotted == first.dotted for v in telling) else None,
        alternatives=tuple(v for v in telling if v.is_callable or v.type),
        options=first.options if same_type else {},
        labels=labels,
        origin=origin,
        batch=max(value.batch for value in distinct),
        outcome=outcome,
    )


def row_of(rows: Sequence[Value]) -> Value:
    """Return what is known of any one row of a table: tuples and objects column by column."""
    whole = merged(rows)
    tuples = [row.elements for row in rows if row.elements is not None]
    if len(rows) > 1 and len(tuples) == len(rows) and len({len(row) for row in tuples}) == 1:
        columns = zip(*tuples, strict=True)
        return replace(whole, elements=tuple(merged(column) for column in columns))
    fields = [row.entries for row in rows if row.instance_of and row.entries]
    if whole.instance_of and len(fields) == len(rows):
        known = fields[0].keys()
        entries = {name: merged(f[name] for f in fields if name in f) for name in known}
        return replace(whole, entries=entries)
    return whole


@dataclass(slots=True, eq=False)
class Scope:
    """The names of one activation of a function (or of a module's top level)."""

    module: Module
    names: dict[str, Value] = field(default_factory=dict)
    parent: Scope | None = None
    owner: ClassInfo | None = None
    global_names: set[str] = field(default_factory=set)

    @property
    def method(self) -> Scope | None:
        """The scope of the method this is, or stands in."""
        scope: Scope | None = self
        while scope is not None and scope.owner is None:
            scope = scope.parent
        return scope

    def find(self, name: str) -> Value | None:
        scope: Scope | None = self
        while scope is not None:
            if name in scope.names:
                return scope.names[name]
            scope = scope.parent
        return None


@dataclass(slots=True, eq=False)
class Arguments:
    """The evaluated arguments of a call; keywords that nobody can see come from `hidden`."""

    positional: list[Value] = field(default_factory=list)
    keywords: dict[str, Value] = field(default_factory=dict)
    nodes: dict[int | str, cst.CSTNode] = field(default_factory=dict)
    hidden: Value | None = None

    @property
    def open(self) -> bool:
        """May there be keywords that cannot be seen?"""
        return self.hidden is not None

    def all(self) -> list[Value]:
        hidden = [self.hidden] if self.hidden is not None else []
        return [*self.positional, *self.keywords.values(), *hidden]

    def nodes_at(self, spec: Argument) -> list[cst.CSTNode]:
        """Return the nodes of one argument, or of all for `*`, as far as they can be seen."""
        if spec.name == "*":
            return list(self.nodes.values())
        found = (self.nodes.get(key) for key in (spec.name, spec.position))
        return [node for node in found if node is not None][:1]

    def after(self, position: int) -> Arguments:
        """Return the arguments that follow the one at `position`."""
        nodes = {
            (key - position - 1 if isinstance(key, int) else key): node
            for key, node in self.nodes.items()
            if not isinstance(key, int) or key > position
        }
        return Arguments(self.positional[position + 1 :], dict(self.keywords), nodes, self.hidden)

    def joined(self, more: Arguments) -> Arguments:
        """Return these arguments followed by `more`, as `functools.partial` does."""
        shift = len(self.positional)
        nodes = dict(self.nodes)
        nodes |= {(k + shift if isinstance(k, int) else k): n for k, n in more.nodes.items()}
        return Arguments(
            self.positional + more.positional,
            self.keywords | more.keywords,
            nodes,
            more.hidden if self.hidden is None else self.hidden,
        )
