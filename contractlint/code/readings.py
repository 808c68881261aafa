"""What a test makes of an answer: does it hold if the call behind the answer has failed?"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import libcst as cst

from contractlint.code.modules import string_value
from contractlint.vocabulary.idioms import Idioms

_EQUAL = (cst.Equal, cst.Is, cst.In)
_UNEQUAL = (cst.NotEqual, cst.IsNot, cst.NotIn)
_ABOVE = (cst.GreaterThan, cst.GreaterThanEqual)
_BELOW = (cst.LessThan, cst.LessThanEqual)


class Reading(NamedTuple):
    """What is tested, and how the test comes out if the call has failed."""

    answer: cst.BaseExpression
    failed: bool


def reading_of(test: cst.BaseExpression, idioms: Idioms) -> Reading | None:
    """Read a test of errors, of a success or of a status; None if it is of anything else."""
    plain, holds = _plain(test)
    if isinstance(plain, cst.Comparison) and _is_status(plain.left, idioms):
        failed = _out_of_order(*_operation(plain))
        return None if failed is None else Reading(plain.left, failed is holds)
    tested = absence_in(test)
    if tested is None:
        return None
    if idioms.is_name("answered-failure", _told_by(tested.answer)):
        return Reading(tested.answer, not tested.failed)
    return tested if idioms.is_name("answered-success", _told_by(tested.answer)) else None


def absence_in(test: cst.BaseExpression) -> Reading | None:
    """Read a test of whether something is there: absence means that the call has failed."""
    plain, holds = _plain(test)
    if not isinstance(plain, cst.Comparison):
        return None if isinstance(plain, cst.BooleanOperation) else Reading(plain, not holds)
    if len(plain.comparisons) != 1:
        return None
    there = _asks_for_presence(*_operation(plain))
    return None if there is None else Reading(plain.left, there is not holds)


def exhaustion_in(
    test: cst.BaseExpression, counts: Callable[[cst.BaseExpression, cst.BaseExpression], bool]
) -> bool | None:
    """Tell how a comparison comes out if no attempt is left; None: it compares something else.

    `counts` tells whether its first argument counts attempts and the second one limits them.
    """
    plain, holds = _plain(test)
    if not isinstance(plain, cst.Comparison) or len(plain.comparisons) != 1:
        return None
    operator, other = _operation(plain)
    if _number(other) in (0, 1):
        return None  # attempts that are left, or the question whether it is the first one
    if counts(plain.left, other):
        reached = isinstance(operator, (*_ABOVE, cst.Equal))
    elif counts(other, plain.left):
        reached = isinstance(operator, (*_BELOW, cst.Equal))
    else:
        return None
    return reached is holds if isinstance(operator, (*_ABOVE, *_BELOW, cst.Equal)) else None


def _plain(test: cst.BaseExpression) -> tuple[cst.BaseExpression, bool]:
    """Return a test without its `not`s, and how it comes out when the whole holds."""
    holds = True
    while isinstance(test, cst.UnaryOperation) and isinstance(test.operator, cst.Not):
        test, holds = test.expression, not holds
    return test, holds


def _operation(test: cst.Comparison) -> tuple[cst.BaseCompOp, cst.BaseExpression]:
    return test.comparisons[0].operator, test.comparisons[0].comparator


def root_of(answer: cst.BaseExpression) -> cst.Name | None:
    """Return the name that an answer, a part of it or its length is read from."""
    answer = counted(answer)
    while isinstance(answer, (cst.Attribute, cst.Subscript, cst.Call)):
        answer = answer.func if isinstance(answer, cst.Call) else answer.value
    return answer if isinstance(answer, cst.Name) else None


def counted(node: cst.BaseExpression) -> cst.BaseExpression:
    """Return `x` of `len(x)` and of `(x := …)`, and anything else as it is."""
    if isinstance(node, cst.NamedExpr):
        return node.target
    if isinstance(node, cst.Call) and isinstance(node.func, cst.Name) and len(node.args) == 1:
        return node.args[0].value if node.func.value == "len" else node
    return node


def _is_status(answer: cst.BaseExpression, idioms: Idioms) -> bool:
    return idioms.is_name("answered-status", _told_by(answer))


def _told_by(answer: cst.BaseExpression) -> str:
    """Return the name, attribute or key that says what is asked for."""
    answer = counted(answer)
    if isinstance(answer, cst.Name):
        return answer.value
    if isinstance(answer, cst.Attribute):
        return answer.attr.value
    if isinstance(answer, cst.Subscript) and isinstance(answer.slice[0].slice, cst.Index):
        return string_value(answer.slice[0].slice.value) or ""
    if isinstance(answer, cst.Call) and isinstance(answer.func, cst.Attribute) and answer.args:
        is_get = answer.func.attr.value == "get"
        return string_value(answer.args[0].value) or "" if is_get else ""
    return ""


def _asks_for_presence(operator: cst.BaseCompOp, other: cst.BaseExpression) -> bool | None:
    """Does `x <operator> <other>` hold if x is there (True), if it is not (False), or neither?"""
    number = _number(other)
    if isinstance(operator, cst.GreaterThan) and number == 0:
        return True
    if isinstance(operator, cst.GreaterThanEqual) and number == 1:
        return True
    if isinstance(operator, cst.LessThan) and number == 1:
        return False
    if not isinstance(operator, (cst.Equal, cst.Is, cst.NotEqual, cst.IsNot)):
        return None
    equal = isinstance(operator, (cst.Equal, cst.Is))
    if is_nothing(other):
        return not equal
    return equal if isinstance(other, cst.Name) and other.value == "True" else None


def is_nothing(node: cst.BaseExpression) -> bool:
    """Is it written out as None, False, zero or an empty container?"""
    if isinstance(node, (cst.List, cst.Tuple, cst.Dict)):
        return not node.elements
    return _number(node) == 0 or (isinstance(node, cst.Name) and node.value in ("None", "False"))


def _out_of_order(operator: cst.BaseCompOp, other: cst.BaseExpression) -> bool | None:
    """Does a test of a status hold for what failed? None: it asks for one status among others."""
    number = _number(other)
    if isinstance(operator, _ABOVE) and number in (299, 300, 399, 400):
        return True
    if isinstance(operator, _BELOW) and number in (299, 300, 399, 400):
        return False
    if not all(map(_is_good, _elements(other))):
        return None
    if isinstance(operator, _EQUAL):
        return False
    return True if isinstance(operator, _UNEQUAL) else None


def _elements(node: cst.BaseExpression) -> list[cst.BaseExpression]:
    if isinstance(node, (cst.Tuple, cst.List, cst.Set)):
        return [element.value for element in node.elements]
    return [node]


def _is_good(status: cst.BaseExpression) -> bool:
    number = _number(status)
    if number is not None:
        return 200 <= number < 300
    name = status.attr.value if isinstance(status, cst.Attribute) else ""
    return name.upper() in ("OK", "CREATED", "ACCEPTED", "NO_CONTENT") or name.startswith("HTTP_2")


def _number(node: cst.BaseExpression) -> int | None:
    return int(node.value, 0) if isinstance(node, cst.Integer) and node.value.isdigit() else None
