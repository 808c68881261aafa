"""What lowering learns on the way about a module as a whole."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

import libcst as cst

from contractlint.code.modules import FunctionInfo
from contractlint.code.values import Arguments, Scope, Settings, Source, Value
from contractlint.messages.envelope import Envelope
from contractlint.vocabulary.model import HandlerSpec


@dataclass(frozen=True, slots=True, eq=False)
class Registration:
    """A function that a library will call with deliveries, and what it was registered with.

    `decorator` holds the arguments of a decorator that was called by hand.
    """

    spec: HandlerSpec
    function: Value
    settings: Settings
    source: Source
    decorator: Arguments | None = None


class Spawned(NamedTuple):
    """A function that was started and not waited for; `to` is where it runs: thread or task."""

    function: Value
    arguments: Arguments
    source: Source
    to: str


@dataclass(slots=True)
class Notes:
    """What lowering learns on the way about the module as a whole."""

    registrations: list[Registration] = field(default_factory=list)
    spawned: list[Spawned] = field(default_factory=list)
    kinds: dict[FunctionInfo | None, set[str]] = field(default_factory=dict)
    callers: dict[FunctionInfo, set[FunctionInfo | None]] = field(default_factory=dict)
    scopes: dict[cst.CSTNode, Scope] = field(default_factory=dict)
    envelope: Envelope = ()
    lenders: set[str] = field(default_factory=set)  # they hand deliveries to what callers choose


def functions_in(value: Value | None) -> list[Value]:
    """Return the functions that a registered value can be."""
    if value is None:
        return []
    if isinstance(value.definition, FunctionInfo) or value.partial is not None:
        return [value]
    if value.instance_of is not None:
        return [value]
    inner = [*value.alternatives, *(value.elements or ())]
    return [function for item in inner for function in functions_in(item)]
