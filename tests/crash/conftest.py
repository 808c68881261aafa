"""Crash tables of small handlers, written in a small notation.

table("ack(); a()")  ==  ["receive safe", "ack lost", "a done"]
"""

from __future__ import annotations

from pathlib import Path
from textwrap import dedent, indent

import pytest

from contractlint.code.analysis import CheckedFile, HandlerGraph, excerpt, locate
from contractlint.code.modules import Project
from contractlint.crash.card import HandlerCard
from contractlint.crash.table import handler_card
from contractlint.crash.telling import Teller
from contractlint.vocabulary import load_vocabulary

STEPS = str(Path(__file__).with_name("steps.toml"))
IMPORTS = (
    "from steps import ack, admit, again, begin, bury, commit, free, handler, keep, keyed, later\n"
    "from steps import note, put, seen, send, tell, wait\n"
)


def graphs(file: Path, libraries: tuple[str, ...] = ()) -> list[HandlerGraph]:
    """Return the handlers of a file that a library calls."""
    project = Project(file.parent.resolve(), (".", "src"))
    vocabulary = load_vocabulary(libraries)
    found = CheckedFile(file.name, file, file.read_bytes(), project, vocabulary).graphs()
    return [one for one in found if not (one.produces or one.spawned)]


def card_of(handler: HandlerGraph) -> HandlerCard:
    teller = Teller(locate, lambda source: excerpt(source, 40))  # type: ignore[arg-type]
    return handler_card(handler.graph, handler.name, handler.library, handler.place, teller)


@pytest.fixture
def card(tmp_path: Path):
    """Return the card of a handler with this body."""

    def card(body: str) -> HandlerCard:
        file = tmp_path / "app.py"
        code = indent(dedent(body).strip(), "    ")
        file.write_text(f"{IMPORTS}\n\n@handler\ndef handle(m):\n{code}\n", encoding="utf-8")
        (handler,) = graphs(file, (STEPS,))
        return card_of(handler)

    return card


@pytest.fixture
def graphs_of():
    """Return the event graphs of all handlers in a file."""
    return graphs


@pytest.fixture
def cards_of():
    """Return the cards of all handlers in a file."""

    def cards_of(file: Path, libraries: tuple[str, ...] = ()) -> list[HandlerCard]:
        return [card_of(handler) for handler in graphs(file, libraries)]

    return cards_of


@pytest.fixture
def table(card):
    """Return a line for each row: the step, when the process dies, and the outcome."""

    def table(body: str) -> list[str]:
        rows = card(body).crash
        return [
            f"{'during ' if row.during else ''}{_name(row.step.text)} {row.outcome}" for row in rows
        ]

    return table


@pytest.fixture
def failures(card):
    """Return a line for each way in which a failed delivery ends."""

    def failures(body: str) -> list[str]:
        return [f"{_name(row.settled.text)} {row.outcome}" for row in card(body).failures]

    return failures


def _name(text: str) -> str:
    """Return the bare name of the function that a step calls."""
    if text == "the broker delivers a message":
        return "receive"
    return text.strip("`").partition("(")[0]
