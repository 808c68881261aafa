"""Numbers within bounds: candidates, and whether they are all there are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import ceil, floor, gcd, lcm

from contractlint.messages.producer.terms import Multiple, Range

_MOST = 64


@dataclass(frozen=True, slots=True)
class Candidates:
    """`complete`: no other number obeys the facts, so that none listed means none exists."""

    numbers: list[int | float]
    complete: bool


def within(ranges: Sequence[Range]) -> Range:
    """Return the intersection of `ranges`."""
    result = Range()
    for one in ranges:
        low = max((_low_edge(result), _low_edge(one)))
        high = min((_high_edge(result), _high_edge(one)))
        result = Range(low[1], high[1], bool(low[2]), not high[2])
    return result


def _low_edge(edge: Range) -> tuple[bool, Fraction | None, bool]:
    return (edge.low is not None, edge.low, edge.low_open)


def _high_edge(edge: Range) -> tuple[bool, Fraction | None, bool]:
    return (edge.high is None, edge.high, not edge.high_open)


def integers(ranges: Sequence[Range], multiples: Sequence[Multiple], skip: int) -> Candidates:
    """Return integers that obey the facts, those near zero first; `skip` may be excluded later."""
    bounds = within(ranges)
    step = lcm(*(one.of.numerator for one in multiples if one.holds))
    refused = [one.of for one in multiples if not one.holds]
    if any((step / of).denominator == 1 for of in refused):
        return Candidates([], True)
    low, high = _first_integer(bounds, step), _last_integer(bounds, step)
    numbers: list[int | float] = []
    complete = False
    for tried, number in enumerate(_outwards(low, high, step)):
        if all((number / of).denominator != 1 for of in refused):
            numbers.append(number)
        if tried > skip + _MOST:
            break
    else:
        complete = low is not None and high is not None
    return Candidates(numbers, complete)


def _first_integer(bounds: Range, step: int) -> int | None:
    if bounds.low is None:
        return None
    first = ceil(bounds.low / step) * step
    return first + step if bounds.low_open and first == bounds.low else first


def _last_integer(bounds: Range, step: int) -> int | None:
    if bounds.high is None:
        return None
    last = floor(bounds.high / step) * step
    return last - step if bounds.high_open and last == bounds.high else last


def _outwards(low: int | None, high: int | None, step: int) -> Iterator[int]:
    """Yield the multiples of `step` between the bounds, starting at the one nearest to zero."""
    start = 0
    if low is not None and low > 0:
        start = low
    elif high is not None and high < 0:
        start = high
    up = down = start
    if low is not None and high is not None and low > high:
        return
    yield start
    while True:
        up, down = up + step, down - step
        fits_up, fits_down = high is None or up <= high, low is None or down >= low
        if fits_up:
            yield up
        if fits_down:
            yield down
        if not fits_up and not fits_down:
            return


def fractions(ranges: Sequence[Range], multiples: Sequence[Multiple]) -> Candidates:
    """Return numbers with a fractional part that obey the facts."""
    bounds = within(ranges)
    if _is_empty(bounds):
        return Candidates([], True)
    wanted = [one.of for one in multiples if one.holds]
    step = _common_step(wanted)
    if step is not None and step.denominator == 1:
        return Candidates([], True)
    found = [value for value in _guesses(bounds, step) if _obeys(value, bounds, multiples)]
    return Candidates([float(value) for value in dict.fromkeys(found)], False)


def _is_empty(bounds: Range) -> bool:
    if bounds.low is None or bounds.high is None:
        return False
    is_point = bounds.low == bounds.high
    cut = bounds.low_open or bounds.high_open or bounds.low.denominator == 1
    return bounds.low > bounds.high or (is_point and cut)


def _common_step(wanted: list[Fraction]) -> Fraction | None:
    if not wanted:
        return None
    return Fraction(lcm(*(f.numerator for f in wanted)), gcd(*(f.denominator for f in wanted)))


def _guesses(bounds: Range, step: Fraction | None) -> Iterator[Fraction]:
    low = bounds.low if bounds.low is not None else (bounds.high or Fraction(0)) - 1
    high = bounds.high if bounds.high is not None else max(low, Fraction(0)) + 1
    if step is not None:
        first = ceil(low / step)
        yield from (step * (first + index) for index in range(_MOST))
        return
    yield Fraction(1, 2)
    yield from (low + (high - low) / part for part in (2, 3, 4, 5, 7))
    yield from (low, high, floor(low) + Fraction(1, 2))


def _obeys(value: Fraction, bounds: Range, multiples: Sequence[Multiple]) -> bool:
    fits = all(((value / one.of).denominator == 1) is one.holds for one in multiples)
    return fits and value.denominator != 1 and contains(bounds, value)


def contains(bounds: Range, value: Fraction) -> bool:
    """Tell whether `value` lies within `bounds`."""
    low, high = bounds.low, bounds.high
    above = low is None or value > low or (value == low and not bounds.low_open)
    below = high is None or value < high or (value == high and not bounds.high_open)
    return above and below
