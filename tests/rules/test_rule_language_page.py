"""docs/rule-language.md: its patterns parse, its grammar is the parser's, its rule file works."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from contractlint.rules.catalog import load_rule
from contractlint.rules.patterns import PatternError, parse_pattern

PAGE = (Path(__file__).parents[2] / "docs" / "rule-language.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```", PAGE, re.MULTILINE | re.DOTALL)


def table_rows(heading: str) -> list[str]:
    section = PAGE.split(f"## {heading}")[1].split("\n## ")[0]
    return re.findall(r"^\| `(.+?)` \|", section, re.MULTILINE)


@pytest.mark.parametrize("pattern", [block.strip() for block in blocks("text")])
def test_the_patterns_of_the_page_parse(pattern):
    assert parse_pattern(pattern).stages


@pytest.mark.parametrize("written", table_rows("What it means"))
def test_what_the_table_writes_parses(written):
    text = written.replace("\\|", "|")
    if text == "crash":
        text = "!ack crash"
    elif "!" not in text.split("[")[0]:
        text = re.sub(r"(\S+)$", r"!\1", text) if text[0] != "(" else f"!{text}"
    assert parse_pattern(text).stages


def test_the_rule_file_of_the_page_is_valid(tmp_path):
    file = tmp_path / "audit-after-ack.toml"
    file.write_text(blocks("toml")[0], encoding="utf-8")
    rule = load_rule(file)
    assert (rule.code, rule.name) == ("SHOP001", "audit-after-ack")
    assert parse_pattern(rule.patterns[0]).stages


# -- the grammar ---------------------------------------------------------------------------------


class Grammar:
    """Just enough EBNF to write sentences: , | [ ] { } ( ) and quoted text."""

    def __init__(self, text: str) -> None:
        rows = re.findall(r"(\w+)\s*=\s*(.*?)\s;\n", text, re.DOTALL)
        self.rules = {name: self._alternatives(self._tokens(body)) for name, body in rows}
        self.rules |= {
            "letter": ("text", "k"),
            "capital": ("text", "K"),
            "digit": ("text", "7"),
        }

    @staticmethod
    def _tokens(body: str) -> list[str]:
        return re.findall(r'"[^"]*"|\w+|[,|()\[\]{}]', body)

    def _alternatives(self, tokens: list[str]):
        options = [self._sequence(tokens)]
        while tokens and tokens[0] == "|":
            tokens.pop(0)
            options.append(self._sequence(tokens))
        return ("one", options)

    def _sequence(self, tokens: list[str]):
        items = [self._item(tokens)]
        while tokens and tokens[0] == ",":
            tokens.pop(0)
            items.append(self._item(tokens))
        return ("all", items)

    def _item(self, tokens: list[str]):
        token = tokens.pop(0)
        if token in "([{":
            inner = self._alternatives(tokens)
            assert tokens.pop(0) in ")]}"
            return ({"(": "one", "[": "maybe", "{": "many"}[token], [inner])
        if token[0] == '"':
            return ("text", token[1:-1])
        return ("rule", token)

    def sentence(self, chance: random.Random, name: str = "pattern") -> list[str]:
        return self._write(self.rules[name], chance)

    def _write(self, node, chance: random.Random) -> list[str]:
        kind, content = node
        if kind == "text":
            return [content]
        if kind == "rule":
            words = self._write(self.rules[content], chance)
            return ["".join(words)] if content in ("word", "value") else words
        if kind == "one":
            return self._write(chance.choice(content), chance)
        if kind == "all":
            return [word for item in content for word in self._write(item, chance)]
        times = chance.randint(0, 1 if kind == "maybe" else 2)
        return [word for _ in range(times) for word in self._write(content[0], chance)]


def test_every_sentence_of_the_grammar_is_a_pattern():
    (text,) = blocks("ebnf")
    grammar, chance = Grammar(text), random.Random(7)
    accepted = 0
    for _ in range(3000):
        words = grammar.sentence(chance)
        if words.count("!") != 1 or any(empty_test(words, at) for at in range(len(words))):
            continue
        pattern = parse_pattern(" ".join(words))
        assert sum(stage.marked for stage in pattern.stages) == 1
        accepted += 1
    assert accepted > 300


def empty_test(words: list[str], at: int) -> bool:
    """A test with one empty value is a mistake, although the grammar is not that fine."""
    return words[at] in ("=", "!=") and words[at + 1] == "" and words[at + 2] != "|"


def test_a_sentence_with_a_piece_missing_is_none():
    """Dropping a bracket or a step from a pattern that uses everything is always noticed."""
    words = "receive ... not ( persist | work ) ! ( ack [ by = call ] | reject ) crash ... effect"
    parts = words.split()
    assert parse_pattern(words)
    for at, dropped in enumerate(parts):
        if dropped in "()[]!=":
            with pytest.raises(PatternError):
                parse_pattern(" ".join(parts[:at] + parts[at + 1 :]))


def test_the_rule_file_of_the_page_works_with_the_settings_of_the_page(project, check):
    project.write("lint/audit-after-ack.toml", blocks("toml")[0])
    project.write("contractlint.toml", blocks("toml")[-1])
    project.write(
        "app.py",
        "import pika\n"
        "from shop import audit\n"
        "def on_sale(channel, method, properties, body):\n"
        "    channel.basic_ack(method.delivery_tag)\n"
        "    audit.write(body)\n"
        "pika.BlockingConnection().channel().basic_consume('sales', on_sale)\n",
    )
    assert ("app.py", 4, "SHOP001") in check("--extend-select", "SHOP").found
