"""Is it really the job that joins the lines, or a delivery tag? Told from all jobs together."""

from __future__ import annotations

from typing import NamedTuple

from contractlint.journal.chains import JOB, Shape

# One equal number is chance; so many, and none that differs, are not.
_TELLING = 3


class Clues(NamedTuple):
    """What the jobs of one shape say about the field that joins their lines.

    `tag`: equal to the job, or different; `repeat`: a redelivery of a job that is known, or of one
    that nobody has heard of; `received`: a delivery was begun.
    """

    tag: str
    repeat: str
    received: bool

    @property
    def tell(self) -> bool:
        """Do they say something about a job that is over?"""
        return bool(self.tag or self.repeat)


def clues_of(shape: Shape) -> Clues:
    tags = {row[-1] for row in shape.values if row is not None} - {None}
    tag = ("equal" if tags == {JOB} else "different") if tags else ""
    received = [step for step in shape.steps if step.kind == "receive"]
    again = [step for step in received if step.redelivered or step.attempt > 1]
    repeat = ("unknown" if again[0] is received[0] else "known") if again else ""
    return Clues(tag, repeat, bool(received))


class Joining:
    """What all jobs together say about it."""

    def __init__(self) -> None:
        self._equal = self._different = 0
        self._known = self._unknown = self._unsettled = 0
        self._equal_at = self._unknown_at = 0

    def look_at(self, clues: Clues, position: int, *, is_open: bool) -> None:
        """Take one job into account; `position` is that of its first line."""
        self._unsettled += is_open and clues.received and clues.repeat != "unknown"
        if clues.tag == "equal":
            self._equal += 1
            self._equal_at = self._equal_at or position
        elif clues.tag:
            self._different += 1
        if clues.repeat == "unknown":
            self._unknown += 1
            self._unknown_at = self._unknown_at or position
        elif clues.repeat:
            self._known += 1

    def by_tag(self) -> int:
        """Return the position of a line that is joined by the delivery's tag, or 0."""
        if self._equal >= _TELLING and not self._different:
            return self._equal_at
        # Each redelivery is a new job, and as many jobs were begun and never heard of again.
        if _TELLING <= self._unknown <= self._unsettled and not self._known:
            return self._unknown_at
        return 0
