"""One run of `contractlint check`: from paths to a report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING

from contractlint import engine
from contractlint.engine import EngineSettings, FileResult, HandlerRecord
from contractlint.findings import Finding, Problem, Reported, Summary, one_a_fault
from contractlint.project.book import SourceBook
from contractlint.project.comments import MARK
from contractlint.project.config import Config, ConfigError
from contractlint.project.files import select_files
from contractlint.project.fingerprints import Fingerprints
from contractlint.project.ignores import compile_patterns
from contractlint.project.importing import Imports, Offers
from contractlint.project.own import own_problems
from contractlint.project.paths import shown_path
from contractlint.project.selectors import Selectors, matches, selected_codes, unknown_selectors
from contractlint.project.sources import SourceError, as_utf8, read_source
from contractlint.project.suppressions import Suppressions
from contractlint.rules.catalog import Catalog, Rule, load_catalog

if TYPE_CHECKING:
    from contractlint.crash.card import HandlerCard
    from contractlint.messages.envelope import Envelope

# Rules that compare messages with the envelope; for the others it is not even read.
_ENVELOPE_RULES = frozenset({"CL203", "CL601"})


@dataclass(frozen=True)
class Options:
    """What the command line asks for beyond the settings. `jobs` None: as many as processors.

    `cards` asks for what a death comes to in each handler; the cache does not keep them.
    """

    selectors: Selectors = field(default_factory=Selectors)
    jobs: int | None = None
    use_cache: bool = True
    cards: bool = False


@dataclass(frozen=True)
class Report:
    """What a run found. `files` counts the files looked at, whether or not they hold a handler."""

    findings: tuple[Reported, ...] = ()
    problems: tuple[Problem, ...] = ()
    handlers: tuple[HandlerRecord, ...] = ()
    cards: tuple[HandlerCard, ...] = ()
    files: int = 0
    rules: tuple[Rule, ...] = ()
    book: SourceBook = field(default_factory=SourceBook, compare=False)

    @property
    def handler_count(self) -> int:
        """How many functions the libraries call; others only get the delivery from them."""
        return sum(not handler.via for handler in self.handlers)

    @property
    def summary(self) -> Summary:
        looked_at = {"file": self.files, "handler": self.handler_count}
        return Summary(looked_at, len(self.findings), len(self.problems))

    @property
    def exit_code(self) -> int:
        """0 clean, 1 findings, 2 the tool could not do all of its job."""
        if self.problems:
            return 2
        return 1 if self.findings else 0


def check_paths(paths: Sequence[str], config: Config, options: Options) -> Report:
    """Check files and folders; problems of the settings are part of the report."""
    try:
        run = _Run(config, options)
        selection = select_files(paths, config)
    except ConfigError as error:
        return Report(problems=error.problems)
    run.problems += selection.problems
    run.sees_all = any(Path(path).resolve() == config.root.resolve() for path in paths)
    for path in selection.files:
        run.look_at(path)
    return run.report()


def check_text(path: str, source: bytes, config: Config, options: Options) -> Report:
    """Check one source that does not come from the file `path`."""
    try:
        run = _Run(config, options)
    except ConfigError as error:
        return Report(problems=error.problems)
    run.look_at(path, source)
    return run.report()


class _Run:
    def __init__(self, config: Config, options: Options) -> None:
        self._config = config
        self._options = options
        self._catalog = load_rules(config, options.selectors)
        self._codes = selected_codes(self._catalog, config, options.selectors)
        self._settings = replace(engine_settings(config, self._codes), cards=options.cards)
        self._pardons = [
            (compile_patterns([pattern]), words)
            for pattern, words in config.per_file_ignores.items()
        ]
        self._book = SourceBook()
        self._to_parse: list[str] = []
        self._others: list[str] = []
        self._with_comments: list[str] = []
        self._files = 0
        self.problems: list[Problem] = []
        self.sees_all = False  # no file of the project lies outside the run

    def look_at(self, path: str, source: bytes | None = None) -> None:
        """Read a file and keep it when there is something in it for us."""
        self._files += 1
        try:
            source = read_source(path) if source is None else source
            text = as_utf8(path, source)
        except SourceError as error:
            self.problems.append(error.problem)
            return
        matters = engine.might_matter(text, self._settings)
        speaks = MARK in text
        if matters or speaks:
            self._book.keep(path, source)
        (self._to_parse if matters else self._others).append(path)
        if speaks:
            self._with_comments.append(path)

    def report(self) -> Report:
        results = self._results()
        found = one_a_fault(finding for result in results for finding in result.findings)
        problems = {problem for result in results for problem in result.problems}
        handlers = {handler for result in results for handler in result.handlers}
        return Report(
            findings=self._reported(found),
            problems=tuple(sorted(problems | set(self.problems))),
            handlers=tuple(sorted(handlers, key=lambda one: (one.path, one.line, one.name))),
            cards=self._cards(results),
            files=self._files,
            rules=self._catalog.rules,
            book=self._book,
        )

    def _cards(self, results: Sequence[FileResult]) -> tuple[HandlerCard, ...]:
        if not self._options.cards:
            return ()
        from contractlint.crash.card import distinct_cards

        return distinct_cards(card for result in results for card in result.cards)

    def _results(self) -> list[FileResult]:
        outside = [] if self.sees_all else self._outside()
        results = self._parse(self._to_parse)
        paths = [*self._to_parse, *outside]
        latest = [*results, *self._parse(outside)]
        names = _offered(latest)
        while paths and names:
            paths = self._taking(Offers(_offering(paths, latest), names))
            latest = self._parse(paths)
            names |= _offered(latest)
            results = results + latest
        return results

    def _outside(self) -> list[str]:
        """Return the files that the others import, and through which they may get deliveries.

        They are no part of the run: what is found in them is not told.
        """
        imports = Imports(self._config.root, self._settings.source_roots)
        others = [path for path in self._others if not _is_test(path)]
        reached = imports.reached(others, self._book.source)
        return [path for path in reached if path not in self._to_parse and self._may_offer(path)]

    def _may_offer(self, path: str) -> bool:
        source = self._book.source(path)
        return path.endswith("__init__.py") or engine.might_matter(source, self._settings)

    def _parse(self, paths: Sequence[str]) -> list[FileResult]:
        if not paths:
            return []
        # Processes and the cache take time to import, and most runs over a tree need neither.
        from contractlint.project.parsing import parse_files

        sources = [(path, self._book.source(path)) for path in paths]
        use_cache = self._options.use_cache and not self._options.cards
        return parse_files(sources, self._settings, self._config, self._options.jobs, use_cache)

    def _taking(self, offers: Offers) -> list[str]:
        """Return the other files that can get deliveries from files that offer them."""
        found = [path for path in self._others if self._takes(path, offers)]
        known = set(found)
        self._others = [path for path in self._others if path not in known]
        return found

    def _takes(self, path: str, offers: Offers) -> bool:
        if _is_test(path):
            return False
        try:
            source = self._book.source(path)
        except SourceError:
            return False
        if offers.taken_by(path, source):
            return True
        self._book.forget(path)
        return False

    def _reported(self, found: Iterable[Finding]) -> tuple[Reported, ...]:
        suppressions = Suppressions(self._book, self._catalog)
        kept = [finding for finding in found if not suppressions.silences(finding)]
        kept += suppressions.remarks(self._with_comments, self._codes)
        kept = [finding for finding in kept if not self._pardoned(finding)]
        kept.sort(key=lambda finding: finding.sort_key)
        return tuple(_with_fingerprints(kept, self._book, self._config.root))

    def _pardoned(self, finding: Finding) -> bool:
        if not self._pardons:
            return False
        rule = self._catalog.find(finding.code)
        path = shown_path(finding.path, self._config.root)
        return rule is not None and any(
            matches(word, rule)
            for spec, words in self._pardons
            if spec.match_file(path)
            for word in words
        )


def _offered(results: Iterable[FileResult]) -> set[str]:
    return {name for result in results for name in result.offers}


def _offering(paths: Sequence[str], results: Sequence[FileResult]) -> list[str]:
    """Return the files through which others get deliveries; a package passes on what it imports."""
    return [
        path
        for path, result in zip(paths, results, strict=True)
        if result.offers or path.endswith("__init__.py")
    ]


def _is_test(path: str) -> bool:
    """Tests call handlers; they hold none that a broker calls."""
    name = path.rpartition("/")[2]
    return name.startswith("test_") or name.endswith("_test.py") or name == "conftest.py"


def load_rules(config: Config, selectors: Selectors) -> Catalog:
    """Return all rules of the project.

    Raises:
        ConfigError: something is broken in the project's own files or in its selectors.
    """
    catalog = load_catalog(config.rules, config.inline_rules)
    problems = own_problems(config, catalog) or unknown_selectors(catalog, config, selectors)
    if problems:
        raise ConfigError(problems)
    return catalog


def engine_settings(config: Config, codes: frozenset[str]) -> EngineSettings:
    return EngineSettings(
        codes=codes,
        events=config.events,
        libraries=config.libraries,
        rule_files=config.rules,
        inline_rules=config.inline_rules,
        classes=config.handlers,
        source_roots=config.source_roots,
        envelope=_envelope(config, codes),
    )


def _envelope(config: Config, codes: frozenset[str]) -> Envelope:
    """Return what is demanded of each message, if a rule about messages asks for it."""
    if not codes & _ENVELOPE_RULES or not config.messages:
        return ()
    from contractlint.messages.envelope import configured_envelope
    from contractlint.messages.settings import SettingsError

    try:
        return configured_envelope(config.root, config.messages)
    except SettingsError as error:
        place = config.problem(("messages",), error.problem.message)
        raise ConfigError([error.problem if error.problem.path else place]) from None


def _with_fingerprints(
    findings: Sequence[Finding], book: SourceBook, root: Path
) -> Iterator[Reported]:
    fingerprints = Fingerprints(root)
    for finding in findings:
        lines = book.lines(finding.path)[finding.line - 1 : finding.end_line]
        statement = " ".join(" ".join(lines).split())
        yield fingerprints.reported(finding, finding.handler, statement)
