"""The journals in rule files are true: a bad one is found where it is marked, a good one silent."""

import re

import pytest

from contractlint.rules.catalog import bundled_rules

MARK = re.compile(r"  # <- (.+)$")
LIMIT = 3

RULES = [
    rule
    for rule in bundled_rules()
    if any(one.language == "json" for one in (*rule.bad, *rule.good))
]


def examples(kind):
    return [
        pytest.param(rule, example, id=f"{rule.name}: {example.title or number}")
        for rule in RULES
        for number, example in enumerate(getattr(rule, kind), 1)
        if example.language == "json"
    ]


def marked(text):
    """The marked lines; in a journal that breaks off no mark can stand, its last line is meant."""
    rows = [(number, MARK.search(line)) for number, line in enumerate(text.splitlines(), 1)]
    return [(number, code) for number, mark in rows if mark for code in mark[1].split()]


def found(text, tmp_path, run):
    file = tmp_path / "journal.jsonl"
    lines = text.splitlines(keepends=True)
    file.write_text("".join(MARK.sub("", line) for line in lines), encoding="utf-8")
    ran = run("journal", str(file), "--limit", str(LIMIT), "--output-format", "json")
    assert ran.document["errors"] == []
    return [(one["line"], one["code"]) for one in ran.document["findings"]]


@pytest.mark.parametrize(("rule", "example"), examples("bad"))
def test_a_bad_example_is_found_where_it_is_marked(rule, example, tmp_path, run):
    text = example.code
    last = (len(text.splitlines()), rule.code)
    expected = marked(text) if text.endswith("\n") else [last]
    assert rule.code in dict(map(reversed, expected))
    assert found(text, tmp_path, run) == expected


@pytest.mark.parametrize(("rule", "example"), examples("good"))
def test_a_good_example_is_silent(rule, example, tmp_path, run):
    assert found(example.code, tmp_path, run) == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_every_rule_has_examples_of_both_kinds(rule):
    assert examples("bad")
    assert rule.bad
    assert rule.good
