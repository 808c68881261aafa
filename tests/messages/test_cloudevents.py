"""The event files of the CloudEvents project, judged by the cloudevents profile.

They belong to that project: point CLOUDEVENTS_CONFORMANCE at a checkout of its `conformance`
repository to run this.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

ROOT = os.environ.get("CLOUDEVENTS_CONFORMANCE", "")


def events(name: str) -> list[tuple[str, Any]]:
    path = Path(ROOT) / "format" / "json" / name
    if not ROOT or not path.is_file():
        pytest.skip("CLOUDEVENTS_CONFORMANCE names no checkout of cloudevents/conformance")
    return [(one["id"], one["event"]) for one in json.loads(path.read_text("utf-8"))["tests"]]


@pytest.mark.parametrize(
    ("name", "exit_code"), [("valid-events.json", 0), ("invalid-events.json", 1)]
)
def test_official_events(name: str, exit_code: int, project, run) -> None:
    wrong = []
    for number, (label, event) in enumerate(events(name)):
        project.write(f"{number}.json", json.dumps(event))
        ran = run("messages", f"{number}.json", "--profile", "cloudevents")
        if ran.exit_code != exit_code:
            wrong.append((label, ran.out))
    assert wrong == []
