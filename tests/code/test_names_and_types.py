"""What a name means: imports, attributes, annotations, registrations; and how sure it is."""

import pytest


def steps_of(lowered, name="handle"):
    return lowered.traces(name)


# -- imports ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("imported", "call"),
    [
        ("import steps", "steps.a()"),
        ("import steps as s", "s.a()"),
        ("from steps import a", "a()"),
        ("from steps import a as first", "first()"),
        ("import steps\nother = steps", "other.a()"),
        ("import steps\nfirst = steps.a", "first()"),
        ("try:\n    from steps import a\nexcept ImportError:\n    from other import a", "a()"),
    ],
)
def test_imports(lower, imported, call):
    source = f"from steps import handler\n{imported}\n@handler\ndef handle(m):\n    {call}\n"
    assert steps_of(lower(source)) == {"a"}


def test_an_import_inside_the_function(graph):
    assert graph("from steps import a as inner\ninner()") == {"a"}


def test_a_local_name_hides_the_import(graph):
    assert graph("a = m.other\na()") == {""}


def test_a_function_of_another_module(lower):
    source = """
    from steps import handler
    from helpers import store
    @handler
    def handle(m):
        store(m)
    """
    others = {"helpers.py": "import steps\ndef store(x): steps.a()"}
    assert steps_of(lower(source, others=others)) == {"a"}


@pytest.mark.parametrize(
    ("imported", "call"),
    [
        ("from .helpers import store", "store(m)"),
        ("from . import helpers", "helpers.store(m)"),
        ("from shop import helpers", "helpers.store(m)"),
        ("import shop.helpers", "shop.helpers.store(m)"),
        ("import shop.helpers as h", "h.store(m)"),
    ],
)
def test_modules_of_the_same_package(lower, imported, call):
    source = f"from steps import handler\n{imported}\n@handler\ndef handle(m):\n    {call}\n"
    others = {"shop/__init__.py": "", "shop/helpers.py": "import steps\ndef store(x): steps.a()"}
    assert steps_of(lower(source, "shop/app.py", others)) == {"a"}


def test_a_relative_import_from_the_parent(lower):
    source = "from steps import handler\nfrom ..store import put\n@handler\ndef handle(m): put(m)\n"
    others = {
        "shop/__init__.py": "",
        "shop/work/__init__.py": "",
        "shop/store.py": "import steps\ndef put(x): steps.a()",
    }
    assert steps_of(lower(source, "shop/work/app.py", others)) == {"a"}


def test_a_name_that_a_package_passes_on(lower):
    source = (
        "from steps import handler\nfrom shop import store\n@handler\ndef handle(m): store(m)\n"
    )
    others = {
        "shop/__init__.py": "from .deep import store",
        "shop/deep.py": "import steps\ndef store(x): steps.a()",
    }
    assert steps_of(lower(source, others=others)) == {"a"}


def test_a_source_root(lower):
    source = (
        "from steps import handler\nfrom shop.store import put\n@handler\ndef handle(m): put(m)\n"
    )
    others = {
        "src/shop/__init__.py": "",
        "src/shop/store.py": "import steps\ndef put(x): steps.a()",
    }
    assert steps_of(lower(source, "src/shop/app.py", others)) == {"a"}


def test_a_package_without_init(lower):
    source = (
        "from steps import handler\nfrom shop.store import put\n@handler\ndef handle(m): put(m)\n"
    )
    assert steps_of(
        lower(source, others={"shop/store.py": "import steps\ndef put(x): steps.a()"})
    ) == {"a"}


def test_a_base_class_in_another_module(lower):
    source = """
    from steps import handler
    from base import Base
    class Own(Base):
        def step(self): self.first()
    @handler
    def handle(m): Own().run()
    """
    base = """
    import steps
    class Base:
        def run(self): self.step()
        def first(self): steps.a()
    """
    assert steps_of(lower(source, others={"base.py": base})) == {"a"}


def test_modules_that_import_each_other(lower):
    source = """
    from steps import handler, a
    import other
    @handler
    def handle(m): other.back()
    def ours(): a()
    """
    assert steps_of(lower(source, others={"other.py": "import app\ndef back(): app.ours()"})) == {
        "a"
    }


# -- types --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "body",
    [
        "steps.Stock().put()",
        "stock = steps.Stock()\nstock.put()",
        "stock: steps.Stock = m.stock\nstock.put()",
        "stock: 'steps.Stock' = m.stock\nstock.put()",
        "with steps.Stock() as stock: stock.put()",
        "if (stock := steps.Stock()): stock.put()",
        "for stock in [steps.Stock()]: stock.put()",
        "stock, other = steps.Stock(), 1\nstock.put()",
        "box = {'s': steps.Stock()}\nbox['s'].put()",
        "stocks = [steps.Stock()]\nstocks[0].put()",
        "stock = m.x or steps.Stock()\nstock.put()",
        "stock = None\nif m.x: stock = steps.Stock()\nif stock: stock.put()",
        "put = steps.Stock().put\nput()",
    ],
)
def test_the_class_of_a_value(graph, body):
    above = "class Unused: pass"
    assert "put" in graph(body, above)


