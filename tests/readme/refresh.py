"""Write into our documents what their commands print: `python tests/readme/refresh.py`.

A document holds a command and its output, or the content of a file, between two comments. All that
stands between them is written by this script:

    <!-- output: contractlint check examples -->
    <!-- end -->

    <!-- file: examples/contractlint.toml -->
    <!-- end -->
"""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

_BLOCK = re.compile(
    r"^(?P<start><!-- (?P<kind>output|file): (?P<what>[^\n]+) -->\n)"
    r".*?"
    r"^(?P<end><!-- end -->)$",
    re.DOTALL | re.MULTILINE,
)


def documents() -> list[Path]:
    """Return the documents that hold such blocks."""
    candidates = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
    return [path for path in candidates if _BLOCK.search(path.read_text(encoding="utf-8"))]


def refreshed(text: str) -> str:
    """Return `text` with every block written anew."""
    return _BLOCK.sub(_block, text)


def commands(text: str) -> list[str]:
    """Return the commands whose output `text` shows."""
    return [block["what"] for block in _BLOCK.finditer(text) if block["kind"] == "output"]


def _block(block: re.Match[str]) -> str:
    content = _console(block["what"]) if block["kind"] == "output" else _file(block["what"])
    return f"{block['start']}{content}{block['end']}"


def _console(command: str) -> str:
    return f"```console\n$ {command}\n{output(command)}```\n"


def _file(path: str) -> str:
    text = (ROOT / path).read_text(encoding="utf-8")
    return f"```{Path(path).suffix[1:]}\n{text}```\n"


def output(command: str) -> str:
    """Return what this contractlint command prints in the project's top folder."""
    _, name, *arguments = shlex.split(command)
    fresh = ["--no-cache"] if name == "check" else []
    ran = subprocess.run(
        [sys.executable, "-m", "contractlint", name, *fresh, *arguments],
        cwd=ROOT,
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    if ran.returncode not in (0, 1):
        raise RuntimeError(f"{command} ended with {ran.returncode}: {ran.stdout}{ran.stderr}")
    return ran.stdout


def main() -> None:
    for path in documents():
        text = path.read_text(encoding="utf-8")
        path.write_text(refreshed(text), encoding="utf-8")


if __name__ == "__main__":
    main()
