"""The rules as they stand in their files: bundled ones and those a project adds."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from contractlint.bundled import bundled
from contractlint.findings import Problem
from contractlint.tomlfile import KeyPath, TomlError, TomlFile, read_toml, validate

_PLACEHOLDER = re.compile(r"\{(\w+)\}")
# What a finding puts in their place, in general words.
PLACEHOLDERS = {"marked": "a statement", "last": "the work", "missing": "a field of its envelope"}


@dataclass(frozen=True, slots=True)
class Example:
    """A piece of Python, or a worker's journal: `language` is python or json.

    In a bad one, lines to be found end with the mark `# <- CODE`.
    """

    title: str
    code: str
    language: str = "python"


@dataclass(frozen=True, slots=True)
class Rule:
    """One rule file. `patterns` and `flow` are kept as written; `default` rules run unless told.

    A `preview` rule is not yet sure enough to run unless it is named or previews are asked for.
    A rule with neither patterns nor flow is checked by contractlint's own code. `supersedes` are
    the codes that tell the same fault less exactly. `also` are patterns the handler has to allow
    beside the forbidden one, `unless` those of which it may allow none. `place` is where the rule
    stands in its file, if the file holds more than this rule, and `pattern_key` the key that its
    patterns come from.
    """

    code: str
    name: str
    severity: str
    summary: str
    why: str
    fix: str
    default: bool = True
    preview: bool = False
    patterns: tuple[str, ...] = ()
    flow: Mapping[str, Any] | None = None
    after: tuple[str, ...] = ()
    supersedes: tuple[str, ...] = ()
    ignore: str = ""
    limits: tuple[str, ...] = ()
    also: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()
    bad: tuple[Example, ...] = ()
    good: tuple[Example, ...] = ()
    references: tuple[str, ...] = ()
    file: TomlFile | None = field(default=None, compare=False, repr=False)
    place: KeyPath = field(default=(), compare=False, repr=False)
    pattern_key: str = field(default="pattern", compare=False, repr=False)

    @property
    def headline(self) -> str:
        """The summary with general words in the place of what a finding puts there."""
        return _PLACEHOLDER.sub(lambda found: PLACEHOLDERS.get(found[1], "…"), self.summary)

    @property
    def standing(self) -> str:
        """When the rule runs: "on by default", "off unless selected" or "in preview"."""
        if self.preview:
            return "in preview"
        return "on by default" if self.default else "off unless selected"

    @property
    def of_journals(self) -> bool:
        """Does the rule speak of journals alone? Its examples tell."""
        return bool(self.bad) and all(example.language == "json" for example in self.bad)

    @property
    def searched(self) -> tuple[str, ...]:
        """All patterns: a flow of values leaves a `name` event where it arrives.

        What a clock starts is another job each time, and may call its result by another name.
        A value differs between two runs. What a library acknowledges before the first one has a
        second one only if it is retried.
        """
        if not self.flow:
            return self.patterns
        unless = self.flow.get("unless", "")
        beside = f",beside!={self.flow['except-with']}" if "except-with" in self.flow else ""
        name = f"!name[from={self.flow['from']},to={self.flow['to']}{beside}]"
        arrives = f"{name} ... (persist | stage | effect | publish)"
        gap = f"...not({unless})" if unless else "..."
        early = "ack[by=default]"
        late = f"...not({unless}|{early})" if unless else f"...not({early})"
        return (
            f"receive[started!=clock] {late} {arrives}",
            f"receive[started!=clock] ... {early} {gap} {arrives} ... (retry | requeue)",
        )

    def problem(self, key: str, message: str) -> Problem:
        """Return a problem at this key of the rule's file."""
        if self.file is None:
            return Problem("", 0, message)
        return self.file.problem((*self.place, key), message)


@dataclass(frozen=True, slots=True)
class Catalog:
    """All rules by code, and what is wrong with the files of those that are missing."""

    rules: tuple[Rule, ...]
    problems: tuple[Problem, ...] = ()

    def find(self, code_or_name: str) -> Rule | None:
        for rule in self.rules:
            if code_or_name in (rule.code, rule.name):
                return rule
        return None


def load_catalog(extra_files: Sequence[str] = (), inline: Sequence[Rule] = ()) -> Catalog:
    """Return the bundled rules, those in `extra_files` (paths of TOML files) and the `inline` ones.

    What stands inline comes from a project's settings; its patterns are read here.
    """
    rules = {rule.code: rule for rule in bundled_rules()}
    problems: list[Problem] = []
    more: list[Callable[[], Rule]] = [partial(load_rule, Path(path)) for path in extra_files]
    more += [partial(_readable, rule) for rule in inline]
    for load in more:
        try:
            _add(rules, load())
        except RuleError as error:
            problems += error.problems
    ordered = sorted(rules.values(), key=lambda rule: rule.code)
    return Catalog(tuple(ordered), tuple(sorted(problems)))


