"""Exceptions: the call that raised did not happen, and `finally` runs on every way out.

`risky` may fail before it has happened, `late` before or after; `a` … `f` never fail.
"""

import pytest


def test_a_call_that_raises_did_not_happen(graph):
    assert graph("a()\nrisky()\nb()", fails=True) == {"a · risky · b", "a · ✗"}


def test_an_effect_that_raises_may_have_happened(graph):
    assert graph("a()\nlate()\nb()", fails=True) == {"a · late · b", "a · ✗", "a · late · ✗"}


def test_an_acknowledgement_can_fail_too(graph):
    assert graph("ack(m)\na()", fails=True) == {"ack · a", "✗"}


def test_what_cannot_fail_has_one_way_on(graph):
    assert graph("free()\nprint(m)\nlen(m)\na()", fails=True) == {"a"}


@pytest.mark.parametrize(
    "line",
    ["logger.info('%s', m.x)", "logging.exception('no')", "log.warning(m)", "self.metrics.inc()"],
)
def test_logging_and_metrics_do_not_fail(graph, line):
    assert graph(f"{line}\na()", above="import logging\n", fails=True) == {"a"}


def test_except(graph):
    assert graph("try: risky()\nexcept Exception: a()\nb()") == {"risky · b", "a · b"}


def test_an_effect_before_except(graph):
    assert graph("try: late()\nexcept Exception: a()\nb()") == {"late · b", "a · b", "late · a · b"}


def test_else_belongs_to_success_and_is_not_guarded(graph):
    body = "try: risky()\nexcept Exception: a()\nelse:\n    b(); risky()\nc()"
    assert graph(body, fails=True) == {"risky · b · risky · c", "a · c", "risky · b · ✗"}


def test_finally_runs_on_every_way(graph):
    assert graph("try: risky()\nfinally: a()\nb()", fails=True) == {"risky · a · b", "a · ✗"}


def test_finally_runs_after_return(graph):
    body = "try:\n    if m.x: return b()\n    c()\nfinally: a()\nd()"
    assert graph(body) == {"b · a", "c · a · d"}


def test_a_finally_that_fails_is_beyond_its_own_except(graph):
    body = "try: return a()\nexcept Exception: b()\nfinally: risky()"
    assert graph(body, fails=True) == {"a · risky", "a · ✗"}


def test_nested_finally_runs_inside_out(graph):
    body = "try:\n    try: return c()\n    finally: a()\nfinally: b()"
    assert graph(body) == {"c · a · b"}


def test_finally_runs_after_break_and_continue(graph):
    body = """
    for x in m.rows:
        try:
            if m.x: break
            if m.y: continue
            b()
        finally: a()
    c()
    """
    assert graph(body) == {"c", "a · c", "b · a · c", "b · a · a · c", "a · a · c"}


def test_except_else_finally_together(graph):
    body = "try: risky()\nexcept Exception: a()\nelse: b()\nfinally: c()"
    assert graph(body, fails=True) == {"risky · b · c", "a · c"}


def test_return_in_except_still_runs_finally(graph):
    body = "try: risky()\nexcept Exception:\n    a()\n    return\nfinally: b()\nc()"
    assert graph(body) == {"risky · b · c", "a · b"}


def test_return_in_finally_swallows_the_exception(graph):
    assert graph("try: risky()\nfinally: return a()", fails=True) == {"risky · a", "a"}


def test_a_failure_in_except_leaves(graph):
    body = "try: risky()\nexcept Exception:\n    risky()\n    a()"
    assert graph(body, fails=True) == {"risky", "risky · a", "✗"}


def test_reraise(graph):
    body = "try: risky()\nexcept Exception:\n    a()\n    raise\nb()"
    assert graph(body, fails=True) == {"risky · b", "a · ✗"}


def test_the_inner_handler_comes_first(graph):
    body = """
    try:
        try: risky()
        except ValueError: a()
    except Exception: b()
    """
    assert graph(body) == {"risky", "a", "b"}


@pytest.mark.parametrize(
    ("raised", "caught", "traces"),
    [
        ("ValueError()", "ValueError", {"a"}),
        ("ValueError", "ValueError", {"a"}),
        ("KeyError('x')", "LookupError", {"a"}),
        ("ValueError()", "Exception", {"a"}),
        ("ValueError()", "BaseException", {"a"}),
        ("ValueError()", "KeyError", {"✗"}),
        ("ValueError()", "(KeyError, ValueError)", {"a"}),
        ("OSError()", "ConnectionError", {"✗"}),
        ("ConnectionError()", "OSError", {"a"}),
    ],
)
def test_which_handler_catches(graph, raised, caught, traces):
    body = f"try: raise {raised}\nexcept {caught}: a()"
    assert graph(body, fails=True) == traces


def test_classes_of_the_project_have_bases(graph):
    above = """
    class ShopError(Exception): pass
    class Sold(ShopError): pass
    class Other(Exception): pass
    """
    body = "try: raise Sold()\nexcept Other: b()\nexcept ShopError: a()"
    assert graph(body, above, fails=True) == {"a"}


def test_a_bare_except_catches_all(graph):
    assert graph("try: raise SystemExit\nexcept: a()", fails=True) == {"a"}


