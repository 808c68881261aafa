"""Exception classes: which handler catches which, and what repeating can change about them."""

from __future__ import annotations

import builtins
from collections.abc import Sequence

from contractlint.code.modules import ClassInfo
from contractlint.code.names import Names

_CATCH_ALL = frozenset({"", "Exception", "BaseException"})


class ErrorClasses:
    """Exception classes as the project and the vocabulary know them."""

    def __init__(self, names: Names) -> None:
        self.names = names
        self.errors = names.idioms.errors

    def catches(self, raised: str, wanted: Sequence[str] | None) -> bool | None:
        """Is an exception of class `raised` ("": any) caught? None: perhaps."""
        if wanted is None or not wanted:
            return True
        raised = raised.removeprefix("builtins.")
        answers = [self._is(raised, name) for name in wanted]
        if True in answers:
            return True
        return None if None in answers else False

    def _is(self, raised: str, wanted: str) -> bool | None:
        if wanted in ("Exception", "BaseException"):
            return True
        if not raised:
            return None
        lineage = self.lineage(raised)
        if wanted in lineage:
            return True
        ours, theirs = getattr(builtins, raised, None), getattr(builtins, wanted, None)
        if isinstance(ours, type) and isinstance(theirs, type):
            return issubclass(ours, theirs)
        known = any(name in _CATCH_ALL for name in lineage) or isinstance(ours, type)
        return False if known else None

    def lineage(self, name: str) -> list[str]:
        """Return the class and its bases, as far as they can be found."""
        found = self.names.project.resolve(name)
        if isinstance(found, ClassInfo):
            rows = [
                base if isinstance(base, str) else base.dotted
                for base in self.names.ancestors(found)
            ]
        else:
            rows = [name]
        return [n.removeprefix("builtins.") for row in rows for n in [row, *self._bases(row)]]

    def _bases(self, name: str) -> list[str]:
        return list(self.errors.bases.get(name, ()))

    def kind_of(self, names: Sequence[str]) -> tuple[str, list[str]]:
        """Classify what an `except` names: one kind, `mixed`, or `catch-all`."""
        if not names or any(name in _CATCH_ALL for name in names):
            return "catch-all", list(names)
        kinds = {self._kind(name) for name in names}
        return (kinds.pop() if len(kinds) == 1 else "mixed"), list(names)

    def _kind(self, name: str) -> str:
        for ancestor in self.lineage(name):
            kind = self.errors.kind(ancestor)
            if kind not in ("unknown", "catch-all"):
                return kind
        return "unknown"
