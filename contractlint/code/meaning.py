"""What the vocabulary says of a call: its events, and its result."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import NamedTuple

import libcst as cst

from contractlint.code.attributes import _of_message, has_inside
from contractlint.code.conditions import last_name, names_in
from contractlint.code.flow import SETTLES
from contractlint.code.modules import Project
from contractlint.code.names import Memory
from contractlint.code.naming import NAMES_RESULTS, Naming
from contractlint.code.queues import as_settings
from contractlint.code.sql import Statement
from contractlint.code.stores import stores_of
from contractlint.code.updates import attributes_of
from contractlint.code.values import (
    FLOWING,
    NOTHING,
    Arguments,
    Setting,
    Settings,
    Source,
    Value,
    derived,
)
from contractlint.events import Change
from contractlint.vocabulary import Vocabulary
from contractlint.vocabulary.model import CallSpec, ContextSpec, EventSpec

_CONSTRUCTOR = ""  # the setting that stands for the call itself
_FAILS_BEFORE = frozenset({"ack", "persist", "stage", "publish", "effect", "work", "requeue"})


class Happening(NamedTuple):
    """A call that is an event: by which entry, on what and with what; `grade` of its evidence."""

    event: EventSpec
    sure: bool
    spec: CallSpec
    receiver: Value
    arguments: Arguments
    node: cst.Call
    grade: str


class Meaning(Naming):
    """Names of results, and what vocabulary entries mean for the graph."""

    def __init__(self, project: Project, vocabulary: Vocabulary, memory: Memory) -> None:
        super().__init__(project, vocabulary, memory)
        self.facts: dict[str, str] = {}
        self._held: list[Callable[[], None]] = []
        self._after_run: list[Callable[[], None]] = []
        self.dropped: cst.CSTNode | None = None  # the call whose result nobody keeps

    def emit_all(
        self, specs: Iterable[EventSpec], settings: Settings, source: Source, **extra: str
    ) -> None:
        for spec in specs:
            if self.decide(spec.when, settings):
                self.emit_spec(spec, settings, source, **extra)

    def emit_spec(self, spec: EventSpec, settings: Settings, source: Source, **extra: str) -> None:
        if not spec.event:
            return
        attributes = {**spec.attributes, **{key: value for key, value in extra.items() if value}}
        if spec.at:
            setting = settings.get(spec.at)
            constructor = settings.get(_CONSTRUCTOR)
            if setting is not None and setting.source is not None:
                source = setting.source
                attributes.pop("default", None)
            elif constructor is not None and constructor.source is not None:
                source = constructor.source
        raises = spec.event in _FAILS_BEFORE and attributes.get("by") not in ("config", "default")
        self.emit(spec.event, source, attributes, raises=raises)
        if spec.event == "effect":
            self.may_raise()

    def chosen_event(self, spec: CallSpec, settings: Settings) -> tuple[EventSpec | None, bool]:
        """Return the event of a call and whether it is sure that it is this one."""
        sure = True
        for case in spec.cases:
            answer = self.decide(case.when, settings)
            if answer:
                return (case if case.event else None), True
            sure = sure and answer is False
        if spec.event is None or self.decide(spec.event.when, settings) is not True:
            return None, True
        return spec.event, sure

    def apply(
        self, spec: CallSpec, receiver: Value, arguments: Arguments, node: cst.Call, grade: str
    ) -> Value:
        """Lower a call that the vocabulary knows; `grade` is typed or bare evidence."""
        source = self.source(node)
        if self._only_queued(spec, receiver, node) or self._takes_permit(spec, node):
            return derived(receiver, *arguments.all())
        inherited = receiver.options if receiver.type or receiver.options else {}
        settings = self.settings(spec.options, arguments, inherited)
        settings |= self._declared(spec, settings, source)
        self.emit_all(spec.before, settings, source, grade=grade)
        event, sure = self.chosen_event(spec, settings)
        statement = self.statement_of(spec, arguments)
        if spec.rows is not None:
            self.handed_version(self.rows_asked_for(spec, arguments), node)
        receives = event is not None and event.event == "receive"
        result = self._result(spec, receiver, arguments, settings, source, statement, receives)
        if result.has("lookup") or event is None:
            self.note_asked(node, arguments, statement)
        if result.has("lookup"):
            self.handed_version(arguments.all(), node)
        if event is not None:
            for kind in self.kinds_by_sql(event, statement):
                self.happen(
                    Happening(
                        replace(event, event=kind), sure, spec, receiver, arguments, node, grade
                    )
                )
        elif spec.raises:
            self.may_raise()
        if event is None and spec.sinks:
            self.note_flows("", spec, receiver, arguments, node)
        if statement is not None:
            self._remember_answer(node, result)
        self.emit_all(spec.then, settings, source, grade=grade)
        waiting, self._after_run = self._after_run, []
        for happen in waiting:
            happen()
        if spec.joins:
            self.emit("join", source)
        if spec.ends is not None and self.decide(spec.ends.when, settings):
            self.raise_now(spec.ends.exception)
        return result

    def happen(self, one: Happening) -> None:
        event, sure, spec, receiver, arguments, node, grade = one
        source = self.source(node)
        if self._held_back(one):
            return
        library = spec.library if grade == "typed" else ""
        extra = {"library": library, "grade": grade}
        extra["sure"] = event.attributes.get("sure", "yes") if sure else "no"
        if event.event == "persist" and self._in_transaction_of(spec.library):
            event = replace(event, event="stage")
        kind = event.event
        if kind == "handoff" and (receiver.has("addressee") or self.stays_here(node)):
            return
        if kind == "ack" and self.names_others(spec, arguments, receiver):
            extra["covers"] = "others"
        if kind == "ack" and any(has_inside(value, "handles") for value in arguments.all()):
            extra["gathered"] = "yes"
        if kind in SETTLES:
            extra["by"] = event.attributes.get("by", "call")
        if kind == "receive":
            self.emit("poll", source)
            self.may_raise()
            received = self.settings(spec.options, arguments, receiver.options)
            self.received_from(received)
            extra |= self.queue_of(received)
        if kind == "effect":
            extra |= self.effect_attributes(spec, arguments, node)
        if kind in NAMES_RESULTS or kind in ("effect", "publish"):
            self.note_flows(kind, spec, receiver, arguments, node)
        statement = self.statement_of(spec, arguments)
        if statement is not None:
            extra["claim"] = "yes" if statement.kind == "claim" else ""
            extra |= self.queue_attributes(kind, statement)
        elif spec.result == "claim":
            extra["claim"] = "yes"
        if kind in ("stage", "persist"):
            labels = self.row_labels(spec, receiver, arguments)
            if event.attributes.get("change") == "overwrite":
                event = replace(event, attributes={**event.attributes, "change": ""})
                labels |= {"sets"}
            if statement is not None and statement.sets and not _of_message(arguments):
                labels -= {"sets"}
            extra |= attributes_of(labels)
            extra["rows"] = "dropped" if node is self.dropped else ""
            marks = stores_of(node, arguments, statement) & self.consulted
            extra["mark"] = "yes" if marks else ""
        if kind == "publish":
            extra["to"] = self.special_destination(arguments, node)
            if not extra["to"] and self._inside_log_helper():
                return
        settings = self.settings(spec.options, arguments, receiver.options)
        self.emit_spec(event, settings, source, **extra)
        if kind in ("persist", "stage") and self.stores_refusal(arguments):
            self.emit("refusal", source)

    def _inside_log_helper(self) -> bool:
        """Is it a line for a log that the project ships through a broker, no message?"""
        return self.idioms.any_name("log-helper", self.active_names)

    def _declared(self, spec: CallSpec, settings: Settings, source: Source) -> Settings:
        """Note what a declaration tells of its queue, and let it go with the object it returns."""
        if not spec.facts:
            return {}
        told = self.facts_of_call(spec, settings)
        self.memory.queues.note(settings, told, source)
        return as_settings(told, source)

    def facts_of_call(self, spec: CallSpec, settings: Settings) -> dict[str, str]:
        told: dict[str, str] = {}
        for fact in spec.facts:
            if self.decide(fact.when, settings):
                told |= fact.attributes
        return told

    def received_from(self, settings: Settings) -> None:
        """A delivery is in hand now that comes from a queue with these options."""
        self.facts = self.memory.queues.facts_of(settings)

    def _remember_answer(self, node: cst.Call, result: Value) -> None:
        """A cursor answers later (`rowcount`, `fetchone`) for the statement it has executed."""
        func = node.func
        if not isinstance(func, cst.Attribute) or not isinstance(func.value, cst.Name):
            return
        name = func.value.value
        cursor = self.scope.names.get(name)
        if cursor is not None:
            kept = cursor.labels - {"lookup", "claim", "write-count"}
            labels = kept | (result.labels & {"lookup", "claim", "write-count", "message"})
            self.scope.names[name] = replace(cursor, labels=labels)

    def _in_transaction_of(self, library: str) -> bool:
        return any(transaction.library == library for transaction in self.transactions)

    def _only_queued(self, spec: CallSpec, receiver: Value, node: cst.Call) -> bool:
        """Does a pipeline take note of a receive that happens when it is carried out?"""
        runs = self.vocabulary.queue_of(receiver.type)
        receives = spec.event is not None and spec.event.event == "receive"
        return runs is not None and receives and last_name(node.func) not in runs

    def _takes_permit(self, spec: CallSpec, node: cst.Call) -> bool:
        """Is what is popped a token of a semaphore, a pool or a lock, and no message?"""
        pops = spec.event is not None and spec.event.event == "receive" and bool(spec.then)
        keys = {name for arg in node.args for name in names_in(arg.value)}
        keys |= {frame.function.name for frame in self.frames if frame.function is not None}
        return pops and self.idioms.any_name("permit", keys)

    def _held_back(self, one: Happening) -> bool:
        """Objects that queue commands (a pipeline) settle nothing until they are carried out."""
        runs = self.vocabulary.queue_of(one.receiver.type)
        if runs is None:
            return False
        if last_name(one.node.func) in runs:
            held, self._held = self._held, []
            self._after_run = held
            return False
        if one.event.event not in SETTLES:
            return False
        plain = replace(one.receiver, type="")
        self._held.append(lambda: self.happen(one._replace(receiver=plain)))
        return True

    def _result(
        self,
        spec: CallSpec,
        receiver: Value,
        arguments: Arguments,
        settings: Settings,
        source: Source,
        statement: Statement | None,
        receives: bool,
    ) -> Value:
        delivered = {"message", "delivery"} if receives else set()
        if spec.result == "claim-second":
            answer = Value(labels=frozenset({"claim"}), slot=self._result_slot(source))
            return Value(elements=(Value(labels=frozenset({"fetched"})), answer))
        if spec.returns == "argument":
            return arguments.positional[0] if arguments.positional else NOTHING
        about_rows = self.row_labels(spec, receiver, arguments)
        if spec.returns == "receiver":
            return receiver.plus(about_rows | delivered)
        if spec.returns == "path":
            return replace(derived(*arguments.all()), text=_path_text(arguments))
        labels = set(spec.labels) | self._result_labels(spec, statement)
        labels |= about_rows if spec.returns else frozenset()
        if spec.event is not None and spec.event.attributes.get("confirmed") == "no":
            labels.add("spawned")
        unstable = bool({"unstable", "temp"} & labels)
        origin = source if labels & {*FLOWING, "temp"} else None
        given = derived(*arguments.all())
        if spec.returns == "message" or spec.batch:
            labels |= {"message"} if spec.batch else {"message", "delivery"}
            return Value(labels=frozenset(labels), batch=spec.batch, slot=self._result_slot(source))
        if spec.event is None and not spec.returns and not unstable:
            kept = derived(receiver, *arguments.all())
            return replace(kept.plus(labels, origin), text=receiver.text)
        kind = self.result_class(spec, arguments)
        if spec.event is None and not unstable:
            through = derived(receiver, *arguments.all())
            labels |= through.labels & {*FLOWING, "temp", "partition"}
            origin = through.origin
        labels |= delivered
        labels |= given.labels & {"message"} if labels & {"lookup", "claim"} else set()
        options = {**settings, _CONSTRUCTOR: Setting(NOTHING, source)} if kind else {}
        return Value(
            type=kind,
            labels=frozenset(labels),
            origin=origin,
            options=options,
            text=_path_text(arguments) if kind.startswith("pathlib") else "",
            slot=self._result_slot(source),
        )

    def _result_slot(self, source: Source) -> int:
        """One slot for the answers of a call, so that tests of its result agree with each other."""
        slot = self.fresh_slot()

        self.change(Change(slot))
        return slot

    def _result_labels(self, spec: CallSpec, statement: Statement | None) -> set[str]:
        if statement is not None and statement.kind != "unknown":
            by_kind = {"claim": "claim", "read": "lookup", "write": "write-count"}
            return {by_kind[statement.kind]} if statement.kind in by_kind else set()
        if spec.result in ("lookup", "claim", "write-count", "ledger"):
            return {spec.result}
        return set()

    def result_class(self, spec: CallSpec, arguments: Arguments) -> str:
        kind = spec.returns
        if "{@0}" in kind:
            first = arguments.positional[0] if arguments.positional else NOTHING
            first = first if first.known else arguments.keywords.get("service_name", first)
            if not isinstance(first.const, str):
                return ""
            kind = kind.replace("{@0}", first.const)
        return self.vocabulary.canonical(kind) if kind else ""

    def context_of(self, value: Value) -> ContextSpec | None:
        """Return what entering `value` with `with` means, if its class is known for it."""
        spec = self.vocabulary.call(f"{value.type}.__enter__") if value.type else None
        return spec.context if spec else None


def _path_text(arguments: Arguments) -> str:
    return "/".join(v.text or "{}" for v in arguments.positional)
