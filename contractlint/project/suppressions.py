"""Comments against findings: which are silenced, which comments give no reason or do nothing."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

from contractlint.findings import Finding, certain
from contractlint.project.book import SourceBook
from contractlint.project.comments import Comment
from contractlint.rules.catalog import Catalog, Rule

# What cannot be said of a handler that is allowed to lose a delivery.
AT_MOST_ONCE_ALLOWS = frozenset({"CL101", "CL102", "CL103"})

WITHOUT_REASON = "CL901"
UNUSED = "CL902"


class Suppressions:
    """Applies comments to findings and remembers which of them did something."""

    def __init__(self, book: SourceBook, catalog: Catalog) -> None:
        self._book = book
        self._rules = {rule.code: rule for rule in catalog.rules}
        self._used: set[tuple[Comment, str]] = set()

    def silences(self, finding: Finding) -> bool:
        """Tell whether a comment covers this finding."""
        hits = [
            (comment, word)
            for comment in self._near(finding.path, finding.line, finding.end_line)
            if comment.verb == "ignore"
            for word in _covering(comment, finding)
        ]
        if finding.code in AT_MOST_ONCE_ALLOWS:
            hits += [(comment, "") for comment in self._declarations(finding)]
        self._used.update(hits)
        return bool(hits)

    def _declarations(self, finding: Finding) -> Iterator[Comment]:
        for path, line in finding.anchors:
            for comment in self._near(path, line, line):
                if comment.verb == "at-most-once":
                    yield comment

    def _near(self, path: str, first: int, last: int) -> Iterator[Comment]:
        """Yield the comments on these lines, and those alone on the lines directly above."""
        comments = self._book.comments(path)
        if not comments:
            return
        top = first
        while self._book.line(path, top - 1).lstrip().startswith("#"):
            top -= 1
        for comment in comments:
            if first <= comment.line <= last or (comment.alone and top <= comment.line < first):
                yield comment

    def remarks(self, paths: Iterable[str], codes: frozenset[str]) -> Iterator[Finding]:
        """Yield findings about the comments themselves, for those of the rules in `codes`."""
        for path in paths:
            for comment in self._book.comments(path):
                if WITHOUT_REASON in codes and comment.verb and not comment.reason:
                    yield _remark(comment, self._rules[WITHOUT_REASON])
                if UNUSED in codes:
                    yield from self._unused(comment, codes)

    def _unused(self, comment: Comment, codes: frozenset[str]) -> Iterator[Finding]:
        for word in comment.selectors or ("",):
            detail = self._idle(comment, word, codes)
            if detail:
                finding = _remark(comment, self._rules[UNUSED])
                yield replace(finding, message=f"{finding.message}: {detail}")

    def _idle(self, comment: Comment, word: str, codes: frozenset[str]) -> str:
        """Say why this word of the comment does nothing; "" when it does something."""
        if not comment.verb:
            return "not understood"
        if (comment, word) in self._used:
            return ""
        if comment.verb == "ignore":
            return self._idle_ignore(word, codes)
        may_speak = comment.verb == "at-most-once" and AT_MOST_ONCE_ALLOWS & codes
        return f"{comment.verb} changes nothing here" if may_speak else ""

    def _idle_ignore(self, word: str, codes: frozenset[str]) -> str:
        rule = self._rule(word)
        if word and rule is None:
            return f"there is no rule {word}"
        if rule is not None and rule.code not in codes:
            return ""
        return f"{word} is not found here" if word else "nothing is found here"

    def _rule(self, word: str) -> Rule | None:
        named = (rule for rule in self._rules.values() if word in (rule.code, rule.name))
        return next(named, None)


def _covering(comment: Comment, finding: Finding) -> list[str]:
    if not comment.selectors:
        return [""]
    return [word for word in comment.selectors if word in (finding.code, finding.rule)]


def _remark(comment: Comment, rule: Rule) -> Finding:
    place = (comment.path, comment.line, rule.summary)
    return certain(rule, *place, column=comment.column, end_column=comment.end_column)
