from __future__ import annotations

import json
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from contractlint.cli.schemas import command

ROLES = """
[messages.roles]
id = "/message_id"
schema-version = "/version"
"""


@dataclass
class Outcome:
    """What one call printed: exit code, (rule, path, line) of findings, and error messages."""

    exit_code: int
    findings: list[dict[str, Any]]
    errors: list[dict[str, Any]]

    @property
    def rules(self) -> list[str]:
        return [one["rule"] for one in self.findings]


@dataclass
class Project:
    """A folder with settings, in which the command runs."""

    root: Path

    def write(self, name: str, content: Any) -> Path:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content if isinstance(content, str) else json.dumps(content, indent=1))
        return path

    def run(self, *arguments: str) -> Outcome:
        result = CliRunner().invoke(command, [*arguments, "--output-format", "json"])
        assert result.exception is None or isinstance(result.exception, SystemExit)
        report = json.loads(result.stdout)
        return Outcome(result.exit_code, report["findings"], report["errors"])

    def git(self, *arguments: str) -> None:
        identity = ("-c", "user.name=t", "-c", "user.email=t@example.org")
        subprocess.run(["git", *identity, *arguments], cwd=self.root, check=True, timeout=60)

    def commit(self, message: str) -> None:
        self.git("add", "-A")
        self.git("commit", "-q", "-m", message)


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    found = Project(tmp_path)
    found.write("contractlint.toml", ROLES)
    monkeypatch.chdir(tmp_path)
    return found


Schema = Callable[..., dict[str, Any]]


@pytest.fixture
def schema() -> Schema:
    """Return a function that makes a complete message schema with more members."""

    def make(version: int = 1, required: tuple[str, ...] = (), **members: Any) -> dict[str, Any]:
        return {
            "$id": "bed.assigned",
            "type": "object",
            "required": ["message_id", "version", *required],
            "properties": {
                "message_id": {"type": "string", "minLength": 1},
                "version": {"const": version},
                **members,
            },
        }

    return make
