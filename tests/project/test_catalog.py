"""Rules are TOML files, checked against rule.schema.json."""

import pytest

from contractlint.bundled import bundled
from contractlint.rules.catalog import (
    RuleError,
    bundled_rule_files,
    load_catalog,
    load_rule,
)

OWN = """\
code = "SHOP001"
name = "own-rule"
severity = "warning"
summary = "something of ours"
pattern = ["ack ... !persist", "ack ... !effect"]
why = "because"
fix = "do not"

[[bad]]
title = "wrong"
code = "x = 1  # <- SHOP001"
"""


@pytest.mark.parametrize("path", bundled_rule_files(), ids=lambda path: path.stem)
def test_bundled_rule_files_are_valid_and_named_after_their_rule(path):
    assert load_rule(path).name == path.stem


def test_codes_and_names_are_unique():
    rules = [load_rule(path) for path in bundled_rule_files()]
    assert len({rule.code for rule in rules}) == len({rule.name for rule in rules}) == len(rules)


def test_libraries_are_no_rules():
    assert (bundled("rules") / "libraries").is_dir()
    assert not [path for path in bundled_rule_files() if path.parent.name == "libraries"]


def test_own_rule(project):
    file = project.write("own.toml", OWN)
    rule = load_catalog([str(file)]).find("own-rule")
    assert rule.code == "SHOP001"
    assert rule.patterns == ("ack ... !persist", "ack ... !effect")
    assert rule.default
    assert rule.bad[0].title == "wrong"
    assert rule.problem("pattern", "x").line == 5


@pytest.mark.parametrize(
    ("old", "new", "line", "words"),
    [
        ('severity = "warning"', 'severity = "bad"', 3, "severity"),
        ("pattern =", "patern =", 5, "patern"),
        ('name = "own-rule"', 'name = "Own Rule"', 2, "name"),
        ('fix = "do not"', "", 1, '"fix" is a required property'),
        ("title =", "titel =", 10, "titel"),
        ('name = "own-rule"', 'name = "ack-before-persist"', 2, "is taken by CL101"),
        ('code = "SHOP001"', 'code = "CL101"', 1, "is taken by ack-before-persist"),
        ("why =", "why", 6, "not valid TOML"),
        ("!effect", "efect", 5, "pattern 2: column 9: expected an event such as effect"),
        ("... !effect", "... effect", 5, "pattern 2: column 15: expected exactly one step"),
        ("of ours", "of {our}", 4, "summary: no placeholder {our}; expected {marked} or {last}"),
        ("of ours", "of {ours", 4, "summary: a brace stands alone"),
        ("why =", "after = ['{it}']\nwhy =", 6, "after: no placeholder {it}"),
    ],
)
def test_mistakes_in_a_rule_file_are_shown_in_their_place(project, old, new, line, words):
    file = project.write("own.toml", OWN.replace(old, new, 1))
    problems = load_catalog([str(file)]).problems
    assert any(one.line == line and words in one.message for one in problems), problems
    assert {one.path for one in problems} == {file.as_posix()}


def test_missing_rule_file(project):
    [problem] = load_catalog([str(project.root / "none.toml")]).problems
    assert "cannot be read" in problem.message


def test_a_rule_needs_exactly_one_way_to_be_checked(project):
    file = project.write("own.toml", OWN.replace("why =", "built-in = true\nwhy ="))
    with pytest.raises(RuleError, match="pattern"):
        load_rule(file)
