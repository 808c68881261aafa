"""What a project adds is checked once, before anything else; a mistake in it fails the run."""

import pytest

from contractlint.prefilter import broker_words
from contractlint.vocabulary import load_vocabulary

RULE = """\
code = "SHOP001"
name = "own-rule"
severity = "warning"
summary = "s"
pattern = "receive ... !{event}"
why = "w"
fix = "f"
"""
LIBRARY = """\
library = "ourq"
words = ["ourq"]

[[call]]
names = ["ourq.note"]
event = "{event}"
"""


@pytest.fixture(autouse=True)
def forget():
    """One process reads a library file once; here each test has another one of the same name."""
    broker_words.cache_clear()
    load_vocabulary.cache_clear()


@pytest.fixture
def told(project, check):
    """Check two files; return what is said about the project's own files."""

    def told(settings: str, rule: str = "ack", library: str = "ack"):
        project.write("contractlint.toml", settings)
        project.write("lint/own.toml", RULE.format(event=rule))
        project.write("lint/ourq.toml", LIBRARY.format(event=library))
        project.write("a.py", "import ourq, pika\n")
        project.write("b.py", "import ourq, pika\n")
        ran = check("--no-cache")
        assert ran.exit_code == (2 if ran.errors else 0)
        return ran.errors

    return told


ALL = "rules = ['lint/own.toml']\nlibraries = ['lint/ourq.toml']\n"


def test_what_is_right_is_not_mentioned(told):
    assert told(ALL) == []


def test_mistakes_in_all_files_are_told_together_and_once(told):
    errors = told(ALL, rule="persits", library="persits")
    assert [(path, line) for path, line, _ in errors] == [
        ("lint/ourq.toml", 6),
        ("lint/own.toml", 5),
    ]
    assert all("an event such as persist" in message for _, _, message in errors)


@pytest.mark.parametrize("key", ["rules", "libraries"])
@pytest.mark.parametrize("path", ["lint/none.toml", "lint"])
def test_a_file_that_cannot_be_read(told, key, path):
    [(where, _, message)] = told(f"{key} = ['{path}']\n")
    assert where == path
    assert "cannot be read" in message


def test_a_misspelt_event_in_the_settings(told):
    settings = "[events]\neffect = ['shop.pay']\nledger_chek = ['shop.seen']\n"
    [(path, line, message)] = told(settings)
    assert (path, line) == ("contractlint.toml", 3)
    assert message == "events.ledger_chek: no such event; expected ledger_check"


def test_an_event_that_only_the_project_knows(told):
    settings = ALL + "[events]\naudit = ['shop.audit.*']\n"
    assert told(settings, rule="audit") == []
    assert told(settings, library="audit") == []
    [(_, line, message)] = told(settings)
    assert line == 4
    assert "expected one that a rule or a library of the project uses" in message


def test_every_function_of_a_module_can_be_declared(project, check):
    project.write("contractlint.toml", "[events]\nledger_check = ['shop.book.*']\n")
    project.write(
        "app.py",
        "import pika\nimport requests\nfrom shop import book\n\n\n"
        "def on_sale(channel, method, properties, body):\n"
        "    if not book.known(body):\n"
        "        requests.post('https://x.example', data=body)\n"
        "    channel.basic_ack(method.delivery_tag)\n\n\n"
        "pika.BlockingConnection().channel().basic_consume('sales', on_sale)\n",
    )
    assert check("--no-cache").found == []
    project.write("contractlint.toml", "")
    assert [code for _, _, code in check("--no-cache").found] == ["CL401"]
