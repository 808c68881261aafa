"""Every check on messages, streams and schemas: code, name, and what to say about it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Check:
    """One check. `severity` is "error" or "warning"; `name` reads after "this message has a …"."""

    code: str
    name: str
    severity: str
    summary: str
    why: str
    fix: str


_TABLE = (
    Check(
        "CM001",
        "schema-violation",
        "error",
        "the message breaks its schema",
        "A consumer that trusts the schema fails on it, or stores a value nobody meant.",
        "send what the schema asks for, or change the schema together with its version",
    ),
    Check(
        "CM002",
        "missing-message-id",
        "error",
        "the message has no identity",
        "Without an identity that survives redelivery nobody can tell a repeat from new work.",
        "give every message a non-empty id that stays the same on redelivery",
    ),
    Check(
        "CM003",
        "missing-schema-version",
        "error",
        "the message does not say which version of its payload it carries",
        "A consumer must refuse a payload it does not know; without a version it can only guess.",
        "write the payload's schema version into every message",
    ),
    Check(
        "CM004",
        "timestamp-without-offset",
        "error",
        "the message's time has no offset from UTC",
        "A reader in another zone takes it for another moment; limits and order go wrong.",
        "write the time with its offset, for example 2030-01-31T08:00:00Z",
    ),
    Check(
        "CM005",
        "unsafe-integer",
        "error",
        "an integer is too large for a double",
        "Many JSON readers keep numbers as doubles: beyond 2^53 - 1 two ids become one.",
        "send large numbers as strings",
    ),
    Check(
        "CM006",
        "duplicate-json-key",
        "error",
        "an object names the same member twice",
        "Readers disagree which value counts: the validator may see one, the consumer the other.",
        "write every name once",
    ),
    Check(
        "CM007",
        "not-a-number",
        "error",
        "NaN and Infinity are not JSON",
        "Strict readers reject the whole message, lenient ones carry the value into sums.",
        "send null or leave the member out, and say in the schema what that means",
    ),
    Check(
        "CM008",
        "json-inside-string",
        "warning",
        "a string holds another JSON document",
        "No schema looks inside the string, so its content has no contract.",
        "send the value as JSON instead of as text",
    ),
    Check(
        "CM009",
        "sequence-without-key",
        "error",
        "a sequence number and the key it counts for belong together",
        "Order means something inside one object only; a number alone orders nothing.",
        "send both the sequence key and the sequence number, or neither",
    ),
    Check(
        "CM010",
        "unsupported-schema",
        "error",
        "the payload has a version that this consumer does not know",
        "Waiting does not make an unknown version known; retrying it is an endless loop.",
        "quarantine the message, or teach the consumer the version first",
    ),
    Check(
        "CM011",
        "unreadable-message",
        "error",
        "the text cannot be read",
        "A consumer cannot read it either, and everything in it is lost.",
        "write one complete UTF-8 JSON value per message",
    ),
    Check(
        "CM012",
        "torn-last-line",
        "error",
        "the last line ends in the middle of a message",
        "A writer died while writing; the next append would be glued to the torn line.",
        "cut the file back to its last complete line before anything is appended",
    ),
    Check(
        "CM101",
        "id-reused-with-different-content",
        "error",
        "one id stands for two different messages",
        "A consumer that remembers ids drops the second message as a repeat.",
        "give each message an id of its own, for example by adding a part to a shared one",
    ),
    Check(
        "CM102",
        "effect-key-is-message-id",
        "error",
        "the effect key is the message id",
        "The id says which message this is, the effect key which effect must not exist twice; a "
        "second message about the same effect would carry another id and repeat the effect.",
        "derive the effect key from the object and the kind of effect",
    ),
    Check(
        "CM103",
        "random-effect-key",
        "error",
        "every effect key is a random UUID",
        "A fresh random key never equals an earlier one, so it cannot stop a second effect.",
        "derive the effect key from the object and the kind of effect",
    ),
    Check(
        "CM104",
        "effect-key-shared",
        "error",
        "one effect key serves two kinds of effect",
        "The ledger, or the provider, answers the second effect with the result of the first.",
        "put the kind of effect into its key",
    ),
    Check(
        "CM105",
        "delivery-tag-as-key",
        "error",
        "a delivery tag serves as identity",
        "The broker gives each delivery a new tag: a redelivered message looks like new work.",
        "use a value that the producer wrote and that stays the same on redelivery",
    ),
    Check(
        "CM201",
        "sequence-out-of-order",
        "error",
        "the message comes after a later one of the same key",
        "A consumer that applied the later one first has already gone past this state.",
        "publish the changes of one object in their order, through one partition or queue",
    ),
    Check(
        "CM202",
        "sequence-gap",
        "error",
        "numbers of this key are missing",
        "A later change must not be applied on top of a state that nobody has seen.",
        "find the missing messages with their owner; do not let a timeout close the gap",
    ),
    Check(
        "CM203",
        "version-conflict",
        "error",
        "two messages claim the same version of one object",
        "Only the owner numbers versions; a consumer cannot tell which of the two is true.",
        "reject the second one and hand it to the owner of the object",
    ),
    Check(
        "CM204",
        "stale-message",
        "error",
        "the message carries a version that is already behind",
        "Applied now, it would move the object back.",
        "reject it, and ask its producer why it was sent again under a new id",
    ),
    Check(
        "CM301",
        "compensation-repeated",
        "error",
        "the same compensation is decided twice",
        "Object, version and reason name one decision; a second one pays back twice.",
        "look the compensation key up before creating, and reuse what is there",
    ),
    Check(
        "CM302",
        "compensation-reason-not-listed",
        "error",
        "a compensation for a reason that is not listed",
        "Only failures that are known to be final may be undone automatically.",
        "send it to manual review, or list the reason in the contract",
    ),
    Check(
        "CM303",
        "compensation-after-unknown-result",
        "error",
        "a compensation while the result of the effect is unknown",
        "A timeout is no refusal: the effect may exist, and would be undone without being known.",
        "reconcile with the provider first, by its id or the operation key",
    ),
    Check(
        "CM304",
        "compensation-of-old-version",
        "error",
        "a compensation for a version that is not the current one",
        "The owner has moved on; undoing an old version undoes what came after it too.",
        "decide again about the current version",
    ),
)

CHECKS = {check.name: check for check in _TABLE}
