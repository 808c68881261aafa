"""SQL text: does it read, write or claim, and which parameters are keys?"""

from __future__ import annotations

import re
from dataclasses import dataclass

_LEADING = re.compile(
    r"^(?:\s+|--[^\n]*\n|/\*.*?\*/)*(?:with\b.*?\)\s*(?=insert|update|delete|select|merge))?",
    re.I | re.S,
)
_WRITE = re.compile(r"\b(insert|update|delete|merge|replace|copy|call|truncate)\b", re.I)
_READ = re.compile(r"\b(select|show|values|table|explain|pragma)\b", re.I)
_CLAIM = re.compile(r"\bon\s+conflict\b.*\bdo\s+nothing\b|\binsert\s+(or\s+)?ignore\b", re.I | re.S)
_GUARDED_UPDATE = re.compile(r"\bupdate\b.*\bwhere\b.*\band\b.*", re.I | re.S)
_LOCKS_ROWS = re.compile(r"\bfor\s+update\b.*\bskip\s+locked\b", re.I | re.S)
_LOCKED = re.compile(r"\bfrom\s+([\w.\"`]+)(?:(?!\bfrom\b).)*\bskip\s+locked\b", re.I | re.S)
_REMOVES = re.compile(r"\s*delete\s+from\s+([\w.\"`]+)", re.I)
_MARKS = re.compile(r"\s*update\s+(?:only\s+)?([\w.\"`]+)", re.I)
_INSERT = re.compile(r"\binto\s+[\w.\"`{}]+\s*\(([^)]*)\)\s*values\s*\(([^)]*)\)", re.I | re.S)
_PLACEHOLDER = re.compile(r"%\((\w+)\)s|:(\w+)|\$(\d+)|%s|\?")


@dataclass(frozen=True, slots=True)
class Statement:
    """`kind` is write, claim, read, lock or unknown (a claim also writes).

    `locks` is the table whose rows are locked, `removes_from` and `marks_in` that whose rows are
    deleted or updated.
    """

    kind: str
    columns: tuple[tuple[str, str], ...] = ()
    locks: str = ""
    removes_from: str = ""
    marks_in: str = ""


def read_sql(text: str) -> Statement:
    """Classify one SQL statement.

    `columns` pairs the columns of an INSERT with their parameter: a name, or a position from 0.
    """
    body = _LEADING.sub("", text, count=1)
    removes_from, marks_in = _table(_REMOVES.match(body)), _table(_MARKS.match(body))
    if _LOCKS_ROWS.search(body):
        locks = _table(_LOCKED.search(body))
        return Statement("lock", (), locks, removes_from, marks_in)
    first = re.match(r"\s*(\w+)", body)
    word = first[1].lower() if first else ""
    if _WRITE.fullmatch(word):
        kind = "claim" if _CLAIM.search(body) or _GUARDED_UPDATE.match(body) else "write"
        return Statement(kind, _insert_columns(body), "", removes_from, marks_in)
    if _READ.fullmatch(word):
        return Statement("read")
    return Statement("unknown")


def _table(match: re.Match[str] | None) -> str:
    return match[1].strip('"`').lower() if match else ""


def _insert_columns(body: str) -> tuple[tuple[str, str], ...]:
    match = _INSERT.search(body)
    if not match:
        return ()
    names = [name.strip().strip('"`').lower() for name in match[1].split(",")]
    pairs = []
    position = 0
    for name, value in zip(names, match[2].split(","), strict=False):
        found = _PLACEHOLDER.search(value)
        if not found:
            continue
        named = found[1] or found[2]
        if named:
            pairs.append((name, named))
        elif found[3]:
            pairs.append((name, str(int(found[3]) - 1)))
        else:
            pairs.append((name, str(position)))
            position += 1
    return tuple(pairs)
