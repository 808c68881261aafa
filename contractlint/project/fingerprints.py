"""Names for findings that survive when lines above them come and go."""

from __future__ import annotations

import hashlib
from pathlib import Path

from contractlint.findings import Finding, Reported
from contractlint.messages.recent import Recent
from contractlint.project.paths import shown_path

_REMEMBERED = 20_000


class Fingerprints:
    """Names the findings of one run, given in their order.

    Findings about the same thing are told apart by their order, as long as fewer than 20,000 other
    ones lie between them: memory does not grow with what is found.
    """

    def __init__(self, root: Path) -> None:
        self._root = root
        self._seen: Recent[str, int] = Recent(_REMEMBERED)

    def reported(self, finding: Finding, *about: str) -> Reported:
        """Return `finding` with its name, made of code, path and what it is `about`."""
        path = shown_path(finding.path, self._root)
        text = "\0".join((finding.code, path, *about))
        number = self._seen.get(text, 0)
        self._seen[text] = number + 1
        named = f"{text}\0{number}".encode("utf-8", "surrogatepass")
        return Reported(finding, hashlib.sha256(named).hexdigest()[:32])
