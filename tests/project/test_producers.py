"""The envelope of the settings, and `contractlint check` on functions that publish."""

import json

import pytest

from contractlint.engine import EngineSettings
from contractlint.messages.envelope import EnvelopeField, configured_envelope
from contractlint.messages.settings import SettingsError
from contractlint.project.cache import cache_key

PRODUCER = """
import json

import pika


def paid(channel: pika.channel.Channel, order):
    event = {"id": f"paid:{order}", "kind": "order.paid"}
    channel.basic_publish("events", "paid", json.dumps(event))
"""
ROLES = '[messages.roles]\nid = "/id"\nkind = "/kind"\nschema-version = "/v"\ntime = "/at"\n'


def required(root, table):
    return {one.role for one in configured_envelope(root, table) if one.required}


def test_roles_alone_ask_for_what_each_message_needs(tmp_path):
    roles = {"id": "/id", "schema-version": ["/v", "/payload/v"], "time": "/at", "attempt": "/n"}
    envelope = configured_envelope(tmp_path, {"roles": roles})
    assert EnvelopeField("schema-version", (("v",), ("payload", "v")), True) in envelope
    assert required(tmp_path, {"roles": roles}) == {"id", "schema-version"}


@pytest.mark.parametrize(
    ("profile", "roles"),
    [
        ("contractlint", {"id", "kind", "effect-key", "schema-version"}),
        ("cloudevents", {"id", "kind", "source"}),
    ],
)
def test_a_profile_asks_for_what_its_schema_requires(tmp_path, profile, roles):
    assert required(tmp_path, {"profile": profile}) == roles


def schema(**keywords):
    head = {"$ref": "#/$defs/head"}
    defs = {"head": {"required": ["meta"], "properties": {"meta": {"required": ["key"]}}}}
    key = {"properties": {"key": {"x-contract-role": "effect-key"}}}
    properties = {"nr": {"x-contract-role": "id"}, "meta": key, "at": {"x-contract-role": "time"}}
    return {"$defs": defs, "properties": properties, **({"allOf": [head]} | keywords)}


@pytest.mark.parametrize(
    ("keywords", "roles"),
    [
        ({}, {"id", "effect-key"}),
        ({"allOf": []}, {"id"}),
        ({"required": ["at"]}, {"id", "effect-key", "time"}),
        (
            {"anyOf": [{"required": ["at"]}, {"required": ["at", "x"]}]},
            {"id", "effect-key", "time"},
        ),
        ({"anyOf": [{"required": ["at"]}, {"required": ["x"]}]}, {"id", "effect-key"}),
    ],
)
def test_a_schema_asks_for_what_all_it_accepts_have(tmp_path, keywords, roles):
    (tmp_path / "message.json").write_text(json.dumps(schema(**keywords)), encoding="utf-8")
    assert required(tmp_path, {"schema": "message.json"}) == roles


def test_without_any_of_them_there_is_no_envelope(tmp_path):
    assert configured_envelope(tmp_path, {"files": ["*.json"]}) == ()


def test_settings_that_cannot_be_used_say_so(tmp_path):
    with pytest.raises(SettingsError, match="no role"):
        configured_envelope(tmp_path, {"roles": {"identity": "/id"}})
    with pytest.raises(SettingsError, match="no profile"):
        configured_envelope(tmp_path, {"profile": "none"})


def test_the_envelope_is_part_of_the_key_of_the_cache(tmp_path):
    plain = EngineSettings(frozenset({"CL601"}), {}, (), (), {}, ())
    field = EnvelopeField("id", (("id",),), True)
    asking = EngineSettings(frozenset({"CL601"}), {}, (), (), {}, (), (field,))
    assert cache_key(plain, tmp_path) != cache_key(asking, tmp_path)


# -- the command ---------------------------------------------------------------------------------


def test_a_field_that_the_settings_ask_for_is_missed(project, run):
    project.write("app.py", PRODUCER)
    project.write("contractlint.toml", ROLES)
    ran = run("check", "app.py", "--output-format", "json")
    assert ran.found == [("app.py", 9, "CL601")]
    (finding,) = ran.document["findings"]
    assert "schema-version (/v)" in finding["message"]
    assert ran.document["summary"]["handlers"] == 0


def test_the_cache_notices_other_roles(project, run):
    project.write("app.py", PRODUCER)
    assert run("check", "app.py").exit_code == 0
    project.write("contractlint.toml", ROLES)
    assert run("check", "app.py").exit_code == 1
    project.write("contractlint.toml", '[messages.roles]\nid = "/id"\n')
    assert run("check", "app.py").exit_code == 0


def test_without_an_envelope_nothing_is_missed(project, run):
    project.write("app.py", PRODUCER)
    assert run("check", "app.py", "--select", "CL601").exit_code == 0


def test_a_wrong_role_is_told_with_its_place(project, run):
    project.write("app.py", PRODUCER)
    project.write("contractlint.toml", '[messages.roles]\nidentity = "/id"\n')
    ran = run("check", "app.py", "--output-format", "json")
    assert ran.exit_code == 2
    ((path, line, message),) = ran.errors
    assert (path, line) == ("contractlint.toml", 1)
    assert "identity" in message


def test_a_producer_can_be_pardoned(project, run):
    line = "    # contractlint: ignore[CL601] -- the gateway adds the version\n"
    above, below = PRODUCER.split("    channel.basic_publish")
    project.write("app.py", f"{above}{line}    channel.basic_publish{below}")
    project.write("contractlint.toml", ROLES)
    assert run("check", "app.py").exit_code == 0


RELAY = """
import uuid

import pika
import psycopg

db = psycopg.connect("dbname=shop")


def relay(channel: pika.channel.Channel):
    for row, topic, body in db.execute("SELECT id, topic, body FROM outbox").fetchall():
        properties = pika.BasicProperties(message_id=str(uuid.uuid4()))
        channel.basic_publish("events", topic, body, properties)
        db.execute("DELETE FROM outbox WHERE id = %s", (row,))
"""
# The same, but nothing says that a row is taken again.
REPORT = RELAY[: RELAY.index("        db.execute(")]
HANDLER = """
import uuid

import pika


def on_order(channel, method, properties, body):
    mine = pika.BasicProperties(message_id=str(uuid.uuid4()))
    channel.basic_publish("events", "order", body, mine)
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("orders", on_order)
"""


@pytest.mark.parametrize(
    ("source", "found"),
    [
        (RELAY, [("app.py", 12, "CL203")]),
        (REPORT, []),
        (HANDLER, [("app.py", 8, "CL203")]),
        (HANDLER.replace("body, mine", "body, properties"), []),
        (HANDLER.replace('"order", body', "properties.reply_to, body"), []),
        (HANDLER.replace('"order", body', '"orders.dead", body'), []),
    ],
)
def test_a_fresh_identity_is_one_finding_where_a_repeat_is_evident(project, run, source, found):
    project.write("app.py", source)
    ran = run("check", "app.py", "--output-format", "json", "--select", "CL201,CL203")
    assert [one for one in ran.found if one[2] == "CL203"] == found
    assert len(ran.found) == len({line for _, line, _ in ran.found})
