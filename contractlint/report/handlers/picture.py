"""A handler as a picture: its main chain from top to bottom, the crash windows between its steps.

Only shapes and class names; the colours stand in the page's style sheet.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from html import escape

from contractlint.crash.card import CrashRow, FailureRow, HandlerCard
from contractlint.report.handlers.cells import place, settled_by

GOOD = frozenset({"safe", "done", "suppressed", "retried", "set-aside"})
BAD = frozenset({"lost", "repeated", "loops", "dropped"})

_WIDTH = 360
_STEP = 34  # height of a step
_WINDOW = 30  # height of the window behind it
_AXIS = 24  # where the chain runs
_LEFT = 44
_EDGE = _WIDTH - 12  # where failures run down
_MOST_LETTERS = 38
_HUES: Mapping[str, str] = {
    "ack": "ack",
    **dict.fromkeys(("effect", "publish", "compensate"), "effect"),
    **dict.fromkeys(("persist", "stage", "quarantine", "ledger_record"), "store"),
    **dict.fromkeys(("ledger_check", "version_check"), "ledger"),
    **dict.fromkeys(("requeue", "reject", "dead_letter", "retry", "rollback"), "back"),
}


def tone(outcome: str) -> str:
    """Return the class of an outcome: good, warn or bad."""
    return "good" if outcome in GOOD else "bad" if outcome in BAD else "warn"


def picture(card: HandlerCard) -> str:
    """Return the handler as an SVG element."""
    after = [row for row in card.crash if not row.during]
    parts = list(_chain(after, card))
    height = len(after) * (_STEP + _WINDOW)
    parts += _failures(card, height)
    height += len(card.failures) * (_STEP + 22) + 12
    return (
        f'<svg viewBox="0 0 {_WIDTH} {height}" role="img" '
        f'aria-label="The main chain of {escape(card.name)}">{"".join(parts)}</svg>'
    )


def _chain(rows: list[CrashRow], card: HandlerCard) -> Iterator[str]:
    for number, row in enumerate(rows):
        top = number * (_STEP + _WINDOW)
        yield from _window(row, top + _STEP)
    last = (len(rows) - 1) * (_STEP + _WINDOW) + _STEP // 2
    yield f'<path class="way" d="M{_AXIS} {_STEP // 2}V{last}"/>'
    for number, row in enumerate(rows):
        middle = number * (_STEP + _WINDOW) + _STEP // 2
        hue = _HUES.get(row.step.event, "other")
        yield f'<circle class="{hue}" cx="{_AXIS}" cy="{middle}" r="8"/>'
        yield _text(_LEFT, middle - 2, row.step.text)
        yield _text(_LEFT, middle + 12, f"{row.step.event}, {_where(row, card)}", "small")


def _window(row: CrashRow, top: int) -> Iterator[str]:
    kind = tone(row.outcome)
    yield f'<rect class="{kind}" x="0" y="{top}" width="{_WIDTH}" height="{_WINDOW}"/>'
    yield _text(_LEFT, top + _WINDOW // 2 + 4, f"✗ dies here: {row.outcome}", kind)


def _failures(card: HandlerCard, top: int) -> Iterator[str]:
    """A failure leaves the chain behind the delivery and ends below it."""
    if not card.failures:
        return
    start = _STEP + _WINDOW + 1
    bottom = top + (len(card.failures) - 1) * (_STEP + 22) + 22
    yield f'<path class="way fails" d="M{_AXIS} {start}H{_EDGE}V{bottom}"/>'
    for number, row in enumerate(card.failures):
        yield from _failure(row, card, top + number * (_STEP + 22) + 22)


def _failure(row: FailureRow, card: HandlerCard, middle: int) -> Iterator[str]:
    hue = _HUES.get(row.settled.event, "other")
    yield f'<path class="way fails" d="M{_EDGE} {middle}H{_AXIS}"/>'
    yield f'<circle class="{hue}" cx="{_AXIS}" cy="{middle}" r="8"/>'
    yield _text(_LEFT, middle - 6, settled_by(row))
    yield _text(_LEFT, middle + 16, f"{row.caught.text}, line {place(row.caught, card)}", "small")
    yield _text(_LEFT, middle + 30, f"→ {row.outcome}", tone(row.outcome))


def _where(row: CrashRow, card: HandlerCard) -> str:
    return f"line {place(row.step, card)}"


def _text(x: int, y: int, text: str, kind: str = "") -> str:
    text = text.replace("`", "")
    cut = text if len(text) <= _MOST_LETTERS else text[: _MOST_LETTERS - 1] + "…"
    attribute = f' class="{kind}"' if kind else ""
    return f'<text{attribute} x="{x}" y="{y}">{escape(cut)}</text>'
