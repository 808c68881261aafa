"""Walking a tree fast: libcst's own `children` runs a visitor for each node it is asked of."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import lru_cache

import libcst as cst

_MOVES = frozenset({"rename", "replace", "move", "renames"})
_GROWING = frozenset({"append", "extend", "insert", "appendleft"})
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


def grown_lists(node: cst.CSTNode) -> frozenset[str]:
    """Names of lists that begin empty and of which all that happens to them can be seen.

    They are appended to, tested, counted, gone through or returned; nobody else is given them.
    """
    begun = frozenset(_begun_empty(node))
    if not begun:
        return begun
    seen, harmless = Counter(_names(node)), Counter(_looked_at(node))
    return frozenset(name for name in begun if seen[name] == harmless[name])


def _begun_empty(node: cst.CSTNode) -> Iterator[str]:
    if _is_empty_list(getattr(node, "value", None)):
        targets = node.targets if isinstance(node, cst.Assign) else ()
        names = [_last(one.target) for one in targets]
        names += [_last(node.target)] if isinstance(node, cst.AnnAssign) else []
        yield from (name for name in names if name)
    for child in children(node):
        yield from _begun_empty(child)


def _is_empty_list(node: object) -> bool:
    return isinstance(node, cst.List) and not node.elements


def _names(node: cst.CSTNode) -> Iterator[str]:
    if isinstance(node, cst.Name):
        yield node.value
    for child in children(node):
        yield from _names(child)


def _looked_at(node: cst.CSTNode) -> Iterator[str]:
    """Yield the names that stand where a list is only begun, grown, counted, tested or returned."""
    places: list[cst.CSTNode | None] = []
    if isinstance(node, (cst.If, cst.While, cst.IfExp)):
        places.append(node.test)
    elif isinstance(node, (cst.For, cst.CompFor)):
        places.append(node.iter)
    elif isinstance(node, cst.UnaryOperation) and isinstance(node.operator, cst.Not):
        places.append(node.expression)
    elif isinstance(node, cst.Call) and _last(node.func) == "len":
        places += [arg.value for arg in node.args]
    elif isinstance(node, cst.Call) and isinstance(node.func, cst.Attribute):
        places += [node.func.value] if node.func.attr.value in _GROWING else []
    elif isinstance(node, cst.Return):
        value = node.value
        places += [value.body, value.orelse] if isinstance(value, cst.IfExp) else [value]
    elif _is_empty_list(getattr(node, "value", None)):
        places += [one.target for one in node.targets] if isinstance(node, cst.Assign) else []
        places += [node.target] if isinstance(node, cst.AnnAssign) else []
    yield from (place.value for place in places if isinstance(place, cst.Name))
    for child in children(node):
        yield from _looked_at(child)
