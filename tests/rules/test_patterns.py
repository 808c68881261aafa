"""The language of patterns: what can be written, and what is said of what cannot."""

import pytest

from contractlint.bundled import bundled
from contractlint.rules.patterns import EVENTS, PatternError, parse_pattern
from contractlint.vocabulary.reading import read_library


@pytest.mark.parametrize(
    ("pattern", "trace", "found"),
    [
        # a row of steps: one directly after the other
        ("receive !ack", "receive ack", True),
        ("receive !ack", "receive work ack", False),
        ("!ack", "receive work ack", True),
        # a gap lets anything pass
        ("receive ... !ack", "receive ack", True),
        ("receive ... !ack", "receive work persist ack", True),
        ("receive...!ack", "receive work ack", True),
        # or anything but
        ("receive ...not(persist) !ack", "receive work ack", True),
        ("receive ...not(persist) !ack", "receive persist ack", False),
        ("receive ...not(persist|work) !ack", "receive work ack", False),
        ("receive ... not( persist | work ) !ack", "receive effect ack", True),
        ("receive ...not(persist) !ack", "receive ack persist", True),
        # alternatives
        ("receive !(ack|reject)", "receive reject", True),
        ("receive !(ack | reject)", "receive requeue", False),
        ("receive !* ack", "receive anything ack", True),
        # attributes
        ("!ack[by=call]", "ack[by=call]", True),
        ("!ack[by=call]", "ack[by=config]", False),
        ("!ack[by=call|config]", "ack[by=config]", True),
        ("!ack[by!=call]", "ack[by=config]", True),
        ("!ack[by!=call|config]", "ack[by=config]", False),
        ("!ack[by=call,sure=yes]", "ack[by=call,sure=yes]", True),
        ("!ack[by=call,sure=yes]", "ack[by=call]", False),
        ("!ack[ by = call , sure != no ]", "ack[by=call]", True),
        # an attribute that is not there is empty
        ("!ack[by=call]", "ack", False),
        ("!ack[by!=call]", "ack", True),
        ("!ack[by=|call]", "ack", True),
        ("!effect[key=none|]", "effect", True),
        ("!effect[key=none|]", "effect[key=stable]", False),
        # attributes in gaps
        ("receive ...not(ack[by=config]) !persist", "receive ack[by=call] persist", True),
        ("receive ...not(ack[by=config]) !persist", "receive ack[by=config] persist", False),
        # the moment of death
        ("!ack crash ... persist", "ack work persist", True),
        ("!ack ... crash persist", "ack work persist", True),
        ("!ack crash persist", "ack persist", True),
        ("!ack crash persist", "ack work persist", False),
        ("!ack crash", "ack", True),
        # one delivery at a time
        ("!ack ... persist", "ack receive persist", False),
        ("!ack ... persist", "ack poll persist", False),
        ("!ack ... persist", "ack idle persist", False),
        ("!ack ...next persist", "ack receive persist", True),
        ("!ack ...next not(poll) persist", "ack receive persist", True),
        ("!ack ...next not(poll) persist", "ack poll receive persist", False),
        ("!ack ... receive", "ack work receive", True),
        # a pattern may begin anywhere
        ("!persist ack", "receive work persist ack exit", True),
        ("!ack ... ack", "ack work ack", True),
        ("!ack ... ack", "ack work", False),
    ],
)
def test_what_a_pattern_means(matches, pattern, trace, found):
    assert matches(pattern, trace) is found


@pytest.mark.parametrize(
    ("pattern", "column", "expected"),
    [
        ("", 1, "an event or '('"),
        ("!", 2, "an event or '('"),
        ("receive", 8, "exactly one step marked with '!'"),
        ("receive ack", 12, "exactly one step marked with '!'"),
        ("!receive !ack", 14, "exactly one step marked with '!'"),
        ("!!ack", 2, "an event or '('"),
        ("!ack ...", 9, "an event or '('"),
        ("... !ack", 1, "an event or '('"),
        ("not(x) !ack", 1, "an event or '('"),
        ("crash !ack", 1, "an event or '('"),
        ("!ack crash crash persist", 12, "an event or '('"),
        ("!ack ... crash", 15, "an event or '('"),
        ("!ack crash ...", 15, "an event or '('"),
        ("!ack .. persist", 6, "an event or '('"),
        ("!ack & persist", 6, "an event or '('"),
        ("!ACK", 2, "an event or '('"),
        ("!()", 3, "an event or '('"),
        ("!(ack", 6, "'|' or ')'"),
        ("!(ack persist)", 7, "'|' or ')'"),
        ("!(ack|)", 7, "an event or '('"),
        ("!ack ...not persist", 13, "'(' after 'not'"),
        ("!ack ...not() persist", 13, "an event or '('"),
        ("!ack ...not(persist ack", 21, "'|' or ')'"),
        ("!ack[", 6, "an attribute such as by=call"),
        ("!ack[]", 6, "an attribute such as by=call"),
        ("!ack[by]", 6, "an attribute such as by=call"),
        ("!ack[by=]", 9, "a value"),
        ("!ack[by=call", 13, "']' or ','"),
        ("!ack[by=call sure=yes]", 14, "']' or ','"),
        ("!ack[by=call,]", 14, "an attribute such as by=call"),
        ("receive ... !persits", 14, "an event such as persist"),
        ("receive ...not(requeu) !ack", 16, "an event such as requeue"),
    ],
)
def test_an_error_says_where_and_what_is_expected(pattern, column, expected):
    with pytest.raises(PatternError) as caught:
        parse_pattern(pattern)
    assert (caught.value.column, caught.value.expected) == (column, expected)
    assert str(caught.value).startswith(f"column {column}: expected {expected}, found ")


def test_an_error_shows_what_it_found_instead():
    with pytest.raises(PatternError, match=r"found '& persist'$"):
        parse_pattern("!ack & persist")
    with pytest.raises(PatternError, match=r"found the end$"):
        parse_pattern("!ack ...")


def test_an_event_of_ones_own_is_no_mistake():
    assert parse_pattern("receive ... !archive").stages[1].alternatives[0].kind == "archive"


def test_white_space_is_free():
    loose = parse_pattern("  receive\n  ...not( persist | work )\n  ! ack [ by = call ] crash  ")
    tight = parse_pattern("receive...not(persist|work)!ack[by=call]crash")
    assert (loose.stages, loose.crash_at_end) == (tight.stages, tight.crash_at_end)


@pytest.mark.parametrize("word", ["nextone", "noted", "crashed"])
def test_a_word_that_begins_like_a_keyword_is_an_event(word):
    assert parse_pattern(f"!ack ...{word}").stages[1].alternatives[0].kind == word


def test_the_events_of_the_bundled_vocabulary_are_known():
    used = set()
    for file in sorted((bundled("rules") / "libraries").glob("*.toml")):
        library = read_library(file)
        specs = [spec for call in library.calls for spec in (call.event, *call.cases, *call.then)]
        specs += [spec for h in library.handlers for spec in (*h.entry, *h.success, *h.failure)]
        used |= {spec.event for spec in specs if spec is not None and spec.event}
    assert used <= EVENTS
