"""Selectors: codes, prefixes, names and ALL; the more specific one has the last word."""

import pytest

from contractlint.project.selectors import choose
from contractlint.rules.catalog import Rule


def rule(code, name, default=True):
    return Rule(code, name, "error", "summary", "why", "fix", default)


RULES = [
    rule("CL101", "ack-before-persist"),
    rule("CL102", "auto-ack"),
    rule("CL103", "hidden-one", default=False),
    rule("CL201", "unstable-name"),
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
