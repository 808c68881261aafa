"""Calls are followed into the project: functions, methods, closures, partials, generators."""

import pytest


def test_a_function_of_the_module(graph):
    assert graph("a()\nhelp_out(m)\nc()", "def help_out(x): b()") == {"a · b · c"}


def test_through_several_functions(graph):
    above = """
    def one(x): two(x)
    def two(x): three(x)
    def three(x): a()
    """
    assert graph("one(m)\nb()", above) == {"a · b"}


def test_a_function_defined_later(graph):
    assert graph("late_one()", "def late_one(): later()\ndef later(): a()") == {"a"}


def test_branches_and_returns_of_the_callee(graph):
    above = """
    def choose(x):
        if x: return a()
        b()
    """
    assert graph("choose(m)\nc()", above) == {"a · c", "b · c"}


def test_an_exception_of_the_callee_is_the_callers(graph):
    above = "def fail(x):\n    risky()\n    raise ValueError"
    body = "try: fail(m)\nexcept ValueError: a()"
    assert graph(body, above) == {"a", "risky · a"}


def test_a_callee_that_only_raises_never_returns(graph):
    assert graph("fail()\na()", "def fail(): raise ValueError", fails=True) == {"✗"}


def test_finally_of_the_caller_runs_for_the_callee(graph):
    assert graph("try: fail()\nfinally: a()", "def fail(): raise ValueError", fails=True) == {
        "a · ✗"
    }


def test_recursion_is_cut(graph):
    above = "def again(x):\n    a()\n    if x: again(x)\n    b()"
    assert graph("again(1)\nc()", above) == {"a · b · c"}


def test_mutual_recursion_is_cut(graph):
    above = """
    def ping(x):
        a()
        pong(x)
    def pong(x):
        b()
        ping(x)
    """
    assert graph("ping(1)\nc()", above) == {"a · b · c"}


# -- arguments ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "call",
    [
        "run(a, b)",
        "run(a, second=b)",
        "run(second=b, first=a)",
        "run(*[a, b])",
        "run(**{'first': a, 'second': b})",
    ],
)
def test_functions_as_arguments(graph, call):
    assert graph(call, "def run(first, second):\n    first()\n    second()") == {"a · b"}


def test_a_default_argument(graph):
    assert graph("run()\nrun(b)", "def run(step=a): step()") == {"a · b"}


def test_star_arguments_are_handed_on(graph):
    above = """
    def outer(*args, **kwargs): inner(*args, **kwargs)
    def inner(step, other):
        step()
        other()
    """
    assert graph("outer(a, other=b)", above) == {"a · b"}


# -- methods ------------------------------------------------------------------------------------


def test_a_method(graph):
    above = """
    class Shop:
        def sell(self): a(); self.pack()
        def pack(self): b()
    """
    assert graph("Shop().sell()\nc()", above) == {"a · b · c"}


def test_a_method_of_an_object_in_a_name(graph):
    above = "class Shop:\n    def sell(self): a()\nshop = Shop()"
    assert graph("shop.sell()", above) == {"a"}


def test_a_method_of_a_base_class(graph):
    above = """
    class Base:
        def run(self):
            self.before()
            self.step()
        def before(self): a()
        def step(self): b()
    class Own(Base):
        def step(self): c()
    """
    assert graph("Own().run()", above) == {"a · c"}


def test_super(graph):
    above = """
    class Base:
        def run(self, x): a()
    class Own(Base):
        def run(self, x):
            super().run(x)
            b()
    """
    assert graph("Own().run(m)", above) == {"a · b"}


def test_super_through_two_levels(graph):
    above = """
    class One:
        def run(self): a()
    class Two(One):
        def run(self):
            super().run()
            b()
    class Three(Two):
        def run(self):
            super().run()
            c()
    """
    assert graph("Three().run()", above) == {"a · b · c"}


@pytest.mark.parametrize("decorator", ["staticmethod", "classmethod"])
def test_static_and_class_methods(graph, decorator):
    params = "x" if decorator == "staticmethod" else "cls, x"
    above = f"class Shop:\n    @{decorator}\n    def sell({params}): x()"
    assert graph("Shop.sell(a)", above) == {"a"}
    assert graph("Shop().sell(a)", above) == {"a"}


def test_a_project_function_that_a_constructor_keeps(graph):
    above = """
    def step(): a()
    class Shop:
        def __init__(self, step): self.step = step
        def sell(self): self.step()
    """
    assert graph("Shop(step).sell()", above) == {"a"}


def test_a_constructor(graph):
    above = "class Shop:\n    def __init__(self, step): step()"
    assert graph("Shop(a)\nb()", above) == {"a · b"}


def test_a_callable_object(graph):
    above = "class Step:\n    def __call__(self, x): a()"
    assert graph("step = Step()\nstep(m)\nStep()(m)", above) == {"a · a"}


def test_an_attribute_of_self(graph):
    above = """
    class Store:
        def put(self): a()
    class Shop:
        def __init__(self): self.store = Store()
        def sell(self): self.store.put()
    """
    assert graph("Shop().sell()", above) == {"a"}


def test_an_annotated_attribute(graph):
    above = """
    class Store:
        def put(self): a()
    class Shop:
        store: Store
        def sell(self): self.store.put()
    """
    assert graph("Shop().sell()", above) == {"a"}


def test_a_bound_method_in_a_name(graph):
    above = "class Shop:\n    def sell(self): a()"
    assert graph("sell = Shop().sell\nsell()", above) == {"a"}


# -- functions as values ------------------------------------------------------------------------


def test_a_lambda(graph):
    assert graph("step = lambda x: a(b(x))\nstep(m)") == {"b · a"}


def test_a_lambda_is_not_called_where_it_stands(graph):
    assert graph("step = lambda: a()\nb()") == {"b"}


