"""Which rules run: codes, prefixes of codes, names and ALL, the most specific word last."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from contractlint.findings import Problem
from contractlint.project.config import Config
from contractlint.rules.catalog import Catalog, Rule

_EXACT = 1000


@dataclass(frozen=True)
class Selectors:
    """What the command line says about rules."""

    select: tuple[str, ...] = ()
    ignore: tuple[str, ...] = ()
    extend_select: tuple[str, ...] = ()
    preview: bool = False


def selected_codes(catalog: Catalog, config: Config, given: Selectors) -> frozenset[str]:
    """Return the codes of the rules to run.

    `select` on the command line starts afresh; without it the command line adds to the settings.
    """
    base = Selectors() if given.select else _of_config(config)
    chosen = choose(
        catalog.rules,
        select=given.select or base.select,
        ignore=base.ignore + given.ignore,
        extend_select=base.extend_select + given.extend_select,
        preview=config.preview or given.preview,
    )
    return chosen if config.require_reason else chosen - {"CL901"}


def choose(
    rules: Iterable[Rule],
    select: Iterable[str] = (),
    ignore: Iterable[str] = (),
    extend_select: Iterable[str] = (),
    preview: bool = False,
) -> frozenset[str]:
    """Return the codes that remain; a more specific selector beats a broader one.

    Among equally specific ones `ignore` wins. Without `select` the default rules are the start.
    Unless `preview` is on, a preview rule is chosen by its full code or name alone.
    """
    rules = tuple(rules)
    select = tuple(select)
    chosen = set() if select else {rule.code for rule in rules if _by_default(rule, preview)}
    words = [(specificity(word), False, word) for word in (*select, *extend_select)]
    words += [(specificity(word), True, word) for word in ignore]
    for _, is_ignored, word in sorted(words):
        if is_ignored:
            chosen -= {rule.code for rule in rules if matches(word, rule)}
        else:
            chosen |= {rule.code for rule in rules if _chooses(word, rule, preview)}
    return frozenset(chosen)


def specificity(selector: str) -> int:
    """Return 0 for ALL, the length of a code or prefix, and more than those for a name."""
    if selector == "ALL":
        return 0
    return len(selector) if selector.isupper() else _EXACT


def matches(selector: str, rule: Rule) -> bool:
    if selector == "ALL":
        return True
    is_code = selector[:1].isupper()
    return rule.code.startswith(selector) if is_code else selector == rule.name


def _by_default(rule: Rule, preview: bool) -> bool:
    return rule.default and (preview or not rule.preview)


def _chooses(selector: str, rule: Rule, preview: bool) -> bool:
    is_offered = preview or not rule.preview or selector in (rule.code, rule.name)
    return is_offered and matches(selector, rule)


def unknown_selectors(catalog: Catalog, config: Config, given: Selectors) -> list[Problem]:
    """Return one problem for each selector that means no rule."""
    problems = []
    for key, words in _spoken(config):
        problems += [config.problem(key, _unknown(word)) for word in words if _none(catalog, word)]
    for option in ("select", "ignore", "extend_select"):
        name = "--" + option.replace("_", "-")
        given_words: tuple[str, ...] = getattr(given, option)
        problems += [
            Problem(name, 0, _unknown(word)) for word in given_words if _none(catalog, word)
        ]
    return sorted(problems)


def _spoken(config: Config) -> list[tuple[tuple[str, ...], tuple[str, ...]]]:
    return [
        (("select",), config.select),
        (("ignore",), config.ignore),
        (("extend-select",), config.extend_select),
        *((("per-file-ignores", name), words) for name, words in config.per_file_ignores.items()),
    ]


def _of_config(config: Config) -> Selectors:
    return Selectors(config.select, config.ignore, config.extend_select)


def _none(catalog: Catalog, selector: str) -> bool:
    return not any(matches(selector, rule) for rule in catalog.rules)


def _unknown(selector: str) -> str:
    return (
        f"{selector!r} is no rule: expected a code, a prefix of codes, a rule's name or ALL "
        "(see `contractlint rules`)"
    )
