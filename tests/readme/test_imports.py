"""Imports go one way, as the table in docs/architecture.md says."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PACKAGE = ROOT / "contractlint"
# The two faces of the package: what starts it, and its version.
_FACES = {"__main__", "__init__", "__version__"}


def rows() -> dict[str, int]:
    """Return package → row of the table; the first row is the top."""
    text = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")
    table = re.findall(r"^\| (\d+) \| (.+) \|$", text, re.MULTILINE)
    return {name: int(row) for row, names in table for name in re.findall(r"`(\w+)`", names)}


def packages() -> set[str]:
    """Return the modules and packages directly below contractlint/."""
    modules = {path.stem for path in PACKAGE.glob("*.py")}
    folders = {path.parent.name for path in PACKAGE.glob("*/__init__.py")}
    return (modules | folders) - _FACES


def imports(source: str) -> Iterator[tuple[int, str]]:
    """Yield line and dotted name of each import of ours, those inside functions included."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            names = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module == "contractlint":
            names = [f"contractlint.{alias.name}" for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names = [node.module or ""]
        else:
            continue
        yield from ((node.lineno, name) for name in names if name.startswith("contractlint."))


def upward_imports(package: str, source: str, order: dict[str, int]) -> list[tuple[int, str]]:
    """Return the imports in `source`, a file of `package`, that do not lead to a lower row."""
    found = []
    for line, name in imports(source):
        target = name.split(".")[1]
        if target not in _FACES and target != package and order[target] <= order[package]:
            found.append((line, name))
    return found


def test_every_package_has_a_row():
    assert set(rows()) == packages()


@pytest.mark.parametrize("package", sorted(packages()))
def test_imports_lead_down(package):
    files = [PACKAGE / f"{package}.py", *(PACKAGE / package).rglob("*.py")]
    upward = [
        f"{file.relative_to(ROOT)}:{line} imports {name}"
        for file in files
        if file.is_file()
        for line, name in upward_imports(package, file.read_text(encoding="utf-8"), rows())
    ]
    assert upward == []


def test_nothing_is_imported_relatively():
    """A relative import would escape the test above."""
    relative = [
        file.name
        for file in PACKAGE.rglob("*.py")
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.level
    ]
    assert relative == []


@pytest.mark.parametrize(
    ("package", "source", "lines"),
    [
        ("rules", "from contractlint.project.run import Report", [1]),
        ("rules", "import contractlint.code.flow", [1]),
        ("events", "from contractlint import findings", [1]),
        ("project", "def f():\n    from contractlint.cli import main", [2]),
        ("project", "import os\nfrom contractlint import __version__, engine", []),
        ("rules", "from contractlint.rules.patterns import Pattern", []),
    ],
)
def test_the_check_sees(package, source, lines):
    assert [line for line, _ in upward_imports(package, source, rows())] == lines
