"""The pre-commit hooks work from a clone of this repository."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from ruamel.yaml import YAML

from contractlint.cli import main

ROOT = Path(__file__).resolve().parents[2]


def hooks():
    return {hook["id"]: hook for hook in YAML(typ="safe").load(ROOT / ".pre-commit-hooks.yaml")}


def test_three_hooks():
    assert sorted(hooks()) == ["contractlint", "contractlint-messages", "contractlint-schemas"]


@pytest.mark.parametrize("hook", sorted(hooks()))
def test_every_hook_is_one_python_process_of_a_known_command(hook):
    declared = hooks()[hook]
    program, command, *_ = declared["entry"].split()
    assert program == "contractlint"
    assert command in main.list_commands(None)
    assert declared["language"] == "python"
    assert declared["require_serial"] is True


def test_the_manifest_is_valid():
    command = [sys.executable, "-m", "pre_commit", "validate-manifest", ".pre-commit-hooks.yaml"]
    subprocess.run(command, cwd=ROOT, check=True)
    command = [sys.executable, "-m", "pre_commit", "validate-config", ".pre-commit-config.yaml"]
    subprocess.run(command, cwd=ROOT, check=True)


def git(folder, *arguments):
    identity = ["-c", "user.name=t", "-c", "user.email=t@example.org"]
    subprocess.run(["git", *identity, *arguments], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def clone(tmp_path):
    """A repository with the files as they are now, committed or not."""
    clone = tmp_path / "contractlint"
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    )
    for name in listed.stdout.splitlines():
        if (ROOT / name).is_file():
            (clone / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, clone / name)
    git(clone, "init", "--quiet")
    git(clone, "add", "--all")
    git(clone, "commit", "--quiet", "--message", "clone")
    return clone


@pytest.fixture
def consumer(tmp_path):
    consumer = tmp_path / "consumer"
    consumer.mkdir()
    (consumer / "app.py").write_text("x = 1  # contractlint: ignore\n", encoding="utf-8")
    git(consumer, "init", "--quiet")
    git(consumer, "add", "--all")
    return consumer


def try_repo(clone, consumer, home):
    command = [sys.executable, "-m", "pre_commit", "try-repo", str(clone), "contractlint"]
    return subprocess.run(
        [*command, "--all-files", "--verbose"],
        cwd=consumer,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PRE_COMMIT_HOME": str(home)},
    )


@pytest.mark.slow
def test_try_repo(clone, consumer, tmp_path):
    ran = try_repo(clone, consumer, tmp_path / "home")
    if "pip" in ran.stdout and "No matching distribution" in ran.stdout:
        pytest.skip("pip cannot reach a package index")
    assert ran.returncode == 1, ran.stdout + ran.stderr
    assert "app.py:1:8: CL901" in ran.stdout
    (consumer / "app.py").write_text("x = 1\n", encoding="utf-8")
    ran = try_repo(clone, consumer, tmp_path / "home")
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert "Passed" in ran.stdout
