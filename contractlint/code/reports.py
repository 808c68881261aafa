"""Partial answers: lists of what has failed in a batch, which the library brings back."""

from __future__ import annotations

import libcst as cst

from contractlint.code.conditions import names_in
from contractlint.code.modules import string_value
from contractlint.code.walking import children


def reported_lists(node: cst.CSTNode, key: str) -> frozenset[str]:
    """Return the names that a returned dict lists under `key` (`{"batchItemFailures": failed}`)."""
    found: set[str] = set()
    if isinstance(node, cst.DictElement) and string_value(node.key) == key:
        found |= names_in(node.value)
    if isinstance(node, cst.Assign) and any(_is_item(one.target, key) for one in node.targets):
        found |= names_in(node.value)
    for child in children(node):
        found |= reported_lists(child, key)
    return frozenset(found)


def _is_item(target: cst.BaseExpression, key: str) -> bool:
    """Is it `x[key]`, which is assigned?"""
    if not isinstance(target, cst.Subscript) or len(target.slice) != 1:
        return False
    index = target.slice[0].slice
    return isinstance(index, cst.Index) and string_value(index.value) == key