@pytest.mark.parametrize(
    "annotation",
    [
        "steps.Stock",
        "'steps.Stock'",
        "steps.Stock | None",
        "Optional[steps.Stock]",
        "'Optional[steps.Stock]'",
        "Annotated[steps.Stock, 1]",
    ],
)
def test_annotated_parameters(graph, annotation):
    above = f"from typing import Annotated, Optional\ndef store(s: {annotation}): s.put()"
    assert graph("store(m.s)", above) == {"put"}


@pytest.mark.parametrize("annotation", ["type[Shelf]", "Type[Shelf]", "'type[Shelf]'"])
def test_a_class_as_an_argument(graph, annotation):
    above = f"""
    from typing import Type
    class Shelf:
        def __init__(self): self.stock = steps.Stock()
        def fill(self): self.stock.put()
    def store(kind: {annotation}): kind().fill()
    """
    assert graph("store(m.kind)", above) == {"put"}


def test_an_injected_argument(graph):
    above = "from dishka import FromDishka\ndef store(s: FromDishka[steps.Stock]): s.put()"
    assert graph("store(m.s)", above) == {"put"}


def test_an_attribute_of_self_set_in_another_method(graph):
    above = """
    class Shop:
        def open(self): self.stock = steps.Stock()
        def sell(self): self.stock.put()
    """
    assert graph("shop = Shop()\nshop.open()\nshop.sell()", above) == {"put"}


def test_an_attribute_of_an_attribute(graph):
    above = """
    class Room:
        def __init__(self): self.stock = steps.Stock()
    class Shop:
        def __init__(self): self.room = Room()
        def sell(self): self.room.stock.put()
    """
    assert graph("Shop().sell()", above) == {"put"}


def test_a_module_constant(graph):
    assert graph("STOCK.put()", "STOCK = steps.Stock()") == {"put"}


def test_what_a_function_returns(graph):
    assert graph("stock().put()", "def stock(): return steps.Stock()") == {"put"}


def test_a_class_of_the_project_that_extends_a_library_class(graph):
    above = "class Own(steps.Stock):\n    def more(self): self.put()"
    assert graph("Own().more()\nOwn().put()", above) == {"put · put"}


def test_isinstance_narrows(graph):
    above = "class Own:\n    def sell(self): a()"
    assert graph("x = m.x\nif isinstance(x, Own): x.sell()", above) == {"", "a"}


# -- handlers -----------------------------------------------------------------------------------


REGISTERED = """
import functools
import steps
channel = steps.connect()
def handle(ch, m): ch.ack(m)
"""


@pytest.mark.parametrize(
    "registration",
    [
        "channel.register(handle)",
        "channel.register(callback=handle)",
        "steps.register(functools.partial(handle))",
        "for one in (handle,): channel.register(one)",
        "for one in [handle]:\n    channel.register(one)",
        "HANDLERS = [handle]\nfor one in HANDLERS: channel.register(one)",
        "def main():\n    steps.connect().register(handle)",
        "class Worker:\n    def __init__(self): steps.connect().register(handle)",
    ],
)
def test_a_registration_makes_a_handler_and_types_its_parameters(lower, registration):
    lowered = lower(REGISTERED + registration + "\n")
    assert len(lowered.handlers) == 1
    assert lowered.traces() == {"ack"}
    assert lowered.attributes("ack", "grade") == {"typed"}


@pytest.mark.parametrize(
    "call", ["self.channel.register(self.handle)", "self.channel.register(callback=self.handle)"]
)
def test_a_method_is_registered(lower, call):
    source = f"""
    import steps
    class Worker:
        def __init__(self):
            self.channel = steps.connect()
            {call}
        def handle(self, ch, m):
            steps.a()
            self.done(m)
        def done(self, m):
            self.channel.ack(m)
    """
    lowered = lower(source)
    assert lowered.names == ["Worker.handle"]
    assert lowered.traces() == {"a · ack"}
    assert lowered.attributes("ack", "grade") == {"typed"}


def test_a_callable_object_is_registered(lower):
    source = """
    import steps
    class Handle:
        def __call__(self, ch, m): ch.ack(m)
    steps.connect().register(Handle())
    """
    lowered = lower(source)
    assert lowered.names == ["Handle.__call__"]
    assert lowered.traces() == {"ack"}


def test_a_registration_in_another_module_is_not_needed_to_see_an_ack(lower):
    lowered = lower("import pika\ndef on_any(ch, method, props, body):\n    ch.basic_ack(1)\n")
    assert lowered.names == ["on_any"]


