"""Our documents show what the commands print, name commands that exist, and link to files."""

from __future__ import annotations

import importlib.util
import re
from pathlib import Path

import pytest

from contractlint.cli import main

ROOT = Path(__file__).resolve().parents[2]
WRITTEN_BY_HAND = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "examples" / "README.md",
    *sorted((ROOT / "docs").glob("*.md")),
]

_spec = importlib.util.spec_from_file_location("refresh", Path(__file__).with_name("refresh.py"))
refresh = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(refresh)


def named(path: Path) -> str:
    return str(path.relative_to(ROOT))


@pytest.mark.parametrize("document", refresh.documents(), ids=named)
def test_shown_output_is_what_the_commands_print(document):
    text = document.read_text(encoding="utf-8")
    assert text == refresh.refreshed(text), "run: python tests/readme/refresh.py"


def test_a_stale_block_is_written_anew():
    stale = "a\n<!-- output: contractlint --version -->\nold\n<!-- end -->\nb\n"
    fresh = refresh.refreshed(stale)
    assert "old" not in fresh
    assert fresh.startswith("a\n<!-- output: contractlint --version -->\n```console\n")
    assert fresh.endswith("```\n<!-- end -->\nb\n")
    assert refresh.refreshed(fresh) == fresh


def test_a_command_that_breaks_is_not_shown():
    with pytest.raises(RuntimeError, match="ended with 2"):
        refresh.output("contractlint check no/such/file.py")


def test_the_readme_shows_a_finding_with_its_proof():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    shown = refresh.output(refresh.commands(readme)[0])
    assert "CL401" in shown
    assert "✗ the process dies here" in shown


def test_the_readme_says_how_to_install_run_and_test():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "\npip install . && contractlint check examples\n" in readme
    assert "\npip install -e '.[dev]' && pytest\n" in readme


def commands_in(text: str) -> set[str]:
    """Return the commands of contractlint that stand in blocks of code or between backticks."""
    fences = re.findall(r"^```\w*\n(.*?)^```", text, re.DOTALL | re.MULTILINE)
    lines = [line for fence in fences for line in fence.splitlines()]
    lines += re.findall(r"`([^`\n]+)`", text)
    return set(re.findall(r"(?:^|&& |\$ |- run: )contractlint ([a-z]+)", "\n".join(lines), re.M))


@pytest.mark.parametrize("document", WRITTEN_BY_HAND, ids=named)
def test_every_command_exists(document):
    commands = commands_in(document.read_text(encoding="utf-8"))
    assert commands <= set(main.list_commands(None))


def test_commands_are_seen():
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert commands_in(readme) >= {"check", "explain", "messages", "rules", "schemas"}


@pytest.mark.parametrize("document", WRITTEN_BY_HAND, ids=named)
def test_links_lead_somewhere(document):
    text = re.sub(r"```.*?```", "", document.read_text(encoding="utf-8"), flags=re.DOTALL)
    links = re.findall(r"\]\(([^)\s]+)\)", text)
    files = [link.partition("#")[0] for link in links if not re.match(r"\w+:", link)]
    broken = [file for file in files if file and not (document.parent / file).exists()]
    assert broken == []


def test_every_page_is_in_the_index():
    index = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    pages = {path.name for path in (ROOT / "docs").glob("*.md")} - {"index.md"}
    assert {page for page in pages if f"]({page})" not in index} == set()
