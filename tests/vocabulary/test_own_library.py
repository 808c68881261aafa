"""Adding a library is one TOML file and no code: an invented one is found from end to end."""

from __future__ import annotations

import pytest

from contractlint.prefilter import broker_words
from contractlint.vocabulary import load_vocabulary


@pytest.fixture(autouse=True)
def forget():
    """One process reads a library file once; here each test has another one of the same name."""
    broker_words.cache_clear()
    load_vocabulary.cache_clear()


LIBRARY = """\
library = "postbox"
versions = "1 - 3"
words = ["postbox"]

[classes]
"postbox.Box" = ["postbox.core.Box", "postbox.aio.Box"]

[[call]]
names = ["postbox.Box"]
returns = "postbox.Box"
options = { keep = { argument = "keep@1", default = true } }

[[handler]]
decorator = ["postbox.Box.letters"]
params = ["postbox.Letter"]
options = { keep = { argument = "keep", default = true } }
entry = [{ event = "ack", attributes = { by = "config" }, when = { keep = false }, at = "keep" }]

[[call]]
names = ["postbox.Letter.seen"]
event = "ack"
attributes = { by = "call" }

[[call]]
names = ["postbox.Letter.back"]
event = "requeue"
attributes = { by = "call" }
options = { wait = { argument = "wait", default = 0 } }

[[attribute]]
names = ["postbox.Letter.text"]
returns = "message"

[[call]]
names = ["postbox.drawer"]
event = "persist"
sinks = ["name@0"]

[[call]]
names = ["postbox.telegram"]
event = "effect"
keyed = ["key"]
"""

HANDLER = """\
import uuid

import postbox

box = postbox.Box("town")


@box.letters({keep})
def on_letter(letter):
{body}
"""


@pytest.fixture
def found(project, check):
    def found(body: str, keep: str = "", library: str = LIBRARY):
        project.write("lint/postbox.toml", library)
        project.write("contractlint.toml", "libraries = ['lint/postbox.toml']\n")
        lines = "\n".join(f"    {line}" for line in body.splitlines())
        project.write("app.py", HANDLER.format(keep=keep, body=lines))
        ran = check("--no-cache")
        assert ran.errors == []
        return [(line, code) for _, line, code in ran.found]

    return found


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("letter.seen()\npostbox.drawer(letter.id, letter.text)", [(10, "CL101")]),
        ("postbox.drawer(letter.id, letter.text)\nletter.seen()", []),
        (
            "try:\n    postbox.drawer(letter.id, letter.text)\nexcept Exception:\n"
            "    letter.back()\nelse:\n    letter.seen()",
            [(13, "CL301")],
        ),
        (
            "try:\n    postbox.drawer(letter.id, letter.text)\nexcept Exception:\n"
            "    print('lost')\nletter.seen()",
            [(12, "CL104")],
        ),
        ("postbox.drawer(uuid.uuid4().hex, letter.text)\nletter.seen()", [(10, "CL201")]),
        ("postbox.telegram(letter.text)\nletter.seen()", [(10, "CL401")]),
        ("postbox.telegram(letter.text, key=letter.id)\nletter.seen()", []),
    ],
)
def test_every_rule_knows_it(found, body, expected):
    assert found(body) == expected


def test_an_option_that_acknowledges(found):
    body = "postbox.drawer(letter.id, letter.text)"
    assert found(body, keep="keep=False") == [(8, "CL102")]
    assert found(body, keep="keep=True") == []


def test_without_the_file_nothing_is_found(project, check):
    project.write("app.py", HANDLER.format(keep="", body="    letter.seen()\n    store(letter)"))
    ran = check("--no-cache")
    assert ran.found == []
    assert ran.document["summary"]["handlers"] == 0


def test_its_words_decide_what_is_parsed(found):
    body = "letter.seen()\npostbox.drawer(letter.id, letter.text)"
    assert found(body, library=LIBRARY.replace('["postbox"]', '["never"]')) == []


def test_names_declared_in_the_settings_are_enough_for_a_function(project, check):
    project.write(
        "contractlint.toml",
        "[events]\npersist = ['shop.store.save']\nledger_check = ['shop.book.look']\n",
    )
    project.write(
        "app.py",
        "import pika\nimport requests\nfrom shop import book, store\n\n\n"
        "def on_sale(channel, method, properties, body):\n"
        "    if book.look(body):\n"
        "        return\n"
        "    requests.post('https://x.example', data=body)\n"
        "    channel.basic_ack(method.delivery_tag)\n"
        "    store.save(body)\n\n\n"
        "pika.BlockingConnection().channel().basic_consume('sales', on_sale)\n",
    )
    ran = check("--no-cache")
    codes = [code for _, _, code in ran.found]
    assert "CL401" not in codes
    project.write("contractlint.toml", "")
    assert "CL401" in [code for _, _, code in check("--no-cache").found]


@pytest.mark.parametrize("words", ["['postbox']", '"postbox"', "[\n  'postbox', # a word\n]"])
def test_words_may_be_written_as_toml_allows(found, words):
    body = "letter.seen()\npostbox.drawer(letter.id, letter.text)"
    assert found(body, library=LIBRARY.replace('["postbox"]', words)) == [(10, "CL101")]


def test_a_mistake_in_the_file_is_told_once_and_the_run_fails(project, check):
    project.write("lint/postbox.toml", LIBRARY.replace("returns", "retruns", 1))
    project.write("contractlint.toml", "libraries = ['lint/postbox.toml']\n")
    project.write("a.py", "import postbox\n")
    project.write("b.py", "import postbox\n")
    ran = check("--no-cache")
    assert ran.exit_code == 2
    assert [(path, line) for path, line, _ in ran.errors] == [("lint/postbox.toml", 10)]
    assert "no key 'retruns'" in ran.errors[0][2]


def test_a_file_that_is_missing_is_told(project, run):
    project.write("contractlint.toml", "libraries = ['lint/none.toml']\n")
    project.write("a.py", "import pika\n")
    ran = run("check", "--no-cache")
    assert ran.exit_code == 2
    assert "lint/none.toml" in ran.out + ran.err
