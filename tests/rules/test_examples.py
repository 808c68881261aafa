"""The examples in rule files are true: a bad one is found where it is marked, a good one silent."""

import re

import pytest

from contractlint.engine import EngineSettings, check_source
from contractlint.messages.envelope import EnvelopeField
from contractlint.rules.catalog import bundled_rules

RULES = [rule for rule in bundled_rules() if (rule.patterns or rule.flow) and not rule.of_journals]
MARK = re.compile(r"# <- (\w+)$")


def examples(kind):
    return [
        pytest.param(rule, example, id=f"{rule.name}: {example.title or number}")
        for rule in RULES
        for number, example in enumerate(getattr(rule, kind), 1)
        if example.language == "python"
    ]


# The envelope of the examples: what a project would say under `messages.roles`.
ENVELOPE = tuple(
    EnvelopeField(role, ((field,),), required=True)
    for role, field in (("id", "id"), ("kind", "kind"), ("schema-version", "schema_version"))
)


def found(rule, code, tmp_path):
    file = tmp_path / "example.py"
    file.write_text(code, encoding="utf-8")
    envelope = ENVELOPE if rule.code == "CL601" else ()
    settings = EngineSettings(frozenset({rule.code}), {}, (), (), {}, (), envelope)
    result = check_source("example.py", code.encode(), settings, str(tmp_path))
    assert not result.problems
    speaks_of_producers = any("produce" in pattern for pattern in rule.searched)
    assert result.handlers or speaks_of_producers, "the example has no handler"
    return [(finding.line, finding.code) for finding in result.findings]


def marked(code):
    rows = ((number, MARK.search(line)) for number, line in enumerate(code.splitlines(), 1))
    return [(number, mark[1]) for number, mark in rows if mark]


@pytest.mark.parametrize(("rule", "example"), examples("good"))
def test_a_good_example_is_silent(rule, example, tmp_path):
    assert marked(example.code) == []
    assert found(rule, example.code, tmp_path) == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_every_rule_has_examples_of_both_kinds(rule):
    assert rule.bad
    assert rule.good


@pytest.mark.parametrize(("rule", "example"), examples("bad"))
def test_a_bad_example_is_found_where_it_is_marked(rule, example, tmp_path):
    assert marked(example.code)
    assert found(rule, example.code, tmp_path) == marked(example.code)
