"""How long a run over a large tree takes, beside linters that are installed.

    python benchmarks/speed/run.py [--tree FOLDER] [--lines 1000000] [--rounds 3]

Every contestant checks the same tree without a cache, one after the other, in turns.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@dataclass(frozen=True)
class Cost:
    """Of one process and its children: seconds on the clock, and the largest one's memory."""

    seconds: float
    megabytes: float


@dataclass(frozen=True)
class Contestant:
    """A command and the tree it runs in."""

    name: str
    command: tuple[str, ...]
    tree: Path


def run_once(command: Sequence[str], folder: Path) -> Cost:
    started = time.perf_counter()
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        _, _, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - started
        process.returncode = 0
    # Linux counts kilobytes, macOS bytes.
    unit = 1 << 20 if sys.platform == "darwin" else 1 << 10
    return Cost(seconds, usage.ru_maxrss / unit)


def best(costs: Sequence[Cost]) -> Cost:
    return Cost(min(cost.seconds for cost in costs), max(cost.megabytes for cost in costs))


def in_turns(contestants: Sequence[Contestant], rounds: int) -> dict[str, Cost]:
    """Return the best time of each; a machine that slows down slows all of them."""
    costs: dict[str, list[Cost]] = {one.name: [] for one in contestants}
    for _ in range(rounds):
        for one in contestants:
            costs[one.name].append(run_once(one.command, one.tree))
    return {name: best(rows) for name, rows in costs.items()}


def build_tree(tree: Path, wanted: int) -> None:
    """Copy the standard library until `wanted` lines are there, and the examples' handlers."""
    shutil.copytree(EXAMPLES, tree / "examples")
    lines = 0
    copy = 0
    while lines < wanted:
        copy += 1
        for file, name in _library():
            target = tree / f"copy_{copy}" / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, target)
            lines += target.read_bytes().count(b"\n")
            if lines >= wanted:
                break


def _library() -> Iterator[tuple[Path, Path]]:
    home = Path(sysconfig.get_path("stdlib"))
    for file in sorted(home.rglob("*.py")):
        name = file.relative_to(home)
        if "site-packages" not in name.parts:
            yield file, name


def count_lines(tree: Path) -> tuple[int, int]:
    """Return the number of Python files and of their lines."""
    files = list(tree.rglob("*.py"))
    return len(files), sum(file.read_bytes().count(b"\n") for file in files if file.is_file())


def part_of(tree: Path, part: Path, wanted: int) -> None:
    """Copy files of `tree` to `part` until `wanted` lines are there."""
    lines = 0
    for number, file in enumerate(sorted(tree.rglob("*.py"))):
        if lines >= wanted:
            return
        target = part / f"{number:05}_{file.name}"
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(file, target)
        lines += target.read_bytes().count(b"\n")


def contestants(tree: Path, part: Path) -> list[Contestant]:
    python = sys.executable
    check = (python, "-m", "contractlint", "check", "--isolated", "--no-cache")
    found = [
        Contestant("contractlint check", check, tree),
        Contestant("contractlint check, one process", (*check, "--jobs", "1"), tree),
    ]
    ruff = _tool("ruff")
    if ruff:
        command = (ruff, "check", "--no-cache", "--isolated", "--exit-zero")
        found.append(Contestant("ruff check", command, tree))
    fixit = _tool("fixit")
    if fixit:
        found.append(Contestant("fixit lint (a part)", (fixit, "lint", "."), part))
    return found


def _tool(name: str) -> str | None:
    beside = Path(sys.executable).parent / name
    return str(beside) if beside.exists() else shutil.which(name)


def start_up(folder: Path, rounds: int) -> dict[str, Cost]:
    (folder / "one.py").write_text("def double(x):\n    return 2 * x\n", encoding="utf-8")
    python = sys.executable
    check = (python, "-m", "contractlint", "check", "--no-cache", "one.py")
    rows = [
        Contestant('python -c "import click"', (python, "-c", "import click"), folder),
        Contestant("contractlint check one.py", check, folder),
    ]
    return in_turns(rows, rounds)


def show_start_up(costs: dict[str, Cost]) -> None:
    print("| start | seconds | times click |\n|---|---|---|")
    click = next(iter(costs.values())).seconds
    for name, cost in costs.items():
        print(f"| {name} | {cost.seconds:.3f} | {cost.seconds / click:.1f} |")


def show_trees(rows: Sequence[Contestant], costs: dict[str, Cost]) -> None:
    print("\n| tree | lines | seconds | lines a second | peak MB of one process |")
    print("|---|---|---|---|---|")
    for one in rows:
        _, lines = count_lines(one.tree)
        cost = costs[one.name]
        rate = lines / cost.seconds
        print(
            f"| {one.name} | {lines:,} | {cost.seconds:.2f} | {rate:,.0f} | {cost.megabytes:.0f} |"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--tree", type=Path, help="check this folder instead of a built one")
    parser.add_argument("--lines", type=int, default=1_000_000, help="size of the built tree")
    parser.add_argument("--part", type=int, default=20_000, help="lines that fixit has to check")
    parser.add_argument("--rounds", type=int, default=3)
    wishes = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        tree = wishes.tree or home / "tree"
        if wishes.tree is None:
            build_tree(tree, wishes.lines)
        part_of(tree, home / "part", wishes.part)
        show_start_up(start_up(home, 5 * wishes.rounds))
        rows = contestants(tree, home / "part")
        show_trees(rows, in_turns(rows, wishes.rounds))
        print(f"\nload of the machine: {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors")


if __name__ == "__main__":
    main()
