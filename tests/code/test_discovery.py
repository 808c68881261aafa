"""Which functions are handlers: in tests/cases/discovery, their `def` ends with `# <- handler`.

Each folder is a project. What it hands a delivery on to is marked as well; nothing else may be
listed. A folder whose name begins with `no_` has no handler at all.
"""

import re
import shutil
from pathlib import Path

import pytest

CASES = Path(__file__).parent.parent / "cases" / "discovery"
FOLDERS = sorted(path for path in CASES.iterdir() if path.is_dir())
MARK = re.compile(r"# <- handler$")


def _marked(folder: Path) -> set[tuple[str, int]]:
    return {
        (str(file.relative_to(folder)), number)
        for file in folder.rglob("*.py")
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1)
        if MARK.search(line)
    }


@pytest.mark.parametrize("folder", FOLDERS, ids=lambda folder: folder.name)
def test_what_is_marked_is_listed_and_nothing_else(folder, project, check):
    shutil.copytree(folder, project.root, dirs_exist_ok=True)
    listed = check("--no-cache", "--list-handlers", "--select", "CL101", ".").document["handlers"]
    assert {(one["path"], one["line"]) for one in listed} == _marked(folder)
    assert bool(listed) is not folder.name.startswith("no_")
