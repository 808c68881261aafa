"""What results are called: the values that become their names and keys."""

from __future__ import annotations

import re
from collections.abc import Iterator

import libcst as cst

from contractlint.code.attributes import Attributes, nested
from contractlint.code.values import FLOWING, Arguments, Value
from contractlint.vocabulary.model import Argument, CallSpec

NAMES_RESULTS = frozenset({"persist", "stage", "claim"})
_SCRATCH = re.compile(
    r"(^|/)tmp/|^/tmp|[\W_]te?mp([\W_]|$)|scratch|\.log$|(^|/)logs?/|(^|[\W_])logs?:", re.I
)


class Naming(Attributes):
    """Attributes, and the names of results."""

    def note_flows(
        self, kind: str, spec: CallSpec, receiver: Value, arguments: Arguments, node: cst.Call
    ) -> None:
        """Tell the graph which labels that must not arrive there a result's name or key has."""
        for value in self._named_by(kind, spec, receiver, arguments, node):
            if value.origin is None or self._is_scratch(value):
                continue
            beside = "partition" if value.has("partition") else ""
            for label in sorted(value.labels & FLOWING):
                flow = {"from": label, "to": "result-name", "beside": beside, "grade": "typed"}
                self.emit("name", value.origin, flow)

    def _named_by(
        self, kind: str, spec: CallSpec, receiver: Value, arguments: Arguments, node: cst.Call
    ) -> Iterator[Value]:
        for sink in spec.sinks:
            value = receiver if sink.name == "self" else self.find_argument(arguments, sink)
            if value is not None and not self._renamed_later(node, sink):
                yield value
        if receiver.type == "pathlib.Path" and not self._is_scratch_node(node.func):
            yield receiver
        if kind == "effect":
            yield from self.keys_handed_over(arguments, node)
        if kind in NAMES_RESULTS:
            yield from self._identity_fields(arguments)
            yield from self._identity_columns(spec, arguments)

    def _identity_fields(self, arguments: Arguments) -> Iterator[Value]:
        for name, value in arguments.keywords.items():
            if self.idioms.is_name("identity-field", name):
                yield value
        for value in arguments.all():
            for key, item in nested(value):
                if self.idioms.is_name("identity-field", key):
                    yield item

    def _identity_columns(self, spec: CallSpec, arguments: Arguments) -> Iterator[Value]:
        statement = self.statement_of(spec, arguments)
        if statement is None or spec.sql is None:
            return
        start = spec.sql.position + 1
        given = arguments.positional[start:]
        if len(given) == 1 and given[0].elements is not None:
            given = list(given[0].elements)
        named = given[0].entries if given and given[0].entries is not None else {}
        for column, parameter in statement.columns:
            if self.idioms.is_name("identity-field", column):
                if parameter in (named or {}):
                    yield (named or {})[parameter]
                elif parameter.isdigit() and int(parameter) < len(given):
                    yield given[int(parameter)]

    def _is_scratch(self, value: Value) -> bool:
        return value.has("temp") or bool(value.text and _SCRATCH.search(value.text))

    def _renamed_later(self, node: cst.Call, sink: Argument) -> bool:
        if sink.name == "self":
            return self._is_scratch_node(node.func)
        for index, arg in enumerate(node.args):
            if (arg.keyword and arg.keyword.value == sink.name) or index == sink.position:
                return self._is_scratch_node(arg.value)
        return False

    def _is_scratch_node(self, node: cst.BaseExpression) -> bool:
        """Is it a local file that this function renames or removes afterwards?"""
        if isinstance(node, cst.Attribute):
            node = node.value
        return isinstance(node, cst.Name) and node.value in self.frame.scratch