@pytest.mark.parametrize(
    "decorator", ["@handler", "@handler()", "@handler('queue')", "@steps.handler"]
)
def test_decorators(lower, decorator):
    source = f"import steps\nfrom steps import handler, a\n{decorator}\ndef handle(m): a()\n"
    assert lower(source).names == ["handle"]


def test_a_nested_handler(lower):
    source = """
    import steps
    def main():
        channel = steps.connect()
        @steps.handler
        def handle(m): channel.ack(m)
    """
    lowered = lower(source)
    assert [name.rpartition(".")[2] for name in lowered.names] == ["handle"]
    assert lowered.traces() == {"ack"}


def test_a_file_without_handlers_has_none(lower):
    assert lower("import steps\ndef help_out(x): steps.a()\nhelp_out(1)\n").handlers == ()


def test_a_function_that_takes_deliveries_is_a_handler_itself(lower):
    source = "import steps\ndef run():\n    m = steps.connect().take()\n    steps.a()\n"
    lowered = lower(source)
    assert lowered.names == ["run"]
    assert lowered.traces(show="receive") == {"receive · a"}


def test_the_top_of_the_calls_is_the_handler(lower):
    source = """
    import steps
    channel = steps.connect()
    def take(): return channel.take()
    def done(m): channel.ack(m)
    def run():
        m = take()
        steps.a()
        done(m)
    """
    lowered = lower(source)
    assert lowered.names == ["run"]
    assert lowered.traces() == {"a · ack"}


def test_module_level_loops_are_handlers(lower):
    source = "import steps\nfor m in steps.connect().messages():\n    steps.a()\n    m.ack()\n"
    lowered = lower(source)
    assert lowered.names == ["<module>"]
    assert "receive · a · ack" in lowered.traces(show="receive")


# -- what the library does around a handler ------------------------------------------------------


def settled(lower, decorator, body):
    source = f"import steps\nfrom steps import a, risky\n@{decorator}\ndef handle(m):\n    {body}\n"
    return lower(source).traces("handle", fails=True)


def test_an_option_moves_it_to_the_entry(lower):
    assert settled(lower, "steps.settled(early=True)", "risky()") == {"ack · risky", "ack · ✗"}


def test_an_option_that_cannot_be_seen_settles_nothing(lower):
    assert settled(lower, "steps.settled(early=steps.unknown)", "a()") == {"a"}


# -- one delivery at a time ---------------------------------------------------------------------


def test_each_turn_of_a_loop_is_another_delivery(lower):
    source = """
    import steps
    def run():
        for m in steps.connect().messages():
            steps.a()
            m.ack()
    """
    assert "receive · a · ack" in lower(source).traces(show="receive")


def test_elements_of_a_batch_are_deliveries(lower):
    source = """
    import steps
    @steps.batch_handler
    def handle(batch):
        for m in batch:
            steps.a()
        steps.b()
    """
    assert lower(source).traces(show="receive") == {
        "receive · b",
        "receive · receive · a · b",
    }


# -- how sure it is -----------------------------------------------------------------------------


def test_a_class_that_is_known_is_strong_evidence(lower):
    source = "import steps\ndef run(ch: steps.Channel, m):\n    ch.ack(m)\n"
    assert lower(source).attributes("ack", "grade") == {"typed"}


def test_a_method_name_alone_is_weaker(lower):
    source = "import pika\ndef run(thing, m):\n    thing.basic_ack(m.delivery_tag)\n"
    assert lower(source).attributes("ack", "grade") == {"bare"}


def test_unknown_work_is_weak(lower):
    source = "import steps\n@steps.handler\ndef handle(m):\n    shop.sell(m)\n"
    assert lower(source).attributes("work", "grade") == {"bare"}


def test_a_known_class_without_that_method_is_no_evidence(lower):
    source = """
    import steps
    class Own:
        def basic_ack(self, tag): steps.a()
    @steps.handler
    def handle(m): Own().basic_ack(m)
    """
    assert lower(source).traces() == {"a"}


def test_an_attribute_of_self_from_a_parameter(graph):
    above = """
    class Shop:
        def __init__(self, stock: steps.Stock):
            self.stock = stock
        def sell(self): self.stock.put()
    """
    assert graph("Shop(m.s).sell()", above) == {"put"}


def test_what_a_function_is_annotated_to_return(graph):
    above = "def stock(x) -> steps.Stock: return x.stock"
    assert graph("stock(m).put()", above) == {"put"}


def test_a_registered_lambda_is_the_only_handler(lower):
    lowered = lower(REGISTERED + "channel.register(lambda ch, m: handle(ch, m))\n")
    assert lowered.names == ["<lambda>"]
    assert lowered.traces() == {"ack"}


def test_handlers_in_a_table_are_registered(lower):
    loop = "for queue, one in HANDLERS.items(): channel.register(one)"
    lowered = lower(REGISTERED + f"HANDLERS = {{'q': handle}}\n{loop}\n")
    assert lowered.traces() == {"ack"}
    assert lowered.attributes("ack", "grade") == {"typed"}
