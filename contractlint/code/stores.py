"""Which store a call asks or writes: a table, a class of rows, or a key."""

from __future__ import annotations

from collections.abc import Iterator

import libcst as cst

from contractlint.code.modules import ClassInfo, dotted_name
from contractlint.code.sql import Statement
from contractlint.code.values import Arguments


def stores_of(node: cst.Call, arguments: Arguments, statement: Statement | None) -> frozenset[str]:
    """Return names under which two calls on the same store agree; none if nothing is known."""
    if statement is not None and statement.tables:
        return frozenset(f"table {name}" for name in statement.tables)
    classes = {name for name in _spoken_of(node) if _is_class_name(name)}
    definitions = (value.definition for value in arguments.all())
    classes |= {one.node.name.value for one in definitions if isinstance(one, ClassInfo)}
    if classes:
        return frozenset(f"class {name}" for name in classes)
    return frozenset(_by_key(node))


def _spoken_of(node: cst.BaseExpression, depth: int = 4) -> Iterator[str]:
    """Yield names a call is about: `Row` in `Row.get(x)`, `add(Row(x))`, `select(Row).where(x)`."""
    if isinstance(node, cst.Name):
        yield node.value
    elif isinstance(node, cst.Attribute):
        yield from _spoken_of(node.value, depth)
    elif isinstance(node, cst.Call) and depth:
        yield from _spoken_of(node.func, depth)
        for arg in node.args:
            if arg.keyword is None and isinstance(arg.value, (cst.Name, cst.Call)):
                yield from _spoken_of(arg.value, depth - 1)


def _is_class_name(name: str) -> bool:
    return name[:1].isupper() and name.isidentifier() and not name.isupper()


def _by_key(node: cst.Call) -> Iterator[str]:
    """A collection by its own name; in a store of keys, the key as it is written."""
    owner = dotted_name(node.func.value) if isinstance(node.func, cst.Attribute) else ""
    if not owner or not node.args:
        return
    first = node.args[0].value
    if isinstance(first, cst.Dict):
        yield f"in {owner}"
    elif not isinstance(first, cst.SimpleString):
        yield f"in {owner} at {cst.Module([]).code_for_node(first)}"
