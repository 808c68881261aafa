"""Which codes of contractlint answer to which rule name of the labels.

A label names a family: a reader sees that a message is acked too early, not by which of three codes
the linter says so. A label may also give one code, and then only that code counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from contractlint.rules.catalog import bundled_rules

FAMILIES: Mapping[str, tuple[str, ...]] = {
    "ack-before-persist": ("CL101", "CL102", "CL103"),
    "swallowed-failure": ("CL104",),
    "reject-before-quarantine": ("CL105",),
    "reject-without-dead-letter": ("CL106",),
    "settlement-count": ("CL107",),
    "retry-signal-swallowed": ("CL108",),
    "batch-outcome-unreported": ("CL109",),
    "cumulative-ack-in-parallel": ("CL110",),
    "lease-shorter-than-work": ("CL111",),
    "pending-never-reclaimed": ("CL112",),
    "settle-off-thread": ("CL113",),
    "unstable-result-name": ("CL201",),
    "delivery-identity-as-key": ("CL202",),
    "unconditional-requeue": ("CL301",),
    "unbounded-retry": ("CL302",),
    "permanent-error-retried": ("CL303",),
    "effect-without-ledger-check": ("CL401",),
    "timeout-as-failure": ("CL402",),
    "ledger-outside-transaction": ("CL403",),
    "claim-not-released": ("CL404",),
    "volatile-ledger": ("CL405",),
    "commit-then-publish": ("CL501",),
    "unchecked-guarded-update": ("CL502",),
    "relative-update-without-ledger": ("CL503",),
    "stale-write": ("CL504",),
}
"""Only these rules are counted. Labels may name more; those wait until the linter knows them."""

ALL_CODES: tuple[str, ...] = tuple(code for codes in FAMILIES.values() for code in codes)


def codes_of(rule: str) -> tuple[str, ...]:
    """Return the codes that answer to a family name or a code; none for a rule not counted."""
    return (rule,) if rule in ALL_CODES else FAMILIES.get(rule, ())


def answers_to(rule: str) -> tuple[str, ...]:
    """Return the codes that tell a fault: the rule's own, and those that supersede one of them."""
    own = set(codes_of(rule))
    exact = (one.code for one in bundled_rules() if own.intersection(one.supersedes))
    return (*codes_of(rule), *exact)


def family_of(rule: str) -> str:
    """Return the family of a code or a family's own name; a rule not counted is its own family."""
    return next((name for name, codes in FAMILIES.items() if rule in codes), rule)


def chosen_codes(rules: Iterable[str]) -> tuple[str, ...]:
    """Return the codes of these families and codes, in fixed order; all when none is named."""
    wanted = {code for rule in rules for code in codes_of(rule)}
    return tuple(code for code in ALL_CODES if code in wanted) if wanted else ALL_CODES
