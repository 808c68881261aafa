"""A project's own rule, in three lines of its settings."""

import json

import pytest

RULE = (
    '[[rule]]\nname = "ship-without-evidence"\nbefore = { ship = ["version_check", "evidence"] }\n'
)
EVENTS = (
    "[events]\nship = ['shop.parcels.ship']\nevidence = ['shop.payments.paid']\n"
    "version_check = ['shop.orders.is_current']\n"
)
HANDLER = """\
import json

import pika

from shop import orders, parcels, payments


def on_paid(channel, method, properties, body):
    order = json.loads(body)
{body}
    channel.basic_ack(method.delivery_tag)


pika.BlockingConnection().channel().basic_consume("paid", on_paid)
"""


@pytest.fixture
def told(project, check):
    """Check a handler with this body under these settings; return the findings' messages."""

    def told(body: str, settings: str = RULE + EVENTS, *options: str) -> list[str]:
        project.write("contractlint.toml", settings)
        indented = "\n".join(f"    {line}" for line in body.splitlines())
        project.write("app.py", HANDLER.format(body=indented))
        ran = check("--no-cache", *options)
        assert ran.errors == []
        return [one["message"] for one in ran.document["findings"]]

    return told


BOTH = "if orders.is_current(order) and payments.paid(order):\n    parcels.ship(order)"


def test_each_step_has_to_stand_before_on_every_way(told):
    assert told(BOTH) == []
    message = "`parcels.ship(order)` has to come after version_check and evidence"
    assert told("parcels.ship(order)") == [message]
    assert told("payments.paid(order)\nparcels.ship(order)") == [message]
    assert told("orders.is_current(order)\nparcels.ship(order)") == [message]


def test_one_way_without_it_is_enough(told):
    body = (
        "if order['paid']:\n    payments.paid(order)\norders.is_current(order)\nparcels.ship(order)"
    )
    assert len(told(body)) == 1


def test_a_step_behind_it_does_not_count(told):
    assert len(told("parcels.ship(order)\npayments.paid(order)\norders.is_current(order)")) == 1


def test_a_pattern_may_stand_there_as_well(told):
    settings = (
        '[[rule]]\nname = "two-parcels"\ncode = "SHOP007"\nseverity = "warning"\n'
        'pattern = "receive ... ship ... !ship"\nsummary = "{marked} ships again"\n'
        "[events]\nship = ['shop.parcels.ship']\n"
    )
    assert told("parcels.ship(order)", settings) == []
    assert told("parcels.ship(order)\nparcels.ship(order)", settings) == [
        "`parcels.ship(order)` ships again"
    ]


def test_it_is_selected_ignored_and_silenced_as_any_other(told):
    body = "parcels.ship(order)"
    assert told(body, RULE + EVENTS, "--select", "ship-without-evidence")
    assert told(body, RULE + EVENTS, "--select", "SHIPWITHOUTEVIDENCE")
    assert told(body, "ignore = ['ship-without-evidence']\n" + RULE + EVENTS) == []
    silenced = f"{body}  # contractlint: ignore[ship-without-evidence] -- a sample parcel"
    assert told(silenced) == []


def test_it_is_listed_and_explained(project, run):
    project.write("pyproject.toml", RULE.replace("[[rule]]", "[[tool.contractlint.rule]]"))
    rows = json.loads(run("rules", "--output-format", "json").out)
    [row] = [row for row in rows if row["name"] == "ship-without-evidence"]
    assert (row["code"], row["severity"], row["default"]) == ("SHIPWITHOUTEVIDENCE", "error", True)
    assert "receive ...not(evidence) !ship" in run("explain", "ship-without-evidence").out


@pytest.mark.parametrize(
    ("settings", "line", "message"),
    [
        ('[[rule]]\nname = "x"\nbefor = { a = ["b"] }\n', 3, "did you mean 'before'?"),
        ('[[rule]]\nname = "x"\n', 1, '"before" is a required property'),
        ('[[rule]]\nbefore = { a = ["b"] }\n', 1, '"name" is a required property'),
        (RULE + '[[rule]]\nname = "x"\nbefore = { ship = ["evidense("] }\n', 6, "before: column"),
        (RULE.replace("version_check", "version_chek"), 3, "an event such as version_check"),
        ('[[rule]]\nname = "x"\npattern = "receive"\n', 3, "exactly one step"),
        (RULE + RULE, 4, "is taken by ship-without-evidence"),
        ('[[rule]]\nname = "x"\ncode = "CL101"\npattern = "!ship"\n', 3, "code CL101 is taken"),
    ],
)
def test_mistakes_are_told_with_their_line(project, check, settings, line, message):
    project.write("contractlint.toml", settings)
    project.write("a.py", "import pika\n")
    ran = check("--no-cache")
    assert ran.exit_code == 2
    assert any(where == line and message in text for _, where, text in ran.errors), ran.errors


def test_a_changed_rule_is_not_answered_from_the_cache(project, check):
    project.write("app.py", HANDLER.format(body="    parcels.ship(order)"))
    project.write("contractlint.toml", RULE + EVENTS)
    assert len(check().found) == 1
    turned = RULE.replace(
        '{ ship = ["version_check", "evidence"', '{ evidence = ["version_check", "ship"'
    )
    project.write("contractlint.toml", turned + EVENTS)
    ran = check()
    assert (ran.found, ran.errors) == ([], [])
