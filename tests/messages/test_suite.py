"""Both answers of a checker, the fast one and the explanation, against the official suite."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest

from contractlint.messages.validation import Checker, SchemaError, SchemaSet, compile_schema
from tests.messages.json_schema_suite import (
    DRAFTS,
    SuiteCase,
    Unreachable,
    cases,
    find_suite,
    remotes,
)

# What the engine answers differently from the suite, and why that is accepted.
DISAGREEMENTS: dict[str, str] = {}


@pytest.fixture(scope="session")
def suite(request: pytest.FixtureRequest) -> Path:
    cache = request.config.cache.mkdir("json-schema-suite")
    try:
        return find_suite(Path(cache))
    except Unreachable as error:
        pytest.skip(f"the JSON Schema test suite cannot be downloaded: {error}")


def _schemas(suite: Path, draft: str, root: Path) -> SchemaSet:
    schemas = SchemaSet(root)
    for uri, contents in remotes(suite, draft):
        # Some of the shared ones are no schemas in the older drafts.
        with suppress(SchemaError):
            schemas.add_contents(uri, contents)
    return schemas


def _checkers(suite: Path, draft: str, root: Path) -> Iterator[tuple[SuiteCase, Checker | str]]:
    shared = _schemas(suite, draft, root)
    for number, case in enumerate(cases(suite, draft)):
        schemas = copy.copy(shared)
        uri = f"urn:case:{number}"
        try:
            schemas.add_contents(uri, case.schema)
            yield case, compile_schema(schemas, uri, assert_formats=False)
        except SchemaError as error:
            yield case, error.message


@pytest.mark.parametrize("draft", DRAFTS)
def test_both_answers_agree_with_the_suite(draft: str, suite: Path, tmp_path: Path) -> None:
    wrong: dict[str, str] = {}
    answered = 0
    for case, checker in _checkers(suite, draft, tmp_path):
        for test in case.tests:
            answered += 1
            name = f"{case.name}: {test['description']}"
            if isinstance(checker, str):
                wrong[name] = checker
            elif checker.is_valid(test["data"]) is not test["valid"]:
                wrong[name] = "the fast answer is wrong"
            elif bool(checker.explain(test["data"])) is test["valid"]:
                wrong[name] = "the explanation is wrong"
    expected = {name for name in DISAGREEMENTS if name.startswith(f"{draft}/")}
    assert answered > 500
    assert {name: why for name, why in wrong.items() if name not in expected} == {}
    assert expected <= wrong.keys(), "these have been mended; take them off the list"
