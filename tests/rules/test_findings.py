"""From a trace to a finding: message, confidence, and the crash told step by step."""

from dataclasses import replace

import pytest

from contractlint.events import Place
from contractlint.findings import Step
from contractlint.rules.catalog import Rule
from contractlint.rules.findings import (
    CompiledRule,
    Telling,
    does_something,
    findings_in,
    without_superseded,
)
from contractlint.rules.patterns import parse_pattern

LINES = {"receive": 1, "ack": 3, "persist": 5, "work": 7, "effect": 9}


def locate(source):
    line = LINES.get(source.split("[")[0], 99)
    return Place("app.py", line, 5, line, 9)


TELLING = Telling(locate, lambda source: source.split("[")[0] + "()")


def rule(pattern, **more):
    settings = {
        "code": "XX001",
        "name": "lost",
        "severity": "error",
        "summary": "{marked} comes before {last}",
        "why": "…",
        "fix": "turn it round",
        "after": ("the work of {last} is lost",),
    }
    return CompiledRule(Rule(**{**settings, **more}), (parse_pattern(pattern),))


LOST = "receive ... !ack crash ... (persist|work)"


@pytest.fixture
def found(paths):
    def found(*ways, pattern=LOST, **more):
        graph = paths(*ways).graph
        return list(findings_in(graph, [rule(pattern, **more)], "on_order", TELLING))

    return found


def test_the_place_is_that_of_the_marked_step(found):
    (finding,) = found("receive ack persist")
    assert (finding.path, finding.line, finding.column) == ("app.py", 3, 5)
    assert (finding.end_line, finding.end_column) == (3, 9)
    assert (finding.code, finding.rule, finding.severity) == ("XX001", "lost", "error")
    assert (finding.handler, finding.fix) == ("on_order", "turn it round")


def test_the_message_names_the_marked_and_the_last_step(found):
    (finding,) = found("receive ack persist")
    assert finding.message == "`ack()` comes before `persist()`"


def test_a_default_is_named(found):
    (finding,) = found("receive ack[default=on] persist")
    assert finding.message == "`ack()` comes before `persist()`; the default is on"


def test_where_the_marked_step_is_the_last_the_message_tells_what_was_begun(found):
    (finding,) = found("receive persist ack", pattern="receive ... !ack crash")
    assert finding.message == "`ack()` comes before `persist()`"


def test_the_scenario_tells_the_crash(found):
    (finding,) = found("receive ack persist")
    assert [(step.event, step.line) for step in finding.scenario] == [
        ("receive", 1),
        ("ack", 3),
        ("crash", 0),
        ("persist", 5),
        ("outcome", 0),
    ]
    texts = [step.text for step in finding.scenario]
    assert "`ack()`" in texts[1]
    assert texts[2] == "✗ the process dies here"
    assert texts[3].startswith("never reached: ")
    assert texts[4] == "the work of `persist()` is lost"


def test_what_comes_before_the_crash_is_reached(found):
    (finding,) = found(
        "receive work persist ack persist", pattern="receive ... !ack crash ... persist"
    )
    reached = [step.text for step in finding.scenario if step.event in ("work", "persist")]
    assert [text.startswith("never reached") for text in reached] == [False, False, True]


def test_a_crash_at_the_end(found):
    (finding,) = found("receive effect", pattern="receive ... !effect crash")
    assert [step.event for step in finding.scenario] == ["receive", "effect", "crash", "outcome"]


def test_without_a_crash_everything_happens(found):
    (finding,) = found("receive persist ack", pattern="receive ... !ack")
    assert all("never reached" not in step.text for step in finding.scenario)
    assert all(step.event != "crash" for step in finding.scenario)


@pytest.mark.parametrize(
    ("way", "confidence"),
    [
        ("receive ack persist", "high"),
        ("receive ack[grade=typed] persist[grade=typed]", "high"),
        ("receive ack[grade=bare] persist", "medium"),
        ("receive ack persist[grade=bare]", "medium"),
        ("receive ack work", "medium"),
    ],
)
def test_a_weak_step_makes_the_finding_weaker(found, way, confidence):
    (finding,) = found(way)
    assert finding.confidence == confidence


def test_one_finding_for_one_place(found):
    findings = found("receive ack persist", "receive work ack persist", "receive ack work")
    assert [finding.line for finding in findings] == [3]


def test_each_pattern_of_a_rule_counts(paths):
    both = CompiledRule(
        rule(LOST).rule, (parse_pattern(LOST), parse_pattern("receive ... !effect crash"))
    )
    graph = paths("receive effect ack persist").graph
    findings = list(findings_in(graph, [both], "h", TELLING))
    assert sorted(finding.line for finding in findings) == [3, 9]


@pytest.mark.parametrize(
    ("way", "answer"),
    [("receive work", True), ("receive persist", True), ("receive ack", False), ("receive", False)],
)
def test_a_handler_that_does_nothing_has_nothing_to_lose(paths, way, answer):
    assert does_something(paths(way).graph) is answer


def told_after_superseding(paths, *ways, exact_at="ack"):
    exact = rule(f"receive !{exact_at}", code="XX002", name="exact", supersedes=("XX001",))
    rules = [rule(LOST), exact]
    findings = findings_in(paths(*ways).graph, rules, "on_order", TELLING)
    return [(one.code, one.line) for one in without_superseded(findings, rules)]


def test_a_superseded_finding_at_the_same_place_is_left_out(paths):
    assert told_after_superseding(paths, "receive ack persist") == [("XX002", 3)]


def test_a_superseded_finding_elsewhere_stays(paths):
    ways = ("receive ack persist", "receive work")
    assert told_after_superseding(paths, *ways, exact_at="work") == [("XX001", 3), ("XX002", 7)]


def test_a_rule_that_does_not_run_supersedes_nothing(paths):
    rules = [rule(LOST, supersedes=("XX009",))]
    findings = findings_in(paths("receive ack persist").graph, rules, "on_order", TELLING)
    assert [one.code for one in without_superseded(findings, rules)] == ["XX001"]


def test_a_call_that_is_only_named_beside_a_proof_supersedes_nothing(paths):
    exact = rule("receive !work", code="XX002", name="exact", supersedes=("XX001",))
    rules = [rule(LOST), exact]
    graph = paths("receive ack persist", "receive work").graph
    named = Step("app.py", LINES["ack"], "also", "is called")
    told = [
        replace(one, scenario=(*one.scenario, named))
        for one in findings_in(graph, rules, "h", TELLING)
    ]
    assert {one.code for one in without_superseded(told, rules)} == {"XX001", "XX002"}
