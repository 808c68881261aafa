"""One run over producers' schemas: metaschema, conformance, compatibility."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain
from pathlib import Path
from urllib.parse import urljoin

from contractlint.findings import Finding, Problem
from contractlint.messages.producer.compatibility import (
    LEVELS,
    Break,
    Change,
    Undecided,
    breaks,
)
from contractlint.messages.producer.conformance import (
    Verdict,
    accepts_nothing,
    broken_requirements,
)
from contractlint.messages.producer.documents import (
    File,
    MessageSchema,
    is_library,
    looks_like_schemas,
    message_schemas,
    paths_below,
    read_file,
)
from contractlint.messages.producer.earlier import Version
from contractlint.messages.producer.opened import (
    Opened,
    at_pointer,
    metaschema_faults,
    open_schema,
)
from contractlint.messages.producer.report import (
    change_findings,
    conformance_finding,
    finding,
    undecided_finding,
)
from contractlint.messages.producer.requirements import Path as MemberPath
from contractlint.messages.producer.requirements import member_path
from contractlint.messages.references import SchemaError
from contractlint.messages.roles import RoleError, Roles, roles_from_schema
from contractlint.messages.run import Tally

Event = Finding | Problem


@dataclass(frozen=True)
class Settings:
    """What one run checks with. `root`: references may lead to files below it."""

    root: Path
    roles: Roles
    level: str = "full"
    tolerant: bool = True

    @property
    def is_transitive(self) -> bool:
        return self.level.endswith("-transitive")

    @property
    def base_level(self) -> str:
        return self.level.removesuffix("-transitive")


def run(
    paths: Sequence[str], settings: Settings, versions: Sequence[Version], tally: Tally
) -> Iterator[Event]:
    """Yield findings and problems of the schemas in `paths`, file by file.

    `tally` counts the schemas as messages, and leaves out findings that only say "undecided".
    """
    work = _Run(settings, versions)
    for event in chain(work.read(paths), work.checked_files(tally)):
        if isinstance(event, Problem):
            tally.errors += 1
        else:
            tally.findings += event.severity != "info"
        yield event


class _Run:
    def __init__(self, settings: Settings, versions: Sequence[Version]) -> None:
        self._settings = settings
        self._versions = versions
        self.files: list[File] = []

    def read(self, paths: Sequence[str]) -> Iterator[Problem]:
        """Read the files in `paths`; yield those that cannot be read."""
        for named in paths:
            path = Path(named)
            if not path.is_dir():
                yield from self._read_one(path, path.name, named=True)
                continue
            for below in paths_below(path):
                yield from self._read_one(below, below.relative_to(path).as_posix(), named=False)

    def _read_one(self, path: Path, key: str, named: bool) -> Iterator[Problem]:
        try:
            file = read_file(path, path.as_posix(), key, named)
        except SchemaError as error:
            yield error.problem
            return
        if named or looks_like_schemas(file):
            self.files.append(file)

    def checked_files(self, tally: Tally) -> Iterator[Event]:
        """Yield everything there is to say about the files."""
        for file in self.files:
            tally.files += 1
            try:
                schemas = message_schemas(file)
            except SchemaError as error:
                yield error.problem
                continue
            for schema in schemas:
                tally.messages += 1
                yield from self.checked(schema)

    def checked(self, schema: MessageSchema) -> Iterator[Event]:
        """Yield everything there is to say about one schema."""
        if schema.foreign:
            text = f"the payload is described as {schema.foreign} and was not checked"
            yield finding("schema-language-unknown", schema, schema.pointer, text)
            return
        faults = list(metaschema_faults(schema))
        for pointer, text in faults:
            yield finding("invalid-schema", schema, pointer, f"invalid schema: {text}")
        if faults:
            return
        try:
            opened = open_schema(schema, self._settings.root, lambda: self.files)
            yield from self._judged(opened)
        except SchemaError as error:
            yield error.problem
        except RoleError as error:
            yield Problem(schema.file.shown, schema.file.document.place("").line, str(error))

    def _judged(self, opened: Opened) -> Iterator[Event]:
        if self._is_part(opened.schema):
            return
        if accepts_nothing(opened):
            text = "no message satisfies the schema"
            yield finding("schema-accepts-nothing", opened.schema, opened.schema.pointer, text)
            return
        roles = self._roles(opened)
        earlier = [old for version in self._versions for old in version.of(opened.schema)]
        yield from self._conformance(opened, roles, earlier)
        yield from self._compatibility(opened, roles, earlier)

    def _roles(self, opened: Opened) -> Roles:
        value = at_pointer(opened.schema.file.document.value, opened.schema.pointer)
        return roles_from_schema(value).over(self._settings.roles)

    def _conformance(
        self, opened: Opened, roles: Roles, earlier: Sequence[Opened]
    ) -> Iterator[Finding]:
        """A fault that the last version already had is not the fault of this change."""
        if not roles.pointers:
            return
        known = {_name(v) for v in _verdicts(earlier[-1], roles)} if earlier else set()
        for verdict in _verdicts(opened, roles):
            if _name(verdict) not in known:
                yield conformance_finding(opened.schema, verdict)

    def _compatibility(
        self, opened: Opened, roles: Roles, earlier: Sequence[Opened]
    ) -> Iterator[Finding]:
        told: set[str] = set()
        compared = earlier if self._settings.is_transitive else earlier[-1:]
        for before in reversed(compared):
            version = _version_path(opened, roles)
            change = Change(before, opened, version, self._settings.tolerant)
            for one in self._change(change):
                if one.pointer not in told or one.severity == "info":
                    told.add(one.pointer)
                    yield one

    def _change(self, change: Change) -> Iterator[Finding]:
        found: list[Break] = []
        for direction in LEVELS[self._settings.base_level]:
            answer = breaks(change, direction)
            if isinstance(answer, Undecided):
                yield undecided_finding(change.after.schema, answer, change.before.schema.file)
            else:
                found += answer
        yield from change_findings(change, found)

    def _is_part(self, schema: MessageSchema) -> bool:
        """Tell whether a document only serves other documents of this run."""
        if schema.pointer:
            return False
        return is_library(schema) or schema.file.uri in self._referenced

    @cached_property
    def _referenced(self) -> frozenset[str]:
        found = {
            urljoin(file.uri, target.partition("#")[0])
            for file in self.files
            for target in _references(file.document.value)
            if not target.startswith("#")
        }
        by_id = {urljoin(file.uri, file.identity): file.uri for file in self.files if file.identity}
        return frozenset(found | {by_id[target] for target in found if target in by_id})


def _references(value: object) -> Iterator[str]:
    stack = [value]
    while stack:
        current = stack.pop()
        if isinstance(current, dict):
            if isinstance(current.get("$ref"), str):
                yield current["$ref"]
            stack += current.values()
        elif isinstance(current, list):
            stack += current


def _verdicts(opened: Opened, roles: Roles) -> list[Verdict]:
    return list(broken_requirements(opened, roles))


def _name(verdict: Verdict) -> tuple[str, str]:
    return verdict.requirement.rule, verdict.requirement.pointer


def _version_path(opened: Opened, roles: Roles) -> MemberPath:
    return member_path(opened.node, roles, "schema-version") if "schema-version" in roles else ()
