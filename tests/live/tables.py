"""The crash tables that are carried out, as contractlint tells them."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from tests.live.worker import Death

ROOT = Path(__file__).resolve().parents[2]
CHARGE = "tests/cases/handlers/effect-without-ledger-check/charge"
FILES = [
    f"examples/{half}/{worker}.py"
    for worker in ("orders", "views", "payments", "refunds", "invoices", "shipments")
    for half in ("broken", "mended")
] + [f"{CHARGE}/bad.py", f"{CHARGE}/good.py"]


@lru_cache(maxsize=1)
def cards() -> list[dict]:
    command = [sys.executable, "-m", "contractlint", "handlers", "--isolated", "--crash"]
    ran = subprocess.run(
        [*command, "--format", "json", *FILES], cwd=ROOT, capture_output=True, check=True
    )
    return json.loads(ran.stdout)["handlers"]


@dataclass(frozen=True)
class Row:
    """One row of one handler's table."""

    card: int
    number: int

    @cached_property
    def handler(self) -> dict:
        return cards()[self.card]

    @cached_property
    def said(self) -> dict:
        return self.handler["crash"][self.number]

    @property
    def file(self) -> Path:
        return ROOT / self.handler["path"]

    @property
    def death(self) -> Death:
        step = self.said["step"]
        # What a setting acknowledges is acknowledged when the handler begins.
        if step["event"] == "ack" and self.number == 0:
            return Death(self.file, self.handler["line"], "receive")
        return Death(ROOT / step["path"], step["line"], step["event"])

    def __str__(self) -> str:
        step, when = self.said["step"], "during" if self.said["during"] else "after"
        place = f"{Path(step['path']).name}:{step['line']}"
        worker = f"{self.file.parent.name}/{self.file.stem}:{self.handler['name']}"
        return f"{worker} {when} {step['event']} {place}: {self.said['outcome']}"


def rows(*, during: bool) -> list[Row]:
    return [
        Row(card, number)
        for card, handler in enumerate(cards())
        for number, row in enumerate(handler["crash"])
        if row["during"] == during
    ]
