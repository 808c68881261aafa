"""Lines a second of `contractlint journal`, and how much memory the run needs.

    python benchmarks/journal/run.py [COUNT]

Everything runs on one core. Counted is processor time, so that a busy machine changes little, and
start-up is left out; the best of the rounds counts.
"""

from __future__ import annotations

import gc
import json
import resource
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from contractlint.journal.mapping import make_mapping
from contractlint.journal.run import JournalTally, Settings, run
from contractlint.rules.catalog import bundled_rules
from contractlint.rules.findings import compile_rules

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from generate import write  # noqa: E402

ROUNDS = 5
CODES = frozenset(rule.code for rule in bundled_rules() if rule.default or rule.preview)
CHECKS = {rule.name: rule for rule in bundled_rules() if not rule.searched}


def judged(path: Path) -> JournalTally:
    rules = compile_rules(bundled_rules(), CODES)
    settings = Settings(make_mapping({}, limit=3), rules, CHECKS, CODES)
    tally = JournalTally()
    for _ in run([str(path)], settings, tally):
        pass
    return tally


def parsed(path: Path) -> None:
    with path.open("rb") as lines:
        for line in lines:
            json.loads(line)


def best(once: Callable[[], object]) -> float:
    times = []
    for _ in range(ROUNDS):
        started = time.process_time()
        once()
        times.append(time.process_time() - started)
    return min(times)


def peak() -> int:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def main(count: int) -> None:
    gc.set_threshold(100_000)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "journal.jsonl"
        write(path, count)
        before = peak()
        tally = judged(path)
        print(f"{'lines':<34}{tally.messages:>12,}")
        print(f"{'jobs':<34}{tally.jobs:>12,}")
        print(f"{'findings':<34}{tally.findings:>12,}")
        print(f"{'peak memory grown by, KiB':<34}{peak() - before:>12,}")
        print(f"{'contractlint journal, lines/s':<34}{count / best(lambda: judged(path)):>12,.0f}")
        print(f"{'json.loads alone, lines/s':<34}{count / best(lambda: parsed(path)):>12,.0f}")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 400_000)
