"""Several handlers come to one fault: it is told once, and who else comes to it is named."""

from dataclasses import replace

from contractlint.findings import Finding, Step, one_a_fault

MAIL = ("mail.py", 9)


def finding(handler: str, *calls: tuple[str, int], at: tuple[str, int] = MAIL, **more) -> Finding:
    """Return a finding with a proof: a delivery, the calls, the fault, and what comes after."""
    steps = [Step(f"{handler}.py", 1, "receive", "a delivery")]
    steps += [Step(path, line, "call", "is called") for path, line in calls]
    steps += [Step(*at, "effect", "acts"), Step("", 0, "outcome", "twice")]
    values = {"code": "CL401", "rule": "r", "severity": "error", "confidence": "high"}
    values |= {"column": 1, "end_line": at[1], "end_column": 2, "message": "m", "fix": "f"}
    return Finding(path=at[0], line=at[1], handler=handler, scenario=tuple(steps), **values, **more)


def also(found: Finding) -> list[tuple[str, int, str]]:
    return [(s.path, s.line, s.text) for s in found.scenario if s.event == "also"]


def test_the_shortest_proof_is_told_and_the_others_are_named():
    long = finding("slow", ("slow.py", 4), ("helper.py", 2))
    short = finding("quick", ("helper.py", 2))
    (told,) = one_a_fault([long, short])
    assert told.handler == "quick"
    assert told.happening == short.scenario
    assert also(told) == [("slow.py", 4, "is called from `slow`")]


def test_a_call_before_another_step_is_no_way_into_the_fault():
    scenario = (
        Step("slow.py", 1, "receive", "a delivery"),
        Step("slow.py", 3, "call", "is called"),
        Step("store.py", 7, "persist", "stores"),
        Step("slow.py", 4, "call", "is called"),
        Step(*MAIL, "effect", "acts"),
    )
    slow = replace(finding("slow"), scenario=scenario)
    (told,) = one_a_fault([finding("quick", ("quick.py", 5)), slow])
    assert also(told) == [("slow.py", 4, "is called from `slow`")]


def test_each_handler_is_named_once_however_often_it_is_merged():
    rows = [finding(name, (f"{name}.py", 5)) for name in ("one", "two", "three")]
    again = one_a_fault([*one_a_fault(rows[:2]), *one_a_fault(rows[1:])])
    assert [path for path, _, _ in also(again[0])] == ["three.py", "two.py"]


def test_other_calls_of_the_same_handler_are_named_by_their_code():
    rows = [finding("on_order", ("on_order.py", line), ("mailer.py", 2)) for line in (5, 8, 11)]
    (told,) = one_a_fault(rows)
    assert also(told) == [("on_order.py", 8, "is called"), ("on_order.py", 11, "is called")]


def test_of_a_long_way_the_call_nearest_to_the_fault_is_named():
    far = finding("far", ("far.py", 3), ("far.py", 30), ("mailer.py", 2))
    (told,) = one_a_fault([finding("near", ("mailer.py", 2)), far])
    assert also(told) == [("far.py", 30, "is called from `far`")]


def test_what_stands_elsewhere_is_another_fault():
    rows = [finding("one", ("one.py", 5)), finding("two", ("two.py", 5), at=("mail.py", 10))]
    assert [also(told) for told in one_a_fault(rows)] == [[], []]


def test_many_calls_are_not_all_named():
    (told,) = one_a_fault(finding("on_order", ("on_order.py", line)) for line in range(2, 30))
    assert len(also(told)) == 8


def test_a_fault_in_the_handler_itself_has_no_way_into_it():
    (told,) = one_a_fault([finding("on_order"), finding("on_order_again")])
    assert told.scenario == finding("on_order").scenario