def test_a_nested_function(graph):
    assert graph("def inner(): a()\nb()\ninner()") == {"b · a"}


def test_a_closure_sees_the_names_around_it(graph):
    assert graph("step = a\ndef inner(): step()\ninner()") == {"a"}


def test_a_function_that_makes_a_function(graph):
    above = """
    def make(step):
        def made(x): step()
        return made
    """
    assert graph("run = make(a)\nrun(m)", above) == {"a"}


def test_partial(graph):
    above = """
    import functools
    from functools import partial

    def run(first, second):
        first()
        second()
    """
    assert graph("functools.partial(run, a)(b)", above) == {"a · b"}
    assert graph("step = partial(partial(run, a), second=b)\nstep()", above) == {"a · b"}


def test_a_project_function_chosen_by_a_condition(graph):
    above = "def one(x): a()\ndef two(x): b()"
    assert graph("step = one if m.x else two\nstep(m)", above) == {"a", "b"}


def test_a_function_from_a_table(graph):
    above = "def one(x): a()\ndef two(x): b()\nTABLE = {'one': one, 'two': two}"
    assert graph("TABLE['two'](m)", above) == {"b"}


def test_a_function_that_is_called_by_a_library(graph):
    assert graph("steps.run_here(a)\nb()") == {"a · b"}


def test_a_decorated_helper_is_still_the_helper(graph):
    above = """
    import functools

    def logged(function):
        @functools.wraps(function)
        def wrapper(*args, **kwargs):
            free()
            return function(*args, **kwargs)
        return wrapper

    @logged
    def help_out(x): a()
    """
    assert graph("help_out(m)\nb()", above) == {"a · b"}


# -- generators ---------------------------------------------------------------------------------


def test_a_loop_over_a_generator_interleaves(graph):
    above = """
    def rows(x):
        a()
        yield 1
        b()
    """
    assert graph("for row in rows(m): c()\nd()", above) == {"a · c · b · d"}


def test_a_generator_that_loops(graph):
    above = """
    def rows(x):
        for part in x:
            a()
            yield part
            b()
    """
    assert graph("for row in rows(m): c()\nd()", above) == {"d", "a · c · b · d"}


def test_a_generator_that_is_left_early(graph):
    above = "def rows(x):\n    while True:\n        a()\n        yield x"
    body = "for row in rows(m):\n    if row.last: break\n    c()\nd()"
    assert graph(body, above) == {"a · d", "a · c · a · d"}


def test_an_async_generator(graph):
    above = "async def rows(x):\n    await a()\n    yield x"
    assert graph("async for row in rows(m): await c()", above) == {"a · c"}


# -- what is not followed -----------------------------------------------------------------------


def test_an_unknown_call_with_the_message_is_work(graph):
    assert graph("a()\nshop.sell(m)\nb()") == {"a · work · b"}


def test_an_unknown_call_without_it_is_nothing(graph):
    assert graph("a()\nshop.open()\nb()") == {"a · b"}


@pytest.mark.parametrize(
    "call", ["parse(m)", "validate_order(m)", "json.loads(m)", "to_row(m)", "str(m)", "Order(m)"]
)
def test_reading_and_computing_is_no_work(graph, call):
    assert graph(f"{call}\na()", "import json\n") == {"a"}


def test_what_is_computed_from_the_message_is_of_the_message(graph):
    assert graph("order = json.loads(m.body)\nshop.sell(order['id'])", "import json\n") == {"work"}


@pytest.mark.parametrize(
    "body",
    [
        "...",
        "raise NotImplementedError",
        "raise NotImplementedError('later')",
        "'''Told.'''\n  ...",
    ],
)
def test_a_method_that_is_left_open_may_do_anything(graph, body):
    above = f"class Base:\n def keep(self, x):\n  {body}\ndef store(to: Base, x): to.keep(x); a()"
    assert graph("store(m.base, m)", above) == {"work · a"}


def test_an_abstract_method_without_a_body(graph):
    above = """
    from abc import ABC, abstractmethod
    class Base(ABC):
        @abstractmethod
        def keep(self, x): pass
    def store(to: Base, x): to.keep(x)
    """
    assert graph("store(m.base, m)", above) == {"work"}


def test_a_method_that_does_nothing_does_nothing(graph):
    above = "class Base:\n def keep(self, x): pass\ndef store(to: Base, x): to.keep(x); a()"
    assert graph("store(m.base, m)", above) == {"a"}


def test_arguments_in_a_dict_that_nobody_can_see(graph):
    assert graph("unknown(**m.fields)") == {"work"}
    assert graph("unknown(**other)") == {""}


def test_what_a_constructor_keeps(graph):
    above = """
    class Shop:
        def __init__(self, step): self.step = step
        def sell(self): self.step()
    """
    assert graph("Shop(a).sell()", above) == {"a"}


def test_a_property(graph):
    above = """
    class Store:
        def put(self): a()
    class Shop:
        @property
        def store(self): return Store()
    """
    assert graph("Shop().store.put()", above) == {"a"}


def test_a_function_chosen_by_a_condition(graph):
    assert graph("step = a if m.x else b\nstep()") == {"a", "b"}


def test_a_function_from_a_table_by_an_unknown_key(graph):
    above = "def one(x): a()\ndef two(x): b()\nTABLE = {'one': one, 'two': two}"
    assert graph("TABLE[m.kind](m)", above) == {"a", "b"}
    assert graph("TABLE.get(m.kind)(m)", above) == {"a", "b"}


def test_yield_from(graph):
    above = "def inner(x):\n    a()\n    yield x\ndef outer(x):\n    yield from inner(x)\n    b()"
    assert graph("for row in outer(m): c()", above) == {"a · c · b"}
