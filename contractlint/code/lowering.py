"""Handlers → event graphs."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

import libcst as cst

from contractlint.code.conditions import last_name
from contractlint.code.flow import Frame
from contractlint.code.modules import FunctionInfo, Module, Project
from contractlint.code.names import Memory
from contractlint.code.notes import Notes
from contractlint.code.producing import Producing
from contractlint.code.values import NOTHING, Arguments, Scope, Settings, Source, Value
from contractlint.events import EventGraph
from contractlint.vocabulary import Vocabulary
from contractlint.vocabulary.model import HandlerSpec

_NOT_OF_THE_MESSAGE = re.compile(
    r"(?i)^(_*(self|cls|ch|chan|channel|conn|connection|client|consumer|producer|publisher|session|"
    r"db|pool|redis|r|state|app|broker|logger|log|settings|config|cfg|context|ctx|queue|subscriber|"
    r"receiver|sqs|exchange|engine|cursor|stop_event|executor))$"
)
_EXCEPTION = re.compile(r"^(?:e|ex|exc|err|error|exception|failure)$|(?:Exception|Error)$")
_CARRIES_MESSAGE = re.compile(r"(?i)(message|msg|deliver|propert|record|event|frame|sqs|job)")
_DELIVERED = frozenset({"message", "whole"})


@dataclass(frozen=True, slots=True, eq=False)
class Root:
    """A handler to be lowered. `function` None is the top level of the module.

    `spec` is None where only the body's own acks or receives tell that it handles deliveries. With
    `produces` it handles none: it is a function that publishes. `runs_in` is the thread or task in
    which it was started with a message.
    """

    module: Module
    function: FunctionInfo | None
    value: Value = NOTHING
    spec: HandlerSpec | None = None
    settings: Settings = field(default_factory=dict)
    source: Source | None = None
    arguments: Arguments | None = None
    receives: bool = False
    produces: bool = False
    started: str = ""
    runs_in: str = ""

    @property
    def name(self) -> str:
        return self.function.qualname if self.function else "<module>"

    @property
    def of_a_shape(self) -> bool:
        """Is it called with so many arguments, whatever others it has a default for?"""
        return self.spec is not None and self.spec.shape_params > 0

    @property
    def library(self) -> str:
        return self.spec.library if self.spec else ""


class Lowerer(Producing):
    """Builds one event graph."""

    def __init__(
        self, project: Project, vocabulary: Vocabulary, memory: Memory, notes: Notes
    ) -> None:
        super().__init__(project, vocabulary, memory)
        self.notes = notes
        self.followed = {}
        self.handed = set()
        self.given = set()

    def lower(self, root: Root) -> EventGraph:
        """Return all traces of `root`, from the delivery to the handler's end."""
        self.frames.append(Frame(Scope(root.module), None, 0))
        if root.produces:
            node = root.function.node if root.function else root.module.tree
            self.emit("produce", Source(root.module, node))
        if root.function is None:
            self.suite(root.module.tree)
        else:
            self._lower_function(root, root.function)
        return self.graph

    def _lower_function(self, root: Root, info: FunctionInfo) -> None:
        source = Source(info.module, info.node)
        if root.produces:
            pass
        elif not root.receives:
            self.received_from(root.settings)
            known = {"library": root.library, "of": "handler"}
            known |= {"started": root.started, "in": root.runs_in}
            known |= root.spec.delivered if root.spec else {}
            self.emit("receive", source, {**known, **self.queue_of(root.settings)})
        else:
            self.followed.setdefault(info)
        spec = root.spec or HandlerSpec("")
        self.emit_all(spec.entry, root.settings, source, grade="typed")
        callee, arguments = self._callee(root, info)
        if isinstance(callee.definition, FunctionInfo):
            info = callee.definition
        frame = Frame(self.activation(callee, info, arguments), info, 0)
        frame.tells_itself = root.spec is None
        self.frames.append(frame)
        self.partial = spec.partial
        frame.reported = self.reported_in(info)
        self.handling += root.spec is None and any(map(_is_exception, info.params))
        self.bind_parameters(callee, info, arguments)
        self.body(info)
        self.frames.pop()
        self._finish(frame, spec, root, source)

    def _finish(self, frame: Frame, spec: HandlerSpec, root: Root, source: Source) -> None:
        raised = list(self.catches[0].raised)
        if frame.returns:
            self.meet(frame.returns)
            self.emit_all(spec.success, root.settings, source, grade="typed")
            self.emit("exit", source, {"by": "return"})
        settling = [row for row in raised if row[0] in self.settling]
        working = [row for row in raised if row[0] not in self.settling]
        told = {"outcome": "failed", "reports": "yes" if self.reports else ""}
        for rows, of in ((working, ""), (settling, "settling")):
            self.gather(rows)
            self.emit_all(spec.failure, root.settings, source, grade="typed", **told)
            self.emit("exit", source, {"by": "raise", "of": of})

    def _callee(self, root: Root, info: FunctionInfo) -> tuple[Value, Arguments]:
        callee, first = _unwrapped(root.value)
        if callee.definition is not info:
            callee = Value(dotted=info.dotted, definition=info, receiver=self._self_of(info))
            if info.owner is None:
                callee = self.decorated(callee, info)
        elif callee.receiver is None and info.owner is not None:
            callee = replace(callee, receiver=self._self_of(info))
        bound = len(first.positional) + (1 if callee.receiver is not None else 0)
        if callee.definition is info and callee.receiver is not None:
            callee, first = self._decorated_method(callee, info, first)
        if root.arguments is not None:
            return callee, first.joined(root.arguments)
        given = self._delivered(root, info, info.params[bound:])
        return callee, first.joined(given)

    def _decorated_method(
        self, method: Value, info: FunctionInfo, first: Arguments
    ) -> tuple[Value, Arguments]:
        """A wrapper that names `self` hands it on; one that takes anything has a bound method."""
        wrapper = self.wrapped(method, info)
        made = wrapper.definition
        if made is info or not isinstance(made, FunctionInfo):
            return method, first
        if not made.params or made.params[0].name.value != "self":
            return wrapper, first
        unbound = self.wrapped(replace(method, receiver=None), info)
        return unbound, Arguments([method.receiver or NOTHING]).joined(first)

    def _self_of(self, info: FunctionInfo) -> Value | None:
        if info.owner is None or _is_static(info):
            return None
        return self.instance(info.owner)

    def _delivered(self, root: Root, info: FunctionInfo, params: Iterable[cst.Param]) -> Arguments:
        """Return what the library hands to the handler."""
        found = Arguments()
        described = list(root.spec.params) if root.spec else []
        for param in params:
            name = param.name.value
            if name == "self" and root.spec is not None:
                kind = self.vocabulary.canonical(f"{root.library}.Task")
                value = Value(type=kind, options=root.settings)
            elif not described and param.default is not None and root.of_a_shape:
                continue
            elif described:
                value = self._described(described.pop(0))
            elif root.receives or (root.spec is None and _NOT_OF_THE_MESSAGE.search(name)):
                value = NOTHING
            else:
                value = Value(labels=_DELIVERED)
            found.keywords[name] = self._typed_parameter(param, value, info)
        takes_more = isinstance(info.node.params.star_arg, cst.Param)
        if takes_more and root.spec is not None and not described:
            found.hidden = Value(labels=_DELIVERED)
        return found

    def _typed_parameter(self, param: cst.Param, value: Value, info: FunctionInfo) -> Value:
        annotation = param.annotation
        if annotation is None or value.type:
            return value
        typed = self.typed(annotation.annotation, info.module)
        if typed is NOTHING:
            return value
        carries = typed.instance_of is not None or _CARRIES_MESSAGE.search(typed.type)
        return replace(typed, labels=value.labels if carries else typed.labels)

    def _described(self, kind: str) -> Value:
        if kind == "":
            return NOTHING
        if kind == "message":
            return Value(labels=_DELIVERED)
        if kind == "batch":
            return Value(labels=_DELIVERED, batch=1)
        name = kind.rpartition(".")[2]
        labels = _DELIVERED if _CARRIES_MESSAGE.search(name) else frozenset()
        return Value(type=self.vocabulary.canonical(kind), labels=labels)


def _unwrapped(value: Value) -> tuple[Value, Arguments]:
    """Return the function inside nested partials, and the arguments they bind."""
    given = Arguments()
    while value.partial is not None:
        value, first = value.partial
        given = first.joined(given)
    return value, given


def _is_exception(param: cst.Param) -> bool:
    """Is it an error that somebody has caught, who calls this?"""
    annotation = param.annotation
    names = (param.name.value, last_name(annotation.annotation) if annotation else "")
    return any(map(_EXCEPTION.search, names))


def _is_static(info: FunctionInfo) -> bool:
    return any(last_name(d.decorator) == "staticmethod" for d in info.decorators)