def test_except_star(graph):
    body = "try: risky()\nexcept* ValueError: a()\nexcept* OSError: b()\nc()"
    assert {"risky · c", "a · c", "b · c"} <= graph(body)


def test_the_first_matching_handler_takes_it(graph):
    body = "try: raise KeyError\nexcept LookupError: a()\nexcept KeyError: b()"
    assert graph(body, fails=True) == {"a"}


@pytest.mark.parametrize(
    ("classes", "kind"),
    [
        ("Exception", "catch-all"),
        ("BaseException", "catch-all"),
        ("(ValueError, Exception)", "catch-all"),
        ("TimeoutError", "transient"),
        ("ConnectionError", "transient"),
        ("json.JSONDecodeError", "permanent"),
        ("KeyError", "permanent"),
        ("FileExistsError", "duplicate"),
        ("(ConnectionError, KeyError)", "mixed"),
    ],
)
def test_what_a_handler_says_about_repeating(lower, classes, kind):
    source = f"""
    import json
    from steps import handler, risky, a

    @handler
    def handle(m):
        try: risky(m)
        except {classes}: a()
    """
    assert lower(source).attributes("failure", "kind") == {kind}


def test_a_bare_except_is_a_catch_all(lower):
    source = """
    from steps import handler, risky, a

    @handler
    def handle(m):
        try: risky(m)
        except: a()
    """
    assert lower(source).attributes("failure", "kind") == {"catch-all"}


# -- with ---------------------------------------------------------------------------------------


def test_with_does_its_exit_after_the_block(graph):
    assert graph("with steps.open() as o: a()\nb()") == {"a · left · b"}


def test_several_items_leave_in_reverse_order(graph):
    body = "with steps.open(), contextlib.closing(m.x):\n    a()\nb()"
    assert graph(body, above="import contextlib\n") == {"a · left · b"}
    assert graph("with steps.open(), steps.open(): a()") == {"a · left · left"}


def test_items_in_brackets(graph):
    assert graph("with (\n    steps.open() as x,\n    steps.open() as y,\n):\n    a()") == {
        "a · left · left"
    }


def test_an_exception_leaves_by_the_error_exit(graph):
    assert graph("with steps.open(): risky()\nb()", fails=True) == {
        "risky · left · b",
        "left-by-error · ✗",
    }


def test_an_exception_through_two_items(graph):
    assert graph("with steps.open(), steps.open(): risky()", fails=True) == {
        "risky · left · left",
        "left-by-error · left-by-error · ✗",
    }


def test_return_in_with_leaves_normally(graph):
    assert graph("with steps.open():\n    return a()\nb()") == {"a · left"}


def test_break_in_with_leaves_normally(graph):
    body = "for x in m.rows:\n    with steps.open():\n        a()\n        break\nb()"
    assert graph(body) == {"b", "a · left · b"}


def test_async_with(graph):
    assert graph("async with steps.open() as o: await a()\nb()") == {"a · left · b"}


def test_with_around_try(graph):
    body = """
    with steps.open():
        try: risky()
        except Exception: a()
    b()
    """
    assert graph(body, fails=True) == {"risky · left · b", "a · left · b"}


def test_try_around_with(graph):
    body = """
    try:
        with steps.open(): risky()
    except Exception: a()
    """
    assert graph(body, fails=True) == {"risky · left", "left-by-error · a"}


@pytest.mark.parametrize("name", ["contextlib.suppress", "suppress"])
def test_suppress_is_a_silent_except(graph, name):
    above = "import contextlib\nfrom contextlib import suppress\n"
    body = f"with {name}(Exception): risky(); a()\nb()"
    assert graph(body, above, fails=True) == {"risky · a · b", "b"}


def test_a_context_manager_class_of_the_project(graph):
    above = """
    class Guard:
        def __enter__(self):
            a()
            return self
        def __exit__(self, *rest):
            b()
    """
    assert graph("with Guard(): c()\nd()", above) == {"a · c · b · d"}


def test_a_generator_as_context_manager(graph):
    above = """
    import contextlib

    @contextlib.contextmanager
    def around(x):
        a()
        try:
            yield x
        finally:
            b()
    """
    assert graph("with around(m) as x: risky()\nd()", above, fails=True) == {
        "a · risky · b · d",
        "a · b · ✗",
    }
    assert graph("with around(m):\n    return c()", above) == {"a · c · b"}


def test_a_generator_that_commits_after_its_yield(graph):
    above = """
    import contextlib

    @contextlib.contextmanager
    def unit():
        yield a()
        b()
    """
    assert graph("with unit(): risky()\nd()", above, fails=True) == {"a · risky · b · d", "a · ✗"}


def test_suppress_lets_other_classes_through(graph):
    body = "with contextlib.suppress(KeyError): raise ValueError\na()"
    assert graph(body, "import contextlib\n", fails=True) == {"✗"}


def test_the_exit_of_a_project_class_runs_on_errors_too(graph):
    above = """
    class Guard:
        def __enter__(self): a()
        def __exit__(self, *rest): b()
    """
    assert graph("with Guard(): risky()\nd()", above, fails=True) == {
        "a · risky · b · d",
        "a · b · ✗",
    }
