"""Does everything a schema accepts keep the contract? Yes, no with a message, or cannot tell."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from contractlint.messages.documents import Json
from contractlint.messages.producer.nodes import Node
from contractlint.messages.producer.opened import Opened
from contractlint.messages.producer.requirements import Requirement, requirements
from contractlint.messages.producer.search import Answer, find
from contractlint.messages.producer.terms import Claim
from contractlint.messages.roles import Roles

_OBJECT = {"type": "object"}

Rejects = Callable[[Json], bool]


@dataclass(frozen=True)
class Verdict:
    """A requirement that is broken by `answer.value`, or that could not be decided."""

    requirement: Requirement
    answer: Answer


def accepts_nothing(opened: Opened) -> bool:
    """Tell whether it is proved that no message satisfies the schema."""
    return find([Claim(opened.node, True)], opened.checker.is_valid).proved


def broken_requirements(opened: Opened, roles: Roles) -> Iterator[Verdict]:
    """Yield the requirements of `roles` that are not proved to hold."""
    for requirement in requirements(opened.node, roles):
        answer = _counterexample(opened, requirement)
        if not answer.proved:
            yield Verdict(requirement, answer)


def _counterexample(opened: Opened, requirement: Requirement) -> Answer:
    """Look for a message that the schema accepts and the requirement rejects."""
    rejects = _rejecting(requirement.demand)
    terms = [Claim(opened.node, True), Claim(Node(requirement.demand), False)]
    if requirement.demand != _OBJECT:
        terms.append(Claim(Node(_OBJECT), True))
    return find(terms, lambda value: opened.checker.is_valid(value) and rejects(value))


def _rejecting(demand: Json) -> Rejects:
    import jsonschema_rs

    checker = jsonschema_rs.Draft202012Validator(demand, validate_formats=True)
    return lambda value: not checker.is_valid(value)
