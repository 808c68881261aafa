"""What a run of `contractlint messages` checks with: schema, roles and the consumer's contract."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from contractlint.findings import Problem
from contractlint.messages.decision import Contract
from contractlint.messages.references import SchemaError, SchemaSet
from contractlint.messages.roles import (
    PROFILES,
    RoleError,
    Roles,
    allowed_values,
    roles_from_schema,
    roles_from_table,
)
from contractlint.messages.validation import Checker, compile_schema

DEFAULT_PROFILE = "contractlint"
DEFAULT_REMEMBER = 20_000


class SettingsError(Exception):
    """Settings that cannot be used; `problem` says where and why."""

    def __init__(self, problem: Problem) -> None:
        super().__init__(problem.message)
        self.problem = problem


@dataclass(frozen=True)
class Wishes:
    """What the command line asks for. Empty values leave the choice to the configuration."""

    schema: Path | None = None
    profile: str = ""
    references: tuple[Path, ...] = ()
    versions: tuple[str, ...] = ()
    reasons: tuple[str, ...] = ()
    stream: bool = False
    starts_at_first: bool = False
    last: Mapping[str, int] = field(default_factory=dict)
    remember: int = DEFAULT_REMEMBER


@dataclass(frozen=True)
class Settings:
    """What one run checks with. `checker` None: no schema. `remember` counts entries a table."""

    roles: Roles
    checker: Checker | None
    contract: Contract
    stream: bool = False
    last: Mapping[str, int] = field(default_factory=dict)
    remember: int = DEFAULT_REMEMBER


def make_settings(root: Path, table: Mapping[str, Any], wishes: Wishes) -> Settings:
    """Return the settings from the project's `messages` table and the command line's wishes.

    Raises:
        SettingsError: an unknown profile or role, or a schema that cannot be used.
    """
    schemas = SchemaSet(root)
    try:
        for path in wishes.references:
            schemas.add_file(path)
        uri = schema_uri(schemas, root, table, wishes)
        checker = compile_schema(schemas, uri) if uri else None
        schema = schemas.contents(uri) if uri else {}
        roles = _roles(table, wishes, schema)
    except SchemaError as error:
        raise SettingsError(error.problem) from None
    except RoleError as error:
        raise SettingsError(Problem("", 0, str(error))) from None
    contract = _contract(roles, schema, wishes)
    return Settings(roles, checker, contract, wishes.stream, wishes.last, wishes.remember)


def schema_uri(
    schemas: SchemaSet, root: Path, table: Mapping[str, Any], wishes: Wishes
) -> str | None:
    """Return the URI of the schema to check with, or None when there are only roles.

    Raises:
        SchemaError: the file cannot be used.
        SettingsError: an unknown profile.
    """
    if wishes.schema is not None:
        return schemas.add_file(wishes.schema)
    if wishes.profile:
        return _profile_uri(wishes.profile)
    if table.get("schema"):
        return schemas.add_file(root / str(table["schema"]))
    if table.get("profile"):
        return _profile_uri(str(table["profile"]))
    return None if table.get("roles") else _profile_uri(DEFAULT_PROFILE)


def _profile_uri(profile: str) -> str:
    if profile not in PROFILES:
        known = ", ".join(sorted(PROFILES))
        raise SettingsError(Problem("", 0, f'there is no profile "{profile}"; there are {known}'))
    return PROFILES[profile]


def _roles(table: Mapping[str, Any], wishes: Wishes, schema: Any) -> Roles:
    annotated = roles_from_schema(schema)
    # A profile asked for by name brings its own fields; the project's names do not apply to it.
    if wishes.profile and wishes.schema is None:
        return annotated
    return roles_from_table(table.get("roles", {})).over(annotated)


def _contract(roles: Roles, schema: Any, wishes: Wishes) -> Contract:
    # The command line has no types: 2 may be meant as the text or as the number.
    known = [*wishes.versions, *(int(one) for one in wishes.versions if one.isdecimal())]
    versions = known or allowed_values(schema, roles.pointer("schema-version"))
    return Contract(
        needs_effect_key="effect-key" in roles,
        versions=versions,
        reasons=wishes.reasons or allowed_values(schema, roles.pointer("reason")),
        starts_at_first=wishes.starts_at_first,
    )
