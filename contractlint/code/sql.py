"""SQL text: does it read, write or claim, which rows does it touch, and what does it set?"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlglot import exp
    from sqlglot.expressions import Expr

_WRITE = re.compile(r"(insert|update|delete|merge|replace|copy|call|truncate)", re.I)
_READ = re.compile(r"(select|show|values|table|explain|pragma)", re.I)
_LEADING = re.compile(r"\A(?:\s+|--[^\n]*\n|/\*.*?\*/)*", re.S)
_LOCK = re.compile(r"\bfor\s+update\b.*\bskip\s+locked\b", re.I | re.S)
# Words of other dialects that the parser's PostgreSQL does not know, and parts that are unknown.
_IGNORE = re.compile(r"insert\s+(?:or\s+)?ignore\b", re.I)
_REPLACE = re.compile(r"(?:insert\s+or\s+)?replace\b", re.I)
_HOLE = re.compile(r"\{\w*\}")


@dataclass(frozen=True, slots=True)
class Statement:
    """`kind` is write, claim, read, lock or unknown (a claim also writes).

    `columns` pairs the columns of an INSERT with their parameter: a name, or a position from 0.
    `equal` are the columns that a row must agree in to be written, `ordered` those that are
    compared by size. `sets` are the columns that are changed, `adds` those of them whose new value
    is counted from the old one; `weighs` are columns that are compared by size anywhere, also in
    what is set. It `makes` a row that did not exist, unless it fails, or `replaces` one. `tables`
    are all it speaks of, `locks` that whose rows are locked for one worker, `removes_from` and
    `marks_in` that whose rows are deleted or updated.
    """

    kind: str
    columns: tuple[tuple[str, str], ...] = ()
    equal: frozenset[str] = frozenset()
    ordered: frozenset[str] = frozenset()
    sets: frozenset[str] = frozenset()
    adds: frozenset[str] = frozenset()
    weighs: frozenset[str] = frozenset()
    makes: bool = False
    replaces: bool = False
    tables: frozenset[str] = frozenset()
    locks: str = ""
    removes_from: str = ""
    marks_in: str = ""


UNKNOWN = Statement("unknown")


@lru_cache(maxsize=1024)
def read_sql(text: str) -> Statement:
    """Classify one SQL statement, of whatever dialect; what cannot be parsed tells by its verb."""
    body = _LEADING.sub("", text)
    word = (re.match(r"\w*", body) or [""])[0]
    if _LOCK.search(body):
        return _locking(_parsed(body))
    reads = _READ.fullmatch(word) is not None
    if not reads and not _WRITE.fullmatch(word) and word.lower() != "with":
        return UNKNOWN
    claims = bool(_IGNORE.match(body))
    replaces = bool(_REPLACE.match(body))
    parsed = _parsed(_REPLACE.sub("INSERT", _IGNORE.sub("INSERT", body, count=1), count=1))
    if parsed is None:
        return UNKNOWN if word.lower() == "with" else Statement(_kind(reads, claims))
    statement = _statement(parsed, claims)
    tables = frozenset(table.name.lower() for table in parsed.find_all(_table_class()))
    kind = "read" if reads else statement.kind
    makes = statement.makes and not (claims or replaces)
    weighs = frozenset(_weighed(parsed))
    return replace(
        statement, kind=kind, makes=makes, replaces=replaces, weighs=weighs, tables=tables
    )


def _locking(parsed: Expr | None) -> Statement:
    from sqlglot import exp

    if parsed is None:
        return Statement("lock")
    locked = (one for one in parsed.find_all(exp.Select) if one.args.get("locks"))
    select = next(locked, None)
    table = select.find(exp.Table) if select is not None else None
    removes_from, marks_in = _taken(parsed)
    name = table.name.lower() if table is not None else ""
    return Statement("lock", locks=name, removes_from=removes_from, marks_in=marks_in)


def _taken(parsed: Expr) -> tuple[str, str]:
    """Return the table whose rows are deleted, and that whose rows are updated."""
    from sqlglot import exp

    table = parsed.this.name.lower() if isinstance(parsed, (exp.Delete, exp.Update)) else ""
    return (table, "") if isinstance(parsed, exp.Delete) else ("", table)


def _kind(reads: bool, claims: bool) -> str:
    if reads:
        return "read"
    return "claim" if claims else "write"


def _table_class() -> type[Expr]:
    from sqlglot import exp

    return exp.Table


def _parsed(body: str) -> Expr | None:
    import sqlglot

    logging.getLogger("sqlglot").setLevel(logging.CRITICAL)
    try:
        return sqlglot.parse_one(_HOLE.sub("hole", body), dialect="postgres")
    except (sqlglot.errors.SqlglotError, RecursionError):
        return None


def _statement(parsed: Expr, claims: bool) -> Statement:
    from sqlglot import exp

    if isinstance(parsed, exp.Query):
        return Statement("read")
    if isinstance(parsed, exp.Insert):
        return _insert(parsed, claims)
    if not isinstance(parsed, (exp.Update, exp.Delete)):
        return Statement("write")
    tests = list(_conjuncts(parsed.args.get("where")))
    changes = list(_changes(parsed))
    removes_from, marks_in = _taken(parsed)
    return Statement(
        "claim" if isinstance(parsed, exp.Update) and len(tests) > 1 else "write",
        equal=frozenset(_compared(tests, exp.EQ)),
        ordered=frozenset(_compared(tests, exp.LT, exp.LTE, exp.GT, exp.GTE)),
        sets=frozenset(name for name, _ in changes),
        adds=frozenset(name for name, adds in changes if adds),
        removes_from=removes_from,
        marks_in=marks_in,
    )


def _insert(parsed: exp.Insert, claims: bool) -> Statement:

    conflict = parsed.args.get("conflict")
    changes = list(_changes(conflict)) if conflict is not None else []
    nothing = conflict is not None and "NOTHING" in str(conflict.args.get("action", "")).upper()
    return Statement(
        "claim" if claims or nothing else "write",
        tuple(_insert_columns(parsed)),
        sets=frozenset(name for name, _ in changes),
        adds=frozenset(name for name, adds in changes if adds),
        makes=conflict is None,
    )


def _conjuncts(node: Expr | None) -> Iterator[Expr]:
    """Yield the tests all of which have to hold."""
    from sqlglot import exp

    if isinstance(node, (exp.Where, exp.Paren)):
        yield from _conjuncts(node.this)
    elif isinstance(node, exp.And):
        yield from _conjuncts(node.left)
        yield from _conjuncts(node.right)
    elif node is not None:
        yield node


def _compared(tests: list[Expr], *kinds: type[Expr]) -> Iterator[str]:
    from sqlglot import exp

    for test in tests:
        if isinstance(test, kinds):
            sides = (test.this, test.expression)
            yield from (side.name.lower() for side in sides if isinstance(side, exp.Column))


def _weighed(parsed: Expr) -> Iterator[str]:
    from sqlglot import exp

    for test in parsed.find_all(exp.LT, exp.LTE, exp.GT, exp.GTE, exp.Greatest, exp.Least):
        yield from (column.name.lower() for column in test.find_all(exp.Column))


def _changes(node: Expr) -> Iterator[tuple[str, bool]]:
    """Yield each column that is set, and whether its new value is counted from the old one."""
    from sqlglot import exp

    for change in node.expressions:
        if isinstance(change, exp.EQ):
            name = change.this.name.lower()
            counted = isinstance(change.expression, (exp.Add, exp.Sub))
            own = (column.name.lower() == name for column in change.expression.find_all(exp.Column))
            yield name, counted and any(own)


def _insert_columns(parsed: exp.Insert) -> Iterator[tuple[str, str]]:
    from sqlglot import exp

    names, values = parsed.this, parsed.expression
    if not isinstance(names, exp.Schema) or not isinstance(values, exp.Values):
        return
    position = 0
    for name, value in zip(names.expressions, values.expressions[0].expressions, strict=False):
        found = value.find(exp.Placeholder, exp.Parameter)
        if found is None:
            continue
        column = name.name.lower()
        if isinstance(found, exp.Parameter):
            yield column, str(int(found.name) - 1) if found.name.isdigit() else found.name
        elif found.this is not None:
            yield column, found.name
        else:
            yield column, str(position)
            position += 1
