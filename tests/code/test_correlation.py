"""Tests of the same value agree: a helper's answer, a flag, a found row."""

import pytest

from contractlint.code.flow import Flow
from contractlint.code.modules import Project
from contractlint.code.values import Scope

SKIPS = """
def settled(m):
    if m.old:
        ack(m)
        return {yes}
    a()
    return {no}
"""


@pytest.mark.parametrize(
    ("yes", "no", "test"),
    [
        ("True", "False", "settled(m)"),
        ("True", "False", "settled(m) is True"),
        ("True", "False", "settled(m) == True"),
        ("None", "1", "settled(m) is None"),
        ("None", "1", "not settled(m)"),
        ("False", "True", "settled(m) is False"),
        ("True", "None", "settled(m) is not None"),
        ("False", "True", "settled(m) == False"),
        ("'old'", "''", "settled(m)"),
        ("0", "1", "settled(m) == 0"),
    ],
)
def test_a_caller_that_asks_the_helper(graph, yes, no, test):
    above = SKIPS.format(yes=yes, no=no)
    assert graph(f"if {test}: return\nb()", above) == {"ack", "a · b"}


@pytest.mark.parametrize("test", ["answer", "answer is True", "answer is not False"])
def test_the_answer_may_wait_in_a_name(graph, test):
    above = SKIPS.format(yes="True", no="False")
    body = f"answer = settled(m)\nc()\nif {test}: return\nb()"
    assert graph(body, above) == {"ack · c", "a · c · b"}


def test_a_walrus_is_asked(graph):
    above = SKIPS.format(yes="None", no="1")
    assert graph("if (x := settled(m)) is None: return\nb()", above) == {"ack", "a · b"}


def test_falling_off_the_end_is_none(graph):
    above = "def found(m):\n    if m.x: return 1\n    ack(m)\n"
    assert graph("x = found(m)\nif x is None: return\nb()", above) == {"ack", "b"}


def test_a_bare_return_is_none(graph):
    above = "def found(m):\n    if m.x:\n        ack(m)\n        return\n    return m\n"
    assert graph("x = found(m)\nif x: b()", above) == {"ack", "b", ""}


def test_the_helper_of_a_helper(graph):
    above = SKIPS.format(yes="True", no="False") + "def outer(m): return settled(m)\n"
    assert graph("if outer(m): return\nb()", above) == {"ack", "a · b"}


def test_a_method_that_answers(graph):
    above = """
    class Gate:
        def skips(self, m):
            if m.old:
                ack(m)
                return True
            return False
    """
    assert graph("if not Gate().skips(m): b()", above) == {"ack", "b"}


def test_a_flag_set_in_a_branch(graph):
    body = "gone = False\nif m.x:\n    ack(m)\n    gone = True\nif not gone: b()"
    assert graph(body) == {"ack", "b"}


def test_a_flag_set_in_except(graph):
    body = "ok = True\ntry: risky()\nexcept Exception:\n    a()\n    ok = False\nif ok: b()"
    assert graph(body) == {"risky · b", "a"}


def test_a_flag_set_in_else(graph):
    body = "ok = False\ntry: risky()\nexcept Exception: a()\nelse: ok = True\nif ok: b()\nelse: c()"
    assert graph(body) == {"risky · b", "a · c"}


def test_a_flag_that_nobody_knows_goes_both_ways(graph):
    assert graph("big = m.big\nif big: a()\nif not big: b()") == {"a", "b"}


def test_two_flags(graph):
    body = "x = y = False\nif m.x: x = True\nif m.y: y = True\nif x: a()\nif y: b()\nif x: c()"
    assert graph(body) == {"", "a · c", "b", "a · b · c"}


def test_a_flag_that_is_set_again(graph):
    assert graph("ok = False\nif ok: a()\nok = True\nif ok: b()") == {"b"}


def test_a_conditional_expression_tells_too(graph):
    above = "def pick(m): return True if m.x else None\n"
    assert graph("x = pick(m)\nif x is None: a()\nelif x: b()\nelse: c()", above) == {"a", "b"}


def test_an_answer_in_a_pair_is_unknown(graph):
    above = "def pair(m):\n    if m.x: return True, a()\n    return False, b()\n"
    assert graph("ok, _ = pair(m)\nif ok: c()", above) >= {"a · c", "b"}


def test_calls_with_other_arguments_are_other_answers(graph):
    above = "def asks(m):\n    if m.x: return True\n    return False\n"
    assert graph("if asks(m): a()\nif not asks(m.y): b()", above) == {"a", "b", "", "a · b"}


def test_a_negated_answer(graph):
    above = SKIPS.format(yes="True", no="False") + "def fresh(m): return not settled(m)\n"
    assert graph("if fresh(m): b()", above) == {"ack", "a · b"}


def test_a_result_that_stays_none_after_a_failure(graph):
    above = "def load(m):\n    risky()\n    return [m]\n"
    body = "x = None\ntry: x = load(m)\nexcept Exception: a()\nif x is None: return\nb()"
    assert graph(body, above) == {"risky · b", "a"}


def test_a_local_flag_is_no_ledger(graph):
    body = "done = False\nif m.x:\n    ack(m)\n    done = True\nif not done: b()"
    assert graph(body) == {"ack", "b"}


def test_names_of_functions_that_have_ended_are_not_mistaken_for_others(tmp_path):
    """A scope that is gone leaves its place in memory to the next one, but not its slots."""
    module = Project(tmp_path).add("app.py", tmp_path / "app.py", b"")
    flow = Flow()
    assert len({flow.slot("answer", Scope(module)) for _ in range(50)}) == 50


LISTED = """
{before}found = []
if m.big:
    b()
    {grown}
if {test}: return
a()
"""


@pytest.mark.parametrize("test", ["not found", "len(found) == 0 or not found"])
@pytest.mark.parametrize(
    "grown", ["found.append(m)", "found.extend(m.rows)", "for x in m.rows: found.append(x)"]
)
def test_a_list_that_nobody_filled_is_empty(graph, test, grown):
    body = LISTED.format(before="", grown=grown, test=test)
    assert graph(body) == {"", "b", "b · a"}


def test_what_a_helper_collects_is_empty_where_it_was_asked(graph):
    above = """
    def collect(m):
        found: list[str] = []
        if m.big:
            b()
            found.append(m)
        return found if found else None
    """
    assert graph("found = collect(m)\nif found is None: return\na()", above) == {"", "b", "b · a"}


@pytest.mark.parametrize(
    ("before", "grown"),
    [
        ("", "fill(found)"),
        ("", "found.append(1); other = found; fill(other)"),
        ("", "found.append(1); fill(rows=found)"),
        ("", "found += m.rows"),
        ("", "found.append(1); self.found = found"),
        ("add = lambda x: found.append(x)\n", "add(1); fill(found)"),
    ],
)
def test_a_list_that_others_may_fill_can_be_either(graph, before, grown):
    body = LISTED.format(before=before, grown=grown, test="not found")
    assert graph(body) >= {"", "a", "b", "b · a"}
