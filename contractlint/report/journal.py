"""What a journal shows: diagnoses and proofs, as text and JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence

from contractlint import __version__
from contractlint.findings import Problem
from contractlint.journal.observing import Observed
from contractlint.report.text import problem_lines

Render = Callable[[Sequence[Observed], Sequence[Problem]], str]


def _text(observed: Sequence[Observed], problems: Sequence[Problem]) -> str:
    blocks = ["\n".join(_block(one)) for one in observed]
    blocks += ["\n".join(problem_lines(problems, colour=False))] if problems else []
    return "\n\n".join(blocks or ["nothing to diagnose"]) + "\n"


def _block(one: Observed) -> Iterator[str]:
    lines = ", ".join(f"{at.path}:{at.line} {at.step}" for at in one.evidence)
    yield f"job {one.job}: {one.observation.sees}"
    yield f"  evidence: {lines}"
    yield f"  cause to check: {one.observation.cause}"
    yield f"  next: {one.observation.action}"


def _json(observed: Sequence[Observed], problems: Sequence[Problem]) -> str:
    rows = [
        {
            "job": one.job,
            "observation": one.observation.name,
            "sees": one.observation.sees,
            "cause": one.observation.cause,
            "evidence": [at._asdict() for at in one.evidence],
            "action": one.observation.action,
        }
        for one in observed
    ]
    errors = [{"path": one.path, "line": one.line, "message": one.message} for one in problems]
    document = {"version": __version__, "diagnoses": rows, "errors": errors}
    return json.dumps(document, indent=2, ensure_ascii=False) + "\n"


_RENDERERS: Mapping[str, Render] = {"text": _text, "json": _json}
ANSWER_FORMATS = tuple(_RENDERERS)


def render_diagnoses(
    observed: Sequence[Observed], problems: Sequence[Problem], output_format: str
) -> str:
    """Return what the jobs show, in one of ANSWER_FORMATS."""
    return _RENDERERS[output_format](observed, problems)


def render_proofs(answers: Mapping[str, bool], output_format: str) -> str:
    """Return which claims hold."""
    if output_format == "json":
        return json.dumps(answers, indent=2) + "\n"
    return "".join(f"{'yes' if holds else 'NO':<4} {name}\n" for name, holds in answers.items())
