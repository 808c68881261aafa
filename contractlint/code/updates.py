"""Changes of stored rows: which rows they ask for, and whether they count from what is stored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import libcst as cst

from contractlint.code.conditions import last_name
from contractlint.code.modules import string_value
from contractlint.code.sql import Statement
from contractlint.vocabulary.idioms import Idioms

GUARDS = frozenset(
    {
        *("guards-version", "guards-order", "guards-state", "sets-version"),
        *("adds", "makes", "sets", "weighs"),
    }
)
_JOINING = (cst.BitAnd,)
_CONDITIONS = frozenset({"and_", "Q", "where"})


def labels_of_statement(statement: Statement, idioms: Idioms) -> frozenset[str]:
    """Return which of `GUARDS` hold for a statement of SQL."""
    found = set()
    for label, role, columns in (
        ("guards-version", "version-field", statement.equal),
        ("guards-state", "state", statement.equal),
        ("guards-order", "version-field", statement.ordered),
        ("guards-order", "sequence-field", statement.ordered),
        ("sets-version", "version-field", statement.sets),
    ):
        if idioms.any_name(role, columns):
            found.add(label)
    if any(not idioms.is_name("version-field", column) for column in statement.adds):
        found.add("adds")
    if statement.makes:
        found.add("makes")
    if statement.sets or statement.replaces:
        found.add("sets")
    if statement.weighs or statement.ordered or "guards-version" in found:
        found.add("weighs")
    return frozenset(found)


def labels_of_rows(nodes: Iterable[cst.CSTNode], idioms: Idioms) -> frozenset[str]:
    """Return the labels of arguments that say which rows are meant (`filter(version=1)`)."""
    columns = [column for node in nodes for column in _demanded(node)]
    equal = {name for name, sizes in columns if not sizes}
    ordered = {name for name, sizes in columns if sizes}
    return labels_of_statement(
        Statement("write", equal=frozenset(equal), ordered=frozenset(ordered)), idioms
    )


def labels_of_values(nodes: Iterable[cst.CSTNode], idioms: Idioms) -> frozenset[str]:
    """Return the labels of arguments that say what is stored (`update(version=2)`)."""
    changes = [change for node in nodes for change in _changes(node)]
    sets = frozenset(name for name, _ in changes)
    adds = frozenset(name for name, is_counted in changes if is_counted)
    return labels_of_statement(Statement("write", sets=sets, adds=adds), idioms)


def attributes_of(labels: frozenset[str]) -> dict[str, str]:
    """Return what a write's event says of its rows."""
    guard = ""
    if {"guards-version", "sets-version"} <= labels:
        guard = "version"
    elif "guards-order" in labels:
        guard = "order"
    elif "guards-state" in labels:
        guard = "state"
    change = ""
    if not guard and labels & {"adds", "makes"}:
        change = "relative" if "adds" in labels else "insert"
    elif not guard and "sets" in labels and "weighs" not in labels:
        change = "overwrite"
    return {"guard": guard, "change": change}


def _demanded(node: cst.CSTNode) -> Iterator[tuple[str, bool]]:
    """Yield columns a row has to agree in, and whether they are compared by size."""
    if isinstance(node, cst.Arg):
        if node.keyword is None:
            yield from _demanded(node.value)
            return
        name, _, lookup = node.keyword.value.partition("__")
        if lookup in ("", "exact", "lt", "lte", "gt", "gte"):
            yield name, lookup not in ("", "exact")
    elif isinstance(node, cst.BinaryOperation) and isinstance(node.operator, _JOINING):
        yield from _demanded(node.left)
        yield from _demanded(node.right)
    elif isinstance(node, cst.Call) and last_name(node.func) in _CONDITIONS:
        for arg in node.args:
            yield from _demanded(arg)
    elif isinstance(node, cst.Comparison) and len(node.comparisons) == 1:
        yield from _demanded_by_comparison(node)
    elif isinstance(node, cst.Dict):
        for name, value in _items(node):
            yield name, isinstance(value, cst.Dict)


def _demanded_by_comparison(node: cst.Comparison) -> Iterator[tuple[str, bool]]:
    target = node.comparisons[0]
    sizes = isinstance(
        target.operator, (cst.LessThan, cst.LessThanEqual, cst.GreaterThan, cst.GreaterThanEqual)
    )
    if sizes or isinstance(target.operator, cst.Equal):
        for side in (node.left, target.comparator):
            if isinstance(side, cst.Attribute):
                yield side.attr.value, sizes


def _changes(node: cst.CSTNode) -> Iterator[tuple[str, bool]]:
    """Yield columns that are set, and whether their new value is counted from the old one."""
    if isinstance(node, cst.Arg) and node.keyword is not None:
        name = node.keyword.value
        yield name, _is_counted(name, node.value)
    elif isinstance(node, cst.Arg):
        yield from _changes(node.value)
    elif isinstance(node, cst.Dict):
        for name, value in _items(node):
            if name.startswith("$") and isinstance(value, cst.Dict):
                yield from ((inner, name == "$inc") for inner, _ in _items(value))
            else:
                yield name, _is_counted(name, value)


def _items(node: cst.Dict) -> Iterator[tuple[str, cst.BaseExpression]]:
    for element in node.elements:
        if isinstance(element, cst.DictElement):
            name = string_value(element.key) or last_name(element.key)
            if name:
                yield name, element.value


def _is_counted(name: str, value: cst.BaseExpression) -> bool:
    """Is it `Row.name + x`, or `F("name") + x`?"""
    if not isinstance(value, cst.BinaryOperation):
        return False
    if not isinstance(value.operator, (cst.Add, cst.Subtract)):
        return False
    return any(_names_column(name, side) for side in (value.left, value.right))


def _names_column(name: str, node: cst.BaseExpression) -> bool:
    if isinstance(node, cst.Call) and last_name(node.func) == "F" and node.args:
        return string_value(node.args[0].value) == name
    if isinstance(node, cst.Attribute):
        return node.attr.value == name
    return _is_counted(name, node)
