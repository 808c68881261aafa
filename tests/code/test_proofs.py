"""What a test proves: the error was told apart, attempts counted, the work looked up."""

import pytest

ERRORS = "classified bounded ledger_check shutdown"


def after_failure(lower, then: str, above: str = "") -> set[str]:
    source = f"""
from steps import handler, risky, a, b
{above}
@handler
def handle(m):
    try: risky(m)
    except Exception as error:
{then}
"""
    return {text for text in lower(source).traces(show=ERRORS) if not text.startswith("risky")}


@pytest.mark.parametrize(
    "test",
    [
        "isinstance(error, ConnectionError)",
        "error.code in (502, 503)",
        "type(error) is TimeoutError",
        "is_passing(error)",
        "'timeout' in str(error)",
    ],
)
def test_a_look_at_the_error_classifies(lower, test):
    assert after_failure(lower, f"        if {test}: a()\n        else: b()") == {
        "classified · a",
        "classified · b",
    }


@pytest.mark.parametrize(
    "test",
    [
        "m.attempts < 3",
        "attempt > LIMIT",
        "m.headers['x-delivery-count'] < 3",
        "m.retry_count == 0",
        "not m.redelivered",
    ],
)
def test_a_look_at_the_counter_bounds(lower, test):
    traces = after_failure(
        lower, f"        if {test}: a()\n        else: b()", "LIMIT = attempt = 3"
    )
    assert traces
    assert all("bounded" in text for text in traces)


@pytest.mark.parametrize("test", ["m.size < 3", "m.order['countries']", "m.entries", "m.price > 0"])
def test_any_other_test_of_the_message_proves_nothing(lower, test):
    traces = after_failure(lower, f"        if {test}: a()\n        else: b()")
    assert traces == {"a", "b"}


def test_a_transient_class_is_a_classification(lower):
    source = """
    from steps import handler, risky, a, b
    @handler
    def handle(m):
        try: risky(m)
        except TimeoutError: a()
        except Exception: b()
    """
    assert {"classified · a", "classified · b"} <= lower(source).traces(show=ERRORS)


def test_a_broad_handler_alone_is_none(lower):
    assert after_failure(lower, "        a()") == {"a"}


@pytest.mark.parametrize(
    "test", ["already_sent(m)", "m.id in processed", "ledger.is_processed(m.id)", "seen(m.id)"]
)
def test_a_ledger_by_name(graph, test):
    traces = graph(f"if {test}: return\na()", "processed = set()\n", show="ledger_check")
    assert all(text.startswith("ledger_check") for text in traces)


@pytest.mark.parametrize(
    "test", ["is_valid(m)", "m.processed_count > 3", "m.urgent", "m.kind == 'x'"]
)
def test_what_is_no_ledger(graph, test):
    assert graph(f"if {test}: return\na()", show="ledger_check") == {"", "a"}


def test_a_state_that_was_loaded_is_a_ledger(lower):
    source = """
    import steps
    @steps.handler
    def handle(m):
        row = repo.load_order(m.id)
        if row.status == 'paid': return
        steps.a()
    """
    assert all("ledger_check" in text for text in lower(source).traces(show="ledger_check"))


def test_a_state_that_came_with_the_message_is_none(graph):
    assert graph("if m.status == 'paid': return\na()", show="ledger_check") == {"", "a"}


def test_a_stop_flag(graph):
    assert graph("if stopping.is_set(): return a()\nb()", show="shutdown") == {"shutdown · a", "b"}
