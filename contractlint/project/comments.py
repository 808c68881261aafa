"""Comments that speak to contractlint: suppressions and declarations of a delivery class."""

from __future__ import annotations

import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass

MARK = b"contractlint:"

_COMMENT = re.compile(
    r"#\s*contractlint:\s*(?P<verb>[\w-]+)\s*(?:\[(?P<selectors>[^\]]*)\])?"
    r"\s*(?:--\s*(?P<reason>\S.*)|#.*)?$"
)
_VERBS = ("ignore", "at-most-once", "at-least-once")


@dataclass(frozen=True, slots=True)
class Comment:
    """One comment. `verb` is "" when it is not understood; no `selectors` means all rules.

    `alone` comments share their line with no code and speak of the line below.
    """

    path: str
    line: int
    column: int
    end_column: int
    verb: str
    selectors: tuple[str, ...]
    reason: str
    alone: bool


def find_comments(path: str, source: bytes) -> list[Comment]:
    """Return the comments of a file; text in strings is not a comment."""
    if MARK not in source:
        return []
    return [_comment(path, token) for token in _tokens(source) if _speaks_to_us(token)]


def _tokens(source: bytes) -> Iterator[tokenize.TokenInfo]:
    try:
        yield from tokenize.tokenize(io.BytesIO(source).readline)
    except (tokenize.TokenError, SyntaxError):
        # The file is broken below this point, which the parser reports.
        return


def _speaks_to_us(token: tokenize.TokenInfo) -> bool:
    return token.type == tokenize.COMMENT and MARK.decode() in token.string


def _comment(path: str, token: tokenize.TokenInfo) -> Comment:
    line, column = token.start
    match = _COMMENT.search(token.string)
    verb = match["verb"] if match and match["verb"] in _VERBS else ""
    selectors = (match["selectors"] or "") if match else ""
    return Comment(
        path=path,
        line=line,
        column=column + 1,
        end_column=token.end[1] + 1,
        verb=verb,
        selectors=tuple(word.strip() for word in selectors.split(",") if word.strip()),
        reason=(match["reason"] or "").strip() if match else "",
        alone=not token.line[:column].strip(),
    )
