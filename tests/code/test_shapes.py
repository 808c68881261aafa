"""What is known of a message at the call that publishes it.

`of(body)` lowers a producer with this body, whose envelope asks for `id`, `kind` and `v`, and tells
what it misses there: a text of roles, "" for none. A shape that cannot be known misses nothing.
"""

from pathlib import Path
from textwrap import dedent, indent

import pytest

from contractlint.code.analysis import CheckedFile, Producers
from contractlint.code.modules import Project
from contractlint.messages.envelope import EnvelopeField
from contractlint.vocabulary import load_vocabulary

ENVELOPE = (
    EnvelopeField("id", (("id",), ("meta", "id")), required=True),
    EnvelopeField("kind", (("kind",),), required=True),
    EnvelopeField("schema-version", (("v",),), required=True),
    EnvelopeField("time", (("at",),), required=False),
)
IMPORTS = """
import copy, dataclasses, json, time, uuid, orjson, msgpack, pika
from dataclasses import asdict, dataclass, field
from typing import ClassVar, TypedDict
from pydantic import BaseModel, ConfigDict, Field, computed_field
"""
ALL = "id, kind, schema-version"


class Publishing:
    def __init__(self, root: Path) -> None:
        self.root = root

    def event(self, body: str, above: str = "", parameters: str = ""):
        """Return the last event of publishing in `send`."""
        return self.events(body, above, parameters, "publish")[-1]

    def events(self, body: str, above: str, parameters: str, kind: str):
        head = f"def send(channel: pika.channel.Channel, {parameters}):\n"
        source = IMPORTS + dedent(above) + "\n" + head + indent(dedent(body).strip(), "    ")
        file = self.root / "app.py"
        file.write_text(source, encoding="utf-8")
        graphs = CheckedFile(
            "app.py",
            file,
            source.encode(),
            Project(self.root),
            load_vocabulary(()),
            Producers(ENVELOPE),
        ).graphs()
        found = [e for one in graphs if one.produces for e in one.graph.events]
        return [event for event in found if event is not None and event.kind == kind]

    def missing(self, body: str, above: str = "", parameters: str = "") -> str:
        text = self.event(body, above, parameters)["missing"].replace(" and ", ", ")
        return ", ".join(part.split(" ")[0] for part in text.split(", ") if part)

    def of(self, message: str, above: str = "", parameters: str = "") -> str:
        """Return what the message of this expression misses."""
        return self.missing(f"channel.basic_publish('x', 'y', {message})", above, parameters)


@pytest.fixture
def publishing(tmp_path):
    return Publishing(tmp_path)


@pytest.mark.parametrize(
    "written",
    [
        "json.dumps({})",
        "json.dumps({}, separators=(',', ':')).encode()",
        "orjson.dumps({})",
        "msgpack.packb({})",
        "bytes(json.dumps({}), 'utf-8')",
        "json.dumps(dict({}, kind=1))",
        "json.dumps(copy.deepcopy({}))",
        "{}",
    ],
)
def test_a_display_is_known_however_it_is_written_down(publishing, written):
    display = "{'id': 1, 'kind': 2}"
    assert publishing.of(written.replace("{}", display)) == "schema-version"


def test_what_is_optional_is_not_missed(publishing):
    assert publishing.of("json.dumps({'id': 1, 'kind': 2, 'v': 3})") == ""


def test_a_role_may_stand_deeper(publishing):
    assert publishing.of("json.dumps({'meta': {'id': 1}, 'kind': 2, 'v': 3})") == ""
    assert publishing.of("json.dumps({'meta': {'no': 1}, 'kind': 2, 'v': 3})") == "id"


def test_nothing_is_said_of_what_nobody_can_see(publishing):
    assert publishing.of("json.dumps(order)", parameters="order") == ""
    assert publishing.of("json.dumps({**order, 'kind': 2})", parameters="order") == ""
    assert publishing.of("json.dumps({name: 1})", parameters="name") == ""
    assert publishing.of("json.dumps({'meta': meta, 'kind': 2, 'v': 3})", parameters="meta") == ""
    assert publishing.of("json.dumps(build())", "from shop import build") == ""
    assert publishing.of("{'message': json.dumps(order)}", parameters="order") == ""


def test_a_text_field_that_is_no_message_hides_nothing(publishing):
    assert (
        publishing.of("json.dumps({'id': str(order)})", parameters="order")
        == "kind, schema-version"
    )


def test_a_display_takes_over_what_it_unpacks(publishing):
    message = "json.dumps({**BASE, 'kind': 2})"
    assert publishing.of(message, "BASE = {'id': 1}") == "schema-version"


