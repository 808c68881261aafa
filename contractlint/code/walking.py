"""Walking a tree fast: libcst's own `children` runs a visitor for each node it is asked of."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import libcst as cst

_MOVES = frozenset({"rename", "replace", "move", "renames"})
_REMOVALS = frozenset({"unlink", "remove", "rmtree", "removedirs", "rmdir"})

# Fields that hold layout, not code.
_LAYOUT = (
    *("whitespace", "comma", "lpar", "rpar", "lbracket", "rbracket", "lbrace", "rbrace"),
    *("semicolon", "lines", "header", "footer", "equal", "indent", "newline", "colon", "trailing"),
)


@lru_cache(maxsize=512)
def _fields(kind: type[cst.CSTNode]) -> tuple[str, ...]:
    names = kind.__dataclass_fields__
    return tuple(name for name in names if not any(part in name for part in _LAYOUT))


_KINDS: dict[type[object], bool] = {}


def _is_node(kind: type[object]) -> bool:
    if kind not in _KINDS:
        _KINDS[kind] = issubclass(kind, cst.CSTNode)
    return _KINDS[kind]


def children(node: cst.CSTNode) -> Iterator[cst.CSTNode]:
    """Yield the nodes directly below `node` that are code, in the order of their fields."""
    for name in _fields(type(node)):
        value = getattr(node, name)
        kind = type(value)
        if kind is tuple or kind is list:
            for item in value:
                if _is_node(type(item)):
                    yield item
        elif _is_node(kind):
            yield value


def calls_in(node: cst.CSTNode) -> Iterator[cst.Call]:
    """Yield all calls below `node`."""
    for child in children(node):
        if isinstance(child, cst.Call):
            yield child
        yield from calls_in(child)


def _last(node: cst.BaseExpression) -> str:
    if isinstance(node, cst.Attribute):
        return node.attr.value
    return node.value if isinstance(node, cst.Name) else ""


def scratch_names(node: cst.CSTNode) -> frozenset[str]:
    """Names of local files that the function moves to another name or removes again."""
    found: set[str] = set()
    if isinstance(node, cst.Call):
        name = _last(node.func)
        if name in _MOVES | _REMOVALS:
            candidates = [node.args[0].value] if node.args else []
            if isinstance(node.func, cst.Attribute) and name in {"rename", "replace", "unlink"}:
                candidates.append(node.func.value)
            found |= {c.value for c in candidates if isinstance(c, cst.Name)}
    for child in children(node):
        found |= scratch_names(child)
    return frozenset(found)
