"""What the project says of a queue where it declares it, for the deliveries that come from it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import libcst as cst

from contractlint.code.modules import FunctionInfo, Module, dotted_name
from contractlint.code.values import NOTHING, Setting, Source, Value
from contractlint.code.walking import children

_FACT = "fact:"  # before the name of an option that holds a fact

Facts = dict[str, str]


def as_settings(facts: Facts, source: Source) -> dict[str, Setting]:
    """Return facts as options, so that they go with the object that was declared."""
    return {_FACT + name: Setting(Value(const=told), source) for name, told in facts.items()}


def _facts_in(settings: Mapping[str, Setting]) -> Facts:
    return {
        name.removeprefix(_FACT): str(setting.value.const)
        for name, setting in settings.items()
        if name.startswith(_FACT)
    }


class DeclaredQueues:
    """Facts of queues by what the project calls them, each with the place where it is told."""

    def __init__(self) -> None:
        self._told: dict[str, dict[Source, Facts]] = {}

    def note(self, settings: Mapping[str, Setting], facts: Facts, source: Source) -> None:
        queue = settings.get("queue")
        name = _name_of(queue.value, queue.source) if queue is not None else ""
        if name:
            self._told.setdefault(name, {})[source] = facts

    def facts_of(self, settings: Mapping[str, Setting]) -> Facts:
        """Return what is told of all queues that a delivery with these options can come from."""
        own = _facts_in(settings)
        queue = settings.get("queue")
        if own or queue is None or queue.value is NOTHING:
            return own
        queues = queue.value.elements or (queue.value,)
        single = len(queues) == 1
        return _agreed(self._of_queue(one, queue.source if single else None) for one in queues)

    def _of_queue(self, queue: Value, source: Source | None) -> Facts:
        told = self._told.get(_name_of(queue, source), {})
        return _facts_in(queue.options) or _agreed(told.values())


def _agreed(rows: Iterable[Facts]) -> Facts:
    """Return the facts in which all rows agree."""
    rows = list(rows)
    first = rows[0] if rows else {}
    return {
        name: told for name, told in first.items() if all(row.get(name) == told for row in rows)
    }


def _name_of(queue: Value, source: Source | None) -> str:
    """Return the name of a queue; one that is not constant goes by its code and where that holds.

    An empty name is one that the broker chooses.
    """
    if queue.known or source is None:
        return queue.const if isinstance(queue.const, str) else ""
    module, node = source
    node = node.value if isinstance(node, cst.Arg) else node
    code = module.code(node, limit=200)
    first = dotted_name(node).partition(".")[0]
    if not first:
        return ""
    if first in module.assigned or first in module.imports:
        return f"{code} in {module.path}"
    function = _innermost(module, node)
    owner = function.owner if function is not None else None
    inside = owner if first == "self" and owner is not None else function
    return f"{code} in {module.path} {inside.qualname if inside is not None else ''}"


def _innermost(module: Module, node: cst.CSTNode) -> FunctionInfo | None:
    for function in reversed(module.all_functions):
        if _holds(function.node.body, node):
            return function
    return None


def _holds(tree: cst.CSTNode, node: cst.CSTNode) -> bool:
    return tree is node or any(_holds(child, node) for child in children(tree))