@pytest.mark.parametrize(
    "change",
    [
        "stamp(message)",
        "message.update(more)",
        "message.setdefault('v', 1)",
        "message[name] = 1",
        "message.meta = stamp(message)",
        "registry.add([message])",
        "message |= more",
    ],
)
def test_a_dict_that_others_may_have_changed_is_open(publishing, change):
    body = f"""
    message = {{'id': 1, 'kind': 2}}
    {change}
    channel.basic_publish('x', 'y', json.dumps(message))
    """
    above = "from shop import stamp, registry"
    assert publishing.missing(body, above, "more, name") == ""


@pytest.mark.parametrize(
    "change", ["log.info('sent %s', message)", "print(message)", "len(message)"]
)
def test_reading_changes_nothing(publishing, change):
    body = f"""
    message = {{'id': 1, 'kind': 2}}
    {change}
    channel.basic_publish('x', 'y', json.dumps(message))
    """
    assert publishing.missing(body, "import logging\nlog = logging.getLogger()") == "schema-version"


def test_items_stored_later_count(publishing):
    body = """
    message = {}
    message['id'] = 1
    message['kind'] = 2
    channel.basic_publish('x', 'y', json.dumps(message))
    """
    assert publishing.missing(body) == "schema-version"


def test_items_stored_in_a_copy_count_there_and_not_in_the_original(publishing):
    body = """
    base = {'id': 1}
    message = base.copy()
    message['v'] = 3
    channel.basic_publish('x', 'y', json.dumps({}))
    """
    assert publishing.missing(body.replace("{}", "message")) == "kind"
    assert publishing.missing(body.replace("{}", "base")) == "kind, schema-version"


def test_a_branch_that_stores_makes_it_open(publishing):
    body = """
    message = {'id': 1, 'kind': 2}
    if wanted:
        message['v'] = 3
    channel.basic_publish('x', 'y', json.dumps(message))
    """
    assert publishing.missing(body, parameters="wanted") == ""


def test_a_helper_that_stores_makes_it_open(publishing):
    above = "def stamp(message):\n    message['v'] = 3\n"
    body = """
    message = {'id': 1, 'kind': 2}
    stamp(message)
    channel.basic_publish('x', 'y', json.dumps(message))
    """
    assert publishing.missing(body, above) == ""


# -- classes -------------------------------------------------------------------------------------


def test_a_dataclass_has_the_fields_it_declares_and_inherits(publishing):
    above = """
    @dataclass
    class Head:
        id: str = field(default_factory=lambda: str(uuid.uuid4()))
        v: ClassVar[int] = 1

    @dataclass
    class Paid(Head):
        kind: str = "paid"
    """
    assert publishing.of("json.dumps(asdict(Paid()))", above) == "schema-version"


def test_a_dict_of_a_class_that_lists_its_own_fields(publishing):
    above = """
    class Paid:
        def __init__(self, order):
            self.order = order

        def to_dict(self):
            return {"id": self.order.id, "kind": "paid"}
    """
    assert publishing.of("json.dumps(Paid(o).to_dict())", above, "o") == "schema-version"
    assert publishing.of("json.dumps(Paid(o).__dict__)", above, "o") == ""


MODEL = """
class Paid(BaseModel):
    key: str = Field(alias="id")
    kind: str
"""


@pytest.mark.parametrize(
    ("dump", "missing"),
    [
        ("model_dump_json()", "id, schema-version"),
        ("json()", "id, schema-version"),
        ("model_dump_json(by_alias=True)", "schema-version"),
        ("model_dump_json(by_alias=wanted)", "schema-version"),
        ("model_dump_json(exclude={'kind'})", ""),
        ("model_dump_json(**wanted)", ""),
    ],
)
def test_a_model_is_dumped_under_its_names_or_aliases(publishing, dump, missing):
    assert publishing.of(f"Paid(id='7', kind='paid').{dump}", MODEL, "wanted") == missing


@pytest.mark.parametrize(
    "line",
    [
        "model_config = ConfigDict(extra='allow')",
        "model_config = ConfigDict(alias_generator=to_camel)",
        "class Config:\n        extra = 'allow'",
        "@model_serializer\n    def write(self): ...",
    ],
)
def test_a_model_that_writes_other_names_is_open(publishing, line):
    assert publishing.of("Paid(id=1, kind=2).model_dump_json()", f"{MODEL}    {line}\n") == ""


