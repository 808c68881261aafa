"""What the roles alone say about one message. Pure: facts in, faults out."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from contractlint.messages.documents import Json, Place, escape
from contractlint.messages.roles import Facts, Roles

_TIME_WITHOUT_OFFSET = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:?\d\d(:?\d\d([.,]\d+)?)?")
_NOTHING = (None, "")
_TAG_NAMES = frozenset({"deliveryTag", "delivery_tag", "delivery-tag"})


@dataclass(frozen=True, slots=True)
class Fault:
    """A check that fails at `pointer`. `subject` is the field it is about, where that is another.

    `line` is where it stands in the file, when the message itself is no longer at hand; `earlier`
    is the line of the message it clashes with; `place` is where it stands in its document, when
    that is not where `pointer` leads.
    """

    check: str
    pointer: str
    message: str
    subject: str = ""
    line: int = 0
    earlier: int = 0
    place: Place | None = None


def field_faults(facts: Facts, roles: Roles, message: dict[str, Json]) -> Iterator[Fault]:
    """Yield what is wrong with the fields that play a role."""
    for check in _CHECKS:
        yield from check(facts, roles)
    yield from _delivery_tags(facts, roles, message)


def is_clean(facts: Facts, message: dict[str, Json], has_version: bool) -> bool:
    """Answer for the many good messages, fast: no field is at fault. May say False in doubt.

    `has_version`: some field plays the schema version.
    """
    # Taking all facts at once is cheaper than asking for each by its name.
    identity, _, _, effect_key, _, sequence_key, sequence, version, _, time, *_ = facts
    return (
        type(identity) is str
        and identity != ""
        and effect_key != identity
        and (not has_version or version not in _NOTHING)
        and (sequence is None or sequence_key not in _NOTHING)
        and (type(time) is not str or time[-1:] == "Z" or time[-6:-5] in ("+", "-"))
        and _TAG_NAMES.isdisjoint(message)
    )


def _missing_id(facts: Facts, roles: Roles) -> Iterator[Fault]:
    if "id" not in roles or (isinstance(facts.id, str | int) and facts.id != ""):
        return
    pointer = roles.pointer("id")
    text = f'no id: the member "{pointer[1:]}" is missing'
    if facts.id is not None:
        yield Fault("missing-message-id", pointer, "the id identifies nothing", pointer)
    else:
        yield Fault("missing-message-id", "", text, pointer)


def _missing_version(facts: Facts, roles: Roles) -> Iterator[Fault]:
    if "schema-version" in roles and facts.schema_version in _NOTHING:
        pointer = roles.pointer("schema-version")
        text = f'no schema version: the member "{pointer[1:]}" is missing'
        yield Fault("missing-schema-version", "", text, pointer)


def _time_without_offset(facts: Facts, roles: Roles) -> Iterator[Fault]:
    if isinstance(facts.time, str) and _TIME_WITHOUT_OFFSET.fullmatch(facts.time):
        pointer = roles.pointer("time")
        text = f"the time {facts.time} has no offset from UTC"
        yield Fault("timestamp-without-offset", pointer, text, pointer)


def _sequence_without_key(facts: Facts, roles: Roles) -> Iterator[Fault]:
    if facts.sequence is not None and facts.sequence_key in _NOTHING:
        text = f"the sequence number {facts.sequence} belongs to no key"
        yield Fault(
            "sequence-without-key", roles.pointer("sequence"), text, roles.pointer("sequence-key")
        )


def _merged_keys(facts: Facts, roles: Roles) -> Iterator[Fault]:
    if facts.effect_key not in _NOTHING and facts.effect_key == facts.id:
        pointer = roles.pointer("effect-key")
        text = f"the effect key {facts.effect_key} is the message id"
        yield Fault("effect-key-is-message-id", pointer, text, pointer)


_CHECKS: tuple[Callable[[Facts, Roles], Iterator[Fault]], ...] = (
    _missing_id,
    _missing_version,
    _time_without_offset,
    _sequence_without_key,
    _merged_keys,
)


def _delivery_tags(facts: Facts, roles: Roles, message: dict[str, Json]) -> Iterator[Fault]:
    tags = [message[name] for name in _TAG_NAMES if name in message]
    for role, value in (("id", facts.id), ("effect-key", facts.effect_key)):
        pointer = roles.pointer(role)
        named = pointer.rpartition("/")[2] in _TAG_NAMES
        if value is not None and (named or any(str(tag) == str(value) for tag in tags)):
            text = f"the delivery tag {value} serves as {role.replace('-', ' ')}"
            yield Fault("delivery-tag-as-key", pointer, text, pointer)


def embedded_json(value: Json, pointer: str = "") -> Iterator[Fault]:
    """Yield every string in `value` that is itself a JSON object or array with text in it."""
    if isinstance(value, str):
        if _holds_json(value):
            yield Fault("json-inside-string", pointer, "this string holds another JSON document")
        return
    members = value.items() if isinstance(value, dict) else ()
    entries = enumerate(value) if isinstance(value, list) else members
    for step, below in entries:
        yield from embedded_json(below, f"{pointer}/{escape(step)}")


def _holds_json(text: str) -> bool:
    stripped = text.strip()
    if stripped[:1] + stripped[-1:] not in ("{}", "[]") or '"' not in stripped:
        return False
    try:
        return isinstance(json.loads(stripped), dict | list)
    except (ValueError, RecursionError):
        return False