class RuleError(Exception):
    """A rule file that cannot be used. `problems` say on which line and what is expected."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("; ".join(problem.message for problem in self.problems))


@lru_cache(maxsize=1)
def bundled_rules() -> tuple[Rule, ...]:
    """Return the rules of this installation. Their files are validated by the tests, not here."""
    return tuple(_rule(read_toml(path)) for path in bundled_rule_files())


def bundled_rule_files() -> list[Path]:
    home = bundled("rules")
    return sorted(path for path in home.glob("*/*.toml") if path.parent.name != "libraries")


@lru_cache(maxsize=1)
def measured_accuracy() -> Mapping[str, Mapping[str, int]]:
    """Return by code what was counted on real handlers.

    `true` and `false` are findings, `labelled` and `found` faults that readers had found, those of
    all rules of the same kind.
    """
    return read_toml(bundled("rules") / "accuracy.toml").data


def load_rule(path: Path) -> Rule:
    """Read one rule file.

    Raises:
        RuleError: it cannot be read, breaks rule.schema.json, or holds a text that is no pattern or
            has an unknown placeholder.
    """
    try:
        file = read_toml(path)
    except TomlError as error:
        raise RuleError([error.problem]) from None
    problems = validate(file, _schema())
    if problems:
        raise RuleError(problems)
    return _readable(_rule(file))


def _readable(rule: Rule) -> Rule:
    problems = [*_pattern_problems(rule), *_placeholder_problems(rule)]
    if problems:
        raise RuleError(problems)
    return rule


def _pattern_problems(rule: Rule) -> Iterator[Problem]:
    from contractlint.rules.patterns import PatternError, parse_pattern

    told = {"flow" if rule.flow else rule.pattern_key: rule.searched}
    for key, patterns in {**told, "also": rule.also, "unless": rule.unless}.items():
        for number, pattern in enumerate(patterns, 1):
            which = f"{key} {number}" if len(patterns) > 1 else key
            try:
                parse_pattern(pattern, marks=key in told)
            except PatternError as error:
                yield rule.problem(key, f"{which}: {error}")


def _placeholder_problems(rule: Rule) -> Iterator[Problem]:
    for key, text in (("summary", rule.summary), *(("after", line) for line in rule.after)):
        for message in _misplaced(text):
            yield rule.problem(key, f"{key}: {message}")


def _misplaced(text: str) -> Iterator[str]:
    from string import Formatter

    known = " or ".join(f"{{{name}}}" for name in PLACEHOLDERS)
    try:
        names = [name for _, name, _, _ in Formatter().parse(text) if name is not None]
    except ValueError:
        yield f"a brace stands alone in {text!r}; expected {known}, or the brace twice"
        return
    for name in names:
        if name not in PLACEHOLDERS:
            yield f"no placeholder {{{name}}}; expected {known}"


def _add(rules: dict[str, Rule], rule: Rule) -> None:
    for other in rules.values():
        if other.code == rule.code:
            raise RuleError([rule.problem("code", f"code {rule.code} is taken by {other.name}")])
        if other.name == rule.name:
            raise RuleError([rule.problem("name", f"name {rule.name} is taken by {other.code}")])
    rules[rule.code] = rule


def _rule(file: TomlFile) -> Rule:
    data = dict(file.data)
    data.pop("built-in", None)
    data["patterns"] = _several(data.pop("pattern", ()))
    for name in ("bad", "good"):
        data[name] = tuple(_example(item) for item in data.get(name, ()))
    for name in ("after", "limits", "references", "supersedes"):
        data[name] = tuple(data.get(name, ()))
    for name in ("also", "unless"):
        data[name] = _several(data.get(name, ()))
    return Rule(file=file, **data)


def _several(texts: str | Iterable[str]) -> tuple[str, ...]:
    return (texts,) if isinstance(texts, str) else tuple(texts)


def _example(item: Mapping[str, str]) -> Example:
    title = item.get("title", "")
    if "journal" in item:
        return Example(title, item["journal"], "json")
    return Example(title, item["code"])


def _schema() -> dict[str, Any]:
    file = bundled("schemas") / "rule.schema.json"
    schema: dict[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return schema
