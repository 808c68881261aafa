"""Straight lines, branches and loops: which steps can follow each other."""

import pytest


def test_straight_line(graph):
    assert graph("a(); b()\nc()") == {"a · b · c"}


def test_arguments_come_before_the_call(graph):
    assert graph("c(a(), key=b())") == {"a · b · c"}


def test_the_right_side_comes_before_its_target(graph):
    assert graph("table = {}\ntable[a()] = b()") == {"b · a"}


@pytest.mark.parametrize(
    ("body", "traces"),
    [
        ("if m.big: a()", {"a", ""}),
        ("if m.big: a()\nelse: b()", {"a", "b"}),
        ("if m.x: a()\nelif m.y: b()\nelse: c()", {"a", "b", "c"}),
        ("if m.x: a()\nelif m.y: b()\nd()", {"a · d", "b · d", "d"}),
        ("if m.x:\n    if m.y: a()\n    b()\nc()", {"a · b · c", "b · c", "c"}),
        ("if a(): b()\nelse: c()", {"a · b", "a · c"}),
    ],
)
def test_if(graph, body, traces):
    assert graph(body) == traces


@pytest.mark.parametrize(
    ("test", "traces"),
    [
        ("True", {"a"}),
        ("False", {"b"}),
        ("None", {"b"}),
        ("not True", {"b"}),
        ("1", {"a"}),
        ("True and m.x", {"a", "b"}),
        ("False and m.x", {"b"}),
        ("True or m.x", {"a"}),
    ],
)
def test_a_constant_test_has_one_branch(graph, test, traces):
    assert graph(f"if {test}: a()\nelse: b()") == traces


@pytest.mark.parametrize(
    ("test", "traces"),
    [
        ("a() and b()", {"a · b · c", "a · b · d", "a · d"}),
        ("a() or b()", {"a · c", "a · b · c", "a · b · d"}),
        ("not a()", {"a · c", "a · d"}),
        ("not (a() and b())", {"a · c", "a · b · c", "a · b · d"}),
        (
            "(a() or b()) and e()",
            {"a · e · c", "a · e · d", "a · b · e · c", "a · b · e · d", "a · b · d"},
        ),
    ],
)
def test_short_circuit_in_a_test(graph, test, traces):
    assert graph(f"if {test}: c()\nelse: d()") == traces


@pytest.mark.parametrize(
    ("body", "traces"),
    [
        ("x = a() and b()", {"a", "a · b"}),
        ("x = a() or b()", {"a", "a · b"}),
        ("x = a() if m.x else b()", {"a", "b"}),
        ("x = (a() if m.y else b()) if m.x else c()", {"a", "b", "c"}),
        ("d(a() if m.x else b())", {"a · d", "b · d"}),
        ("m.x and a()\nb()", {"a · b", "b"}),
        ("m.x or a()\nb()", {"a · b", "b"}),
    ],
)
def test_expressions_that_branch(graph, body, traces):
    assert graph(body) == traces


def test_a_walrus_keeps_its_value(graph):
    assert graph("if (x := a()): b()\nif x: c()") == {"a · b · c", "a"}


def test_two_tests_of_one_name_agree(graph):
    assert graph("x = a()\nif x: b()\nif not x: c()") == {"a · b", "a · c"}


def test_a_name_that_is_assigned_anew_is_tested_anew(graph):
    assert graph("x = a()\nif x: b()\nx = d()\nif x: c()") == {
        "a · b · d · c",
        "a · b · d",
        "a · d · c",
        "a · d",
    }


@pytest.mark.parametrize(
    ("cases", "traces"),
    [
        ("case 1: a()\n    case 2: b()", {"a", "b", ""}),
        ("case 1: a()\n    case _: b()", {"a", "b"}),
        ("case {'id': x}: a()\n    case [x, *rest]: b()\n    case other: c()", {"a", "b", "c"}),
        ("case _ if m.x: a()", {"a", ""}),
        ("case str() | bytes(): a()\n    case Order(number=n): b()", {"a", "b", ""}),
    ],
)
def test_match(graph, cases, traces):
    assert graph(f"match m.kind:\n    {cases}") == traces


def test_the_subject_of_a_match_is_evaluated_once(graph):
    assert graph("match a():\n    case 1: b()\n    case _: c()") == {"a · b", "a · c"}


@pytest.mark.parametrize(
    ("body", "traces"),
    [
        ("for x in m.rows: a()", {"", "a"}),
        ("for x in m.rows: a()\nelse: b()", {"b", "a · b"}),
        (
            "for x in m.rows:\n    if m.x: break\n    a()\nelse: b()\nc()",
            {"c", "b · c", "a · b · c", "a · c"},
        ),
        ("for x in m.rows:\n    if m.x: continue\n    a()\nb()", {"b", "a · b"}),
        ("for x in a(): b()", {"a", "a · b"}),
        ("while m.more: a()", {"", "a"}),
        ("while m.more: a()\nelse: b()", {"b", "a · b"}),
        ("while True:\n    a()\n    if m.x: break\nb()", {"a · b", "a · a · b"}),
        ("while True:\n    if m.x: break\n    a()\nelse: c()\nb()", {"b", "a · b"}),
        ("while a(): b()", {"a", "a · b · a"}),
    ],
)
def test_loops(graph, body, traces):
    assert graph(body) == traces


def test_an_endless_loop_has_no_end(graph):
    assert graph("while True: a()") == set()


def test_break_leaves_the_innermost_loop(graph):
    body = """
    for x in m.rows:
        for y in x:
            a()
            break
        b()
    """
    assert graph(body) == {"", "b", "a · b"}


def test_what_follows_a_return_does_not_happen(graph):
    assert graph("a()\nreturn\nb()") == {"a"}
    assert graph("a()\nreturn b()\nc()") == {"a · b"}
    assert graph("if m.x:\n    return a()\nb()") == {"a", "b"}


def test_what_follows_a_raise_does_not_happen(graph):
    assert graph("a()\nraise ValueError(b())\nc()", fails=True) == {"a · b · ✗"}


def test_an_assertion_goes_on_or_fails(graph):
    assert graph("assert a()\nb()", fails=True) == {"a · b", "a · ✗"}


@pytest.mark.parametrize(
    ("body", "traces"),
    [
        ("[a(x) for x in m.rows]", {"", "a"}),
        ("[a(x) for x in b()]", {"b", "b · a"}),
        ("{a(x): b(x) for x in m.rows}", {"", "a · b"}),
        ("[b(x) for x in m.rows if a(x)]", {"", "a", "a · b"}),
        ("sum(a(x) for x in m.rows)", {"", "a"}),
    ],
)
def test_comprehensions(graph, body, traces):
    assert graph(body) == traces


@pytest.mark.parametrize(
    "body", ["await a()\nb()", "x = await a()\nawait b()", "(await a()).x\nb()"]
)
def test_await_is_the_call(graph, body):
    assert graph(body) == {"a · b"}


def test_strings_and_subscripts_are_evaluated(graph):
    assert graph('f"{a()}"\nm[b()]\n-c()\nd() + e()\n(f(),)') == {"a · b · c · d · e · f"}


def test_a_comparison_evaluates_its_operands(graph):
    assert graph("a() < b()") == {"a · b"}


def test_a_guard_that_fails_goes_to_the_next_case(graph):
    body = "match m.kind:\n    case 1 if c(): a()\n    case _: b()"
    assert graph(body) == {"c · a", "c · b", "b"}


def test_a_nested_comprehension_may_find_nothing_outside(graph):
    assert graph("{a(y) for x in m.rows for y in b(x)}") == {"", "b", "b · a"}