def test_a_base_class_of_another_package_is_open(publishing):
    above = "from shop import Event\n" + MODEL.replace("BaseModel", "Event, BaseModel")
    assert publishing.of("Paid(id=1, kind=2).model_dump_json()", above) == ""


def test_computed_fields_count_and_excluded_ones_do_not(publishing):
    above = """
    class Paid(BaseModel):
        id: str
        kind: str = Field("paid", exclude=True)

        @computed_field
        @property
        def v(self) -> int:
            return 1
    """
    assert publishing.of("Paid(id='7').model_dump_json()", above) == "kind"


def test_a_typed_dict_has_what_it_is_given(publishing):
    above = "class Paid(TypedDict):\n    id: str\n    kind: str\n"
    assert publishing.of("json.dumps(Paid(id=1, kind=2))", above) == "schema-version"
    assert publishing.of("json.dumps(Paid(**given))", above, "given") == ""


def test_a_parameter_is_known_by_its_class_unless_that_may_be_a_base(publishing):
    text = "e.model_dump_json()"
    assert publishing.of(text, MODEL, "e: Paid") == "id, schema-version"
    assert publishing.of(text, MODEL + "class Later(Paid):\n    v: int = 1\n", "e: Paid") == ""
    assert publishing.of(text, MODEL.replace("Paid", "BaseEvent"), "e: BaseEvent") == ""


# -- what is beside the body ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("properties", "missing"),
    [
        ("pika.BasicProperties(message_id='7')", "schema-version"),
        ("pika.BasicProperties(message_id='7', headers={'v': 1})", ""),
        ("pika.BasicProperties(headers={'ce-id': '7'})", "schema-version"),
        ("pika.BasicProperties(headers=headers)", ""),
        ("pika.BasicProperties(**headers)", ""),
        ("headers", ""),
    ],
)
def test_properties_and_headers_may_carry_a_role(publishing, properties, missing):
    call = f"channel.basic_publish('x', 'y', json.dumps({{'kind': 2}}), {properties})"
    assert publishing.missing(call, parameters="headers") == missing


def test_arguments_of_a_task_are_no_message(publishing):
    above = "from celery import Celery\napp = Celery()\n"
    assert publishing.missing("app.send_task('pay', {'order': 7})", above) == ""


def test_dead_letters_are_no_messages_of_the_envelope(publishing):
    assert publishing.missing("channel.basic_publish('', 'orders.dlq', json.dumps({}))") == ""


# -- identity ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "answer"),
    [
        ("str(uuid.uuid4())", "fresh"),
        ("f'paid-{time.time()}'", "fresh"),
        ("str(uuid.uuid5(uuid.NAMESPACE_OID, order))", "stable"),
        ("order", "stable"),
        ("given or str(uuid.uuid4())", "stable"),
    ],
)
def test_an_id_is_fresh_only_if_it_surely_is(publishing, value, answer):
    call = f"channel.basic_publish('x', 'y', 'z', pika.BasicProperties(message_id={value}))"
    assert publishing.event(call, parameters="order, given=None")["id"] == answer


def test_a_fallback_in_a_branch_is_not_fresh(publishing):
    body = """
    if given is None:
        given = str(uuid.uuid4())
    channel.basic_publish('x', 'y', json.dumps({'id': given}))
    """
    assert publishing.event(body, parameters="given")["id"] == "stable"


def test_a_stable_effect_key_makes_a_fresh_id_harmless(publishing):
    body = "{'id': str(uuid.uuid4()), 'effect_key': order}"
    call = f"channel.basic_publish('x', 'y', json.dumps({body}))"
    assert publishing.event(call, parameters="order")["id"] == "stable"


@pytest.mark.parametrize(
    ("first", "second", "answer"),
    [
        ("key", "key", "merged"),
        ("order.id", "order.id", "merged"),
        ("str(key)", "str(key)", "merged"),
        ("order.id", "order.key", "stable"),
        ("make()", "make()", "stable"),
        ("'7'", "'7'", "stable"),
    ],
)
def test_one_value_for_both_is_merged(publishing, first, second, answer):
    call = f"channel.basic_publish('x', 'y', json.dumps({{'id': {first}, 'effect_key': {second}}}))"
    above = "from shop import make"
    assert publishing.event(call, above, "key, order")["id"] == answer


def test_the_field_that_plays_the_role_is_the_id_and_no_other(publishing):
    body = "{'event_id': str(uuid.uuid4()), 'id': order}"
    call = f"channel.basic_publish('x', 'y', json.dumps({body}))"
    assert publishing.event(call, parameters="order")["id"] == "stable"
