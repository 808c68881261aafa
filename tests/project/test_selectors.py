"""Selectors: codes, prefixes, names and ALL; the more specific one has the last word."""

import pytest

from contractlint.project.selectors import choose
from contractlint.rules.catalog import Rule


def rule(code, name, default=True, preview=False):
    return Rule(code, name, "error", "summary", "why", "fix", default, preview)


RULES = [
    rule("CL101", "ack-before-persist"),
    rule("CL102", "auto-ack"),
    rule("CL103", "hidden-one", default=False),
    rule("CL201", "unstable-name"),
]
WITH_PREVIEWS = [
    rule("CL101", "ack-before-persist"),
    rule("CL105", "new-one", preview=True),
    rule("CL106", "new-hidden-one", default=False, preview=True),
]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ({}, "CL101 CL102 CL201"),
        ({"select": ["CL101"]}, "CL101"),
        ({"select": ["auto-ack"]}, "CL102"),
        ({"select": ["CL1"]}, "CL101 CL102 CL103"),
        ({"select": ["ALL"]}, "CL101 CL102 CL103 CL201"),
        ({"extend_select": ["CL103"]}, "CL101 CL102 CL103 CL201"),
        ({"ignore": ["CL1"]}, "CL201"),
        ({"ignore": ["ALL"]}, ""),
        ({"select": ["CL101"], "ignore": ["CL1"]}, "CL101"),
        ({"select": ["CL1"], "ignore": ["CL101"]}, "CL102 CL103"),
        ({"select": ["CL1"], "ignore": ["CL1"]}, ""),
        ({"select": ["ALL"], "ignore": ["ack-before-persist"]}, "CL102 CL103 CL201"),
        ({"ignore": ["CL1"], "extend_select": ["hidden-one"]}, "CL103 CL201"),
    ],
)
def test_choice(words, expected):
    assert " ".join(sorted(choose(RULES, **words))) == expected


@pytest.mark.parametrize(
    ("words", "expected", "with_preview"),
    [
        ({}, "CL101", "CL101 CL105"),
        ({"select": ["ALL"]}, "CL101", "CL101 CL105 CL106"),
        ({"select": ["CL1"]}, "CL101", "CL101 CL105 CL106"),
        ({"select": ["CL105"]}, "CL105", "CL105"),
        ({"select": ["CL10", "new-one"]}, "CL101 CL105", "CL101 CL105 CL106"),
        ({"extend_select": ["CL106"]}, "CL101 CL106", "CL101 CL105 CL106"),
        ({"extend_select": ["CL105"], "ignore": ["CL105"]}, "CL101", "CL101"),
        ({"ignore": ["CL105"]}, "CL101", "CL101"),
    ],
)
def test_rules_in_preview(words, expected, with_preview):
    assert " ".join(sorted(choose(WITH_PREVIEWS, **words))) == expected
    assert " ".join(sorted(choose(WITH_PREVIEWS, **words, preview=True))) == with_preview


PREVIEW = """\
code = "SHOP001"
name = "own-rule"
severity = "warning"
summary = "something of ours"
preview = true
pattern = "receive ... !ack"
why = "because"
fix = "do not"
"""


@pytest.mark.parametrize(
    ("settings", "arguments", "runs"),
    [
        ("", [], False),
        ("", ["--select", "SHOP"], False),
        ("", ["--select", "SHOP001"], True),
        ("", ["--preview"], True),
        ("preview = true\n", [], True),
        ("preview = true\n", ["--select", "SHOP"], True),
    ],
)
def test_a_rule_of_the_project_in_preview(project, check, settings, arguments, runs):
    project.write("contractlint.toml", f"rules = ['own.toml']\n{settings}")
    project.write("own.toml", PREVIEW)
    project.write("a.py", HANDLER)
    found = [code for _, _, code in check(*arguments).found]
    assert ("SHOP001" in found) is runs


HANDLER = """\
import pathlib

import pika


def on_message(channel, method, properties, body):
    pathlib.Path("/srv/orders", properties.message_id).write_bytes(body)
    channel.basic_ack(method.delivery_tag)


def main(channel: pika.channel.Channel):
    channel.basic_consume("q", on_message)
"""


def test_command_line_select_starts_afresh(project, check, line_engine):
    project.write("contractlint.toml", "select = ['CL901']\nignore = ['CL101']\n")
    project.write("a.py", "receive\nlose\n")
    assert check().found == []
    assert check("--select", "CL101").found == [("a.py", 2, "CL101")]


def test_command_line_adds_to_the_settings(project, check, line_engine):
    project.write("contractlint.toml", "select = ['CL901']\n")
    project.write("a.py", "receive\nlose\n# contractlint: ignore\n")
    assert check("--extend-select", "CL101").found == [("a.py", 2, "CL101"), ("a.py", 3, "CL901")]
    assert check("--extend-select", "CL101", "--ignore", "CL901").found == [("a.py", 2, "CL101")]


def test_several_selectors_in_one_option(project, check, line_engine):
    project.write("a.py", "receive\nlose\n# contractlint: ignore\n")
    assert len(check("--select", "CL901, ack-before-persist").found) == 2


def test_unknown_selector_is_an_error(project, check):
    ran = check("--select", "CL1,CL999", "--ignore", "nothing-like-it")
    assert ran.exit_code == 2
    assert [(path, "is no rule" in message) for path, _, message in ran.errors] == [
        ("--ignore", True),
        ("--select", True),
    ]


def test_unknown_selector_in_the_settings_has_its_line(project, check):
    project.write("contractlint.toml", "\n[per-file-ignores]\n'a.py' = ['CL101', 'XX']\n")
    [(path, line, message)] = check().errors
    assert (path, line) == ("contractlint.toml", 3)
    assert "'XX' is no rule" in message
