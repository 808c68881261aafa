"""Is a message what its schema says, and if not, why: one engine answers both questions.

jsonschema-rs compiles a schema once. Its regular expressions run in linear time; patterns that need
look-around are stopped after a bounded number of steps. Because the fast answer and the explanation
come from the same compiled schema, they cannot disagree.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

from contractlint.messages.documents import MAX_DEPTH, Json, pointer_of
from contractlint.messages.references import SchemaError, SchemaSet

if TYPE_CHECKING:
    from jsonschema_rs import ValidationError, Validator

__all__ = ["Checker", "SchemaError", "SchemaSet", "Violation", "compile_schema"]

# Explaining alternatives that refer to themselves costs their number to the power of the depth.
_EXPLAINED_DEPTH = 6
_BACKTRACK_LIMIT = 10_000
_LONGEST_MESSAGE = 240


@dataclass(frozen=True, slots=True)
class Violation:
    """One reason why a message is invalid.

    `pointer` leads into the message, `schema_pointer` into the schema (through its references),
    `keyword` is the schema keyword that says no. `subject` is what the fault is about: the member
    that is missing, otherwise the same as `pointer`.
    """

    pointer: str
    schema_pointer: str
    keyword: str
    message: str
    subject: str = ""


class Checker:
    """A compiled schema."""

    def __init__(self, validator: Validator, explains_depth: int = MAX_DEPTH) -> None:
        self._validator = validator
        self.is_surely_valid = validator.is_valid
        """Like `is_valid`, but raises ValueError where it cannot judge; for very many messages."""
        self._explains_depth = explains_depth

    def is_valid(self, message: Json) -> bool:
        """Tell whether `message` satisfies the schema. What cannot be judged does not."""
        try:
            return self._validator.is_valid(message)
        except ValueError:
            return False

    def explain(self, message: Json, limit: int = 20) -> list[Violation]:
        """Return up to `limit` reasons why `message` is invalid, the nearest cause of each."""
        if _deeper_than(message, self._explains_depth):
            return [] if self.is_valid(message) else [_UNEXPLAINED]
        try:
            return list(islice(_violations(self._validator, message), limit))
        except UnicodeEncodeError:
            text = "a string has half of a surrogate pair, which is no character"
            return [Violation("", "", "type", text)]
        except ValueError as error:
            return [Violation("", "", "type", f"cannot be judged: {_short(error).lower()}")]


def compile_schema(schemas: SchemaSet, uri: str, *, assert_formats: bool = True) -> Checker:
    """Compile the schema known as `uri` in `schemas`.

    Drafts 2020-12 (also when none is named), 2019-09, 7, 6 and 4. `format` is asserted unless
    `assert_formats` is false.

    Raises:
        SchemaError: a reference leads nowhere, the draft is unknown, or the schema is invalid.
    """
    import jsonschema_rs

    try:
        contents = schemas.contents(uri)
    except LookupError:
        raise schemas.error(uri, "there is no such schema") from None
    retrieval = _retrieval(schemas, uri, contents)
    schemas.check_references(uri)
    branching = schemas.branching(uri)
    if branching.too_wide:
        raise schemas.error(uri, "its references multiply to more alternatives than can be tried")
    explains_depth = _EXPLAINED_DEPTH if branching.grows_with_depth else MAX_DEPTH
    try:
        return Checker(
            jsonschema_rs.validator_for(
                contents,
                base_uri=uri,
                **retrieval,
                validate_formats=assert_formats,
                pattern_options=jsonschema_rs.FancyRegexOptions(backtrack_limit=_BACKTRACK_LIMIT),
            ),
            explains_depth,
        )
    except (jsonschema_rs.ValidationError, jsonschema_rs.ReferencingError, ValueError) as error:
        pointer = pointer_of(getattr(error, "instance_path", []))
        raise schemas.error(uri, f"not a valid schema: {_short(error)}", pointer) from None


def _retrieval(schemas: SchemaSet, uri: str, contents: Any) -> dict[str, Any]:
    """Return the arguments that let the engine ask `schemas`, and nobody else, for more."""
    import jsonschema_rs

    dialect = contents.get("$schema", "") if isinstance(contents, dict) else ""
    standard = schemas.standard()
    if not dialect or str(dialect).rstrip("#") in dict(standard):
        # With a retriever alone, the engine does not find the metaschema of another draft.
        return {"registry": jsonschema_rs.Registry(standard, retriever=schemas.contents)}
    if not schemas.knows(str(dialect)):
        text = f'the draft "{dialect}" is none of 4, 6, 7, 2019-09, 2020-12 and the given schemas'
        raise schemas.error(uri, text, "/$schema")
    return {"retriever": schemas.contents}


_UNEXPLAINED = Violation(
    "", "", "anyOf", "not valid; too deep to tell why, for the alternatives refer to themselves"
)


def _deeper_than(value: Json, limit: int) -> bool:
    if not isinstance(value, dict | list):
        return False
    below = value.values() if isinstance(value, dict) else value
    return limit == 0 or any(_deeper_than(one, limit - 1) for one in below)


def _violations(validator: Validator, message: Json) -> Iterator[Violation]:
    for error in validator.iter_errors(message):
        yield _violation(_nearest(error))


def _violation(error: ValidationError) -> Violation:
    missing = getattr(error.kind, "property", None)
    return Violation(
        pointer=pointer_of(error.instance_path),
        schema_pointer=pointer_of(error.evaluation_path),
        keyword=error.kind.name,
        message=_short(error),
        subject=pointer_of([*error.instance_path, *([missing] if missing else [])]),
    )


def _short(error: Exception) -> str:
    text = str(getattr(error, "message", error)).splitlines()[0]
    if len(text) <= _LONGEST_MESSAGE:
        return text
    # The value stands first and the reason last: keep both ends.
    return f"{text[:80]} … {text[-120:]}"


def _nearest(error: ValidationError) -> ValidationError:
    """Follow anyOf and oneOf into the alternative that the message most likely meant."""
    while True:
        branches = _failed_branches(error)
        ranks = sorted((_distance(error, branch), index) for index, branch in enumerate(branches))
        if not ranks or (len(ranks) > 1 and ranks[0][0] == ranks[1][0]):
            return error
        error = branches[ranks[0][1]][0]


def _failed_branches(error: ValidationError) -> list[list[ValidationError]]:
    if error.kind.name not in ("anyOf", "oneOf"):
        return []
    context: list[list[Any]] = getattr(error.kind, "context", [])
    return context if all(context) else []


def _distance(parent: ValidationError, branch: list[ValidationError]) -> tuple[bool, int, int]:
    """Rank a branch: one that a tag (const, enum, type) rules out is far, a deep fault is near."""
    depth = len(parent.instance_path)
    ruled_out = any(
        error.kind.name in ("const", "enum", "type") and len(error.instance_path) <= depth + 1
        for error in branch
    )
    return ruled_out, -max(len(error.instance_path) for error in branch), len(branch)
