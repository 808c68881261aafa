"""The two reference chains, and which orders of them the contract allows, in plain words."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

from contractlint.journal.mapping import make_mapping
from contractlint.journal.run import Settings
from contractlint.rules.catalog import bundled_rules
from contractlint.rules.findings import compile_rules

HERE = Path(__file__).parents[2] / "examples" / "journals"
LIMIT = 3
CODES = frozenset(rule.code for rule in bundled_rules() if rule.default or rule.preview)
CHECKS = {rule.name: rule for rule in bundled_rules() if not rule.searched}
SETTINGS = Settings(make_mapping({}, LIMIT), compile_rules(bundled_rules(), CODES), CHECKS, CODES)


def chain(name):
    return [json.loads(line) for line in (HERE / f"{name}.jsonl").read_text().splitlines()]


RETRIED, POISON = chain("retried"), chain("poison")


def deliveries_of(lines):
    """The chain cut at each delivery; what stands before the first one comes in a first part."""
    parts = [[]]
    for line in lines:
        if line["event"] == "received":
            parts.append([])
        parts[-1].append(line)
    return parts


def is_legal(lines):
    before, *deliveries = deliveries_of(lines)
    numbers = [delivery[0]["attempt"] for delivery in deliveries]
    return (
        not before
        and numbers == list(range(1, len(numbers) + 1))
        and len(numbers) <= LIMIT
        and all(map(_is_legal_delivery, deliveries))
        and _results_are_safe(deliveries)
        and _quarantine_is_the_end(deliveries)
    )


def _is_legal_delivery(delivery):
    attempt = delivery[0]["attempt"]
    events = [line["event"] for line in delivery[1:]]
    settled = [one for one in events if one in ("ack_sent", "nack_sent")]
    return (
        all(line.get("attempt", attempt) == attempt for line in delivery)
        # Settled once at most, and last.
        and len(settled) <= 1
        and (not settled or events[-1] == settled[0])
        # At the limit nothing is put back.
        and not (attempt == LIMIT and any(line.get("requeue") for line in delivery))
    )


def _results_are_safe(deliveries):
    """No acknowledgement before the job has a result."""
    saved = False
    for line in itertools.chain(*deliveries):
        saved = saved or line["event"] == "result_saved"
        if line["event"] == "ack_sent" and not saved:
            return False
    return True


def _quarantine_is_the_end(deliveries):
    """Rejected for good only after the quarantine; after it nothing but that."""
    lines = list(itertools.chain(*deliveries))
    quarantined = next((n for n, line in enumerate(lines) if line["event"] == "quarantined"), None)
    rejected = next((n for n, line in enumerate(lines) if line.get("requeue") is False), None)
    if quarantined is None:
        return rejected is None
    rest = lines[quarantined + 1 :]
    return (rejected is None or quarantined < rejected) and all(
        line.get("requeue") is False for line in rest
    )
