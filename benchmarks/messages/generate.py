"""Write small task messages as JSON Lines; every hundredth breaks the envelope."""

from __future__ import annotations

import json
import sys
from pathlib import Path

FAULTS = (
    lambda message: message.pop("id"),
    lambda message: message.update(kind=""),
    lambda message: message.update(attempt=0),
    lambda message: message["payload"].pop("schema"),
    lambda message: message.update(time="this morning"),
)


def message(number: int) -> dict[str, object]:
    parcel = number // 4
    return {
        "id": f"task-{number}",
        "kind": "parcel.label",
        "effectKey": f"parcel-{parcel}:label-{number % 4}",
        "sequenceKey": f"parcel-{parcel}",
        "sequence": number % 4 + 1,
        "attempt": 1,
        "time": "2030-01-31T08:00:00Z",
        "payload": {"schema": "2", "parcel": str(parcel), "weight": number % 700},
    }


def write(target: Path, count: int) -> None:
    """Write `count` messages to `target`, 1 % of them invalid."""
    with target.open("w", encoding="utf-8") as lines:
        for number in range(count):
            one = message(number)
            if number % 100 == 99:
                FAULTS[number // 100 % len(FAULTS)](one)
            lines.write(json.dumps(one) + "\n")


if __name__ == "__main__":
    write(Path(sys.argv[1]), int(sys.argv[2]))
