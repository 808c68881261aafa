"""`contractlint handlers` in all its formats."""

import json
import re
from html.parser import HTMLParser
from pathlib import Path

import jsonschema
import pytest

from contractlint.bundled import bundled
from contractlint.crash.card import HandlerCard, distinct_cards

ROOT = Path(__file__).resolve().parents[2]
WORKER = """\
import pika
import requests


def on_order(channel, method, properties, body):
    requests.post("https://pay.example/<charges>", data=body)
    channel.basic_ack(method.delivery_tag)


def on_bill(channel, method, properties, body):
    try:
        open("/srv/bills", "ab").write(body)
    except Exception:
        channel.basic_nack(method.delivery_tag)
        return
    channel.basic_ack(method.delivery_tag)


channel = pika.BlockingConnection().channel()
channel.basic_consume("orders", on_order)
channel.basic_consume("bills", on_bill)
"""


@pytest.fixture
def worker(project):
    project.write("worker.py", WORKER)
    return project


def test_handlers_are_listed_with_what_they_do(worker, run):
    ran = run("handlers")
    assert ran.exit_code == 0
    [order] = [line for line in ran.out.splitlines() if line.startswith("on_order")]
    assert re.split(r"\s{2,}", order)[1:5] == ["worker.py:5", "pika", "orders", "by hand"]
    assert "2 handlers in 1 file" in ran.out


def test_crash_tables_tell_each_death(worker, run):
    out = run("handlers", "--crash").out
    assert re.search(r"after `requests\.post\(.+ effect +6 +repeated +delivered again", out)
    assert re.search(r"`except Exception` +13 .+basic_nack.+ 14 +loops", out)


def test_json_follows_its_schema(worker, run):
    schema = json.loads((bundled("schemas") / "handlers.schema.json").read_text(encoding="utf-8"))
    for arguments in ([], ["--crash"]):
        document = json.loads(run("handlers", "--format", "json", *arguments).out)
        jsonschema.Draft202012Validator(schema).validate(document)
        assert [one["name"] for one in document["handlers"]] == ["on_order", "on_bill"]
        assert ("crash" in document["handlers"][0]) == bool(arguments)


def test_markdown_tables_have_as_many_cells_as_their_heads(worker, run):
    worker.write("pipes.py", WORKER.replace('"orders"', '"a|b"'))
    tables = run("handlers", "--crash", "--format", "markdown").out.split("\n\n")
    for table in (part for part in tables if part.startswith("| ")):
        counts = {len(re.findall(r"(?<!\\)\|", line)) for line in table.splitlines()}
        assert len(counts) == 1


class _Page(HTMLParser):
    """What a page refers to, and which of its elements are still open."""

    VOID = frozenset({"meta"})

    def __init__(self) -> None:
        super().__init__()
        self.opened: list[str] = []
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.names: set[str] = set()

    def handle_starttag(self, tag, attrs):
        self.names.add(tag)
        if tag not in self.VOID:
            self.opened.append(tag)
        for name, value in attrs:
            if name == "id":
                assert value not in self.ids
                self.ids.add(value)
            if name in ("href", "src"):
                self.links.append(value)

    def handle_startendtag(self, tag, attrs):
        self.names.add(tag)

    def handle_endtag(self, tag):
        assert self.opened.pop() == tag


def page(text: str) -> _Page:
    parsed = _Page()
    parsed.feed(text)
    parsed.close()
    return parsed


def test_the_page_is_whole_and_needs_nothing_else(worker, run):
    text = run("handlers", "--format", "html").out
    parsed = page(text)
    assert parsed.opened == []
    assert {"svg", "table"} <= parsed.names
    assert not {"script", "link", "img", "iframe"} & parsed.names
    assert "url(" not in text
    assert all(link.startswith("#") and link[1:] in parsed.ids for link in parsed.links)


def test_rows_of_the_page_link_to_the_findings(worker, run):
    parsed = page(run("handlers", "--format", "html").out)
    assert {one for one in parsed.links if one.startswith("#finding-CL401-worker-py-6")}
    assert {one for one in parsed.links if one.startswith("#finding-CL301-worker-py-14")}


def test_code_is_escaped(worker, run):
    text = run("handlers", "--format", "html").out
    assert "<charges>" not in text
    assert "&lt;charges&gt;" in text


@pytest.mark.parametrize("output_format", ["text", "json", "markdown", "html"])
def test_what_cannot_be_read_is_told(worker, run, output_format):
    worker.write("torn.py", "import pika\ndef (:\n")
    ran = run("handlers", "--format", output_format)
    assert ran.exit_code == 2
    assert "torn.py" in ran.out
    assert "on_order" in ran.out


@pytest.mark.parametrize("output_format", ["text", "json", "markdown", "html"])
def test_a_folder_without_handlers(project, run, output_format):
    project.write("empty.py", "x = 1\n")
    assert run("handlers", "--format", output_format).exit_code == 0


def test_the_same_input_gives_the_same_bytes(worker, run):
    arguments = ("handlers", "--crash", "--format", "html")
    assert run(*arguments, "--jobs", "1").out == run(*arguments, "--jobs", "2").out


def test_a_handler_of_two_queues_is_one_handler():
    cards = [HandlerCard("a.py", 1, "on_order", "pika", (queue,)) for queue in ("b", "a", "b")]
    assert [card.queues for card in distinct_cards(cards)] == [("a", "b")]
