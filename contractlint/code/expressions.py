"""Expressions: lowered in the order they are evaluated, calls and branches included."""

from __future__ import annotations

import ast
from abc import abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import replace

import libcst as cst

from contractlint.code.flow import NOWHERE
from contractlint.code.modules import string_value
from contractlint.code.names import Names
from contractlint.code.values import (
    LASTING,
    NOTHING,
    UNKNOWN,
    Entries,
    Value,
    derived,
    merged,
)
from contractlint.code.walking import calls_in, children
from contractlint.events import Change

_MOST_LISTED = 20
# Labels of values that a store, or whoever was asked, has told; or that belong to the delivery.
_NOT_TOLD_BY_MESSAGE = frozenset({"fetched", "lookup", "answered", "row", "delivery-identity"})

_Comprehension = cst.ListComp | cst.SetComp | cst.GeneratorExp | cst.DictComp


class Expressions(Names):
    """Names that can also evaluate expressions."""

    def evaluate(self, node: cst.BaseExpression) -> Value:
        method = _METHODS.get(type(node))
        if method is not None:
            return method(self, node)
        for child in children(node):
            if isinstance(child, cst.BaseExpression):
                self.evaluate(child)
        return NOTHING

    @abstractmethod
    def call(self, node: cst.Call, *, awaited: bool = False) -> Value:
        """Lower a call and return its result."""

    @abstractmethod
    def kept(self, container: Value) -> Value:
        """Return an empty container, labelled if it outlives the deliveries."""

    @abstractmethod
    def condition(self, node: cst.BaseExpression) -> tuple[int, int]:
        """Lower a test; return the nodes reached when it holds and when it does not."""

    @abstractmethod
    def bind_target(self, target: cst.BaseExpression, value: Value) -> None:
        """Assign `value` to whatever stands left of `=`, or after `for`, `as`."""

    @abstractmethod
    def element_of(self, value: Value) -> Value:
        """Return what iterating over `value` yields."""

    @abstractmethod
    def advance(self, value: Value, node: cst.CSTNode) -> Callable[[], Value]:
        """Lower asking an iterator for its next element; the result lowers having got it."""

    def _name(self, node: cst.Name) -> Value:
        if node.value == "None":
            return Value(const=None)
        if node.value in ("True", "False"):
            return Value(const=node.value == "True", labels=frozenset({"flag"}))
        return self._numbered(self.name(node.value), node.value, node)

    def _attribute(self, node: cst.Attribute) -> Value:
        owner = self.evaluate(node.value)
        if self.idioms.is_name("row-count", node.attr.value):
            self.emit("count_check", self.source(node))
        found = self._or_kept(self.attribute(owner, node.attr.value), node)
        return self.arisen(found, node, node.attr.value)

    def _or_kept(self, value: Value, node: cst.BaseExpression) -> Value:
        """What is told of `node`, else what the module has put there."""
        told = value.type or value.dotted or value.definition or value.labels or value.alternatives
        kept = NOTHING if told else self.kept_elsewhere(node)
        return value if kept is NOTHING else replace(kept, slot=value.slot)

    def arisen(self, value: Value, node: cst.CSTNode, name: object) -> Value:
        """Remember where a value was read that says which delivery, or which version, it is."""
        if value.has("delivery-identity") and value.origin is None:
            return replace(value, origin=self.source(node))
        return self._numbered(value, name, node)

    def _numbered(self, value: Value, name: object, node: cst.CSTNode) -> Value:
        """Is it the version of an object that the message, and not a store, tells?"""
        if not value.has("message") or value.labels & _NOT_TOLD_BY_MESSAGE:
            return value
        if not isinstance(name, str) or not self.idioms.is_name("message-version", name):
            return value
        self.emit("version_read", self.source(node))
        return value.plus({"version"})

    def weighed(self, values: Sequence[Value], node: cst.CSTNode) -> None:
        """Comparing the version of a message with anything but None is looking at it."""
        if any(value.const is None for value in values):
            return
        if any(value.has("version") for value in values):
            self.emit("version_check", self.source(node), {"by": "test"})

    def _number(self, node: cst.Integer | cst.Float) -> Value:
        return Value(const=ast.literal_eval(node.value))

    def _string(self, node: cst.SimpleString | cst.ConcatenatedString) -> Value:
        text = string_value(node)
        if text is not None:
            return Value(const=text, text=text)
        if isinstance(node, cst.ConcatenatedString):
            return self._joined_text([self.evaluate(node.left), self.evaluate(node.right)])
        return NOTHING

    def _joined_text(self, parts: Sequence[Value]) -> Value:
        texts = [part.text or (str(part.const) if part.known else "{}") for part in parts]
        text = "".join(texts)
        const: object = text if all(part.known for part in parts) else UNKNOWN
        return replace(derived(*parts), const=const, text=text)

    def _formatted(self, node: cst.FormattedString) -> Value:
        parts = []
        for part in node.parts:
            if isinstance(part, cst.FormattedStringText):
                parts.append(Value(const=part.value, text=part.value))
            elif isinstance(part, cst.FormattedStringExpression):
                value = self.evaluate(part.expression)
                parts.append(value if value.text else replace(value, text="{}", const=UNKNOWN))
        return self._joined_text(parts)

    def _sequence(self, node: cst.Tuple | cst.List | cst.Set) -> Value:
        elements = [self.evaluate(element.value) for element in node.elements]
        starred = any(isinstance(element, cst.StarredElement) for element in node.elements)
        whole = derived(*elements)
        found = replace(whole, elements=None if starred else tuple(elements))
        return self.kept(found) if isinstance(node, cst.List) and not elements else found

    def _starred(self, node: cst.StarredElement) -> Value:
        return self.evaluate(node.value)

    def _dict(self, node: cst.Dict) -> Value:
        entries = Entries()
        values = []
        for element in node.elements:
            value = self.evaluate(element.value)
            values.append(value)
            if isinstance(element, cst.DictElement):
                key = self.evaluate(element.key)
                values.append(key)
                entries.put(key, value, self.source(element.value))
            else:
                entries.spread(value)
        labels = derived(*values).labels & {"message", "exception", "fetched"}
        found = Value(entries=entries, labels=labels, origin=self.source(node))
        return found if node.elements else self.kept(found)

    def _dict_comprehension(self, node: cst.DictComp) -> Value:
        """Of a comprehension over what is listed in the code, each item is known."""
        for_in = node.for_in
        if for_in.ifs or for_in.inner_for_in is not None:
            return self._comprehension(node)
        with self.aside():
            listed = self.evaluate(for_in.iter).elements
        if not listed or len(listed) > _MOST_LISTED:
            return self._comprehension(node)
        names = dict(self.scope.names)
        self.evaluate(for_in.iter)
        entries = Entries()
        for item in listed:
            self.bind_target(for_in.target, item)
            key = self.evaluate(node.key)
            entries.put(key, self.evaluate(node.value), self.source(node.value))
        self.scope.names = names
        return Value(entries=entries, labels=derived(*entries.values()).labels & LASTING)

    def _comprehension(self, node: _Comprehension) -> Value:
        names = dict(self.scope.names)
        skips = []
        for_in: cst.CompFor | None = node.for_in
        iterated = NOTHING
        while for_in is not None:
            iterated = self.evaluate(for_in.iter)
            skips.append(self.current)
            self.bind_target(for_in.target, self._taken_in(node, iterated, for_in.iter))
            for test in for_in.ifs:
                self.current, fails = self.condition(test.test)
                skips.append(fails)
            for_in = for_in.inner_for_in
        if isinstance(node, cst.DictComp):
            element = derived(self.evaluate(node.key), self.evaluate(node.value))
        else:
            element = self.evaluate(node.elt)
        self.scope.names = names
        self.note_gone_through(node.for_in.iter)
        self.join([*skips, self.current])
        labels = element.labels & LASTING
        kept = iterated.batch if iterated.batch and element.has("message") else 0
        if kept:
            labels |= iterated.labels & {"gone-through"}
        return Value(labels=labels, origin=element.origin, batch=kept)

    def note_gone_through(self, node: cst.BaseExpression) -> None:
        """A list of deliveries that is gone through once more holds the same ones."""
        name = node.value if isinstance(node, cst.Name) else ""
        if name in self.scope.names and self.scope.names[name].batch:
            self.scope.names[name] = self.scope.names[name].plus({"gone-through"})

    def _taken_in(self, node: _Comprehension, iterated: Value, at: cst.CSTNode) -> Value:
        """What only picks a field of each part goes to no other delivery."""
        made = (node.key, node.value) if isinstance(node, cst.DictComp) else (node.elt,)
        if iterated.batch == 1 and not iterated.type and not any(map(_calls, made)):
            return self.element_of(iterated)
        return self.advance(iterated, at)()

    def _binary(self, node: cst.BinaryOperation) -> Value:
        spine: list[tuple[cst.BaseBinaryOp, cst.BaseExpression]] = []
        left: cst.BaseExpression = node
        while isinstance(left, cst.BinaryOperation):
            spine.append((left.operator, left.right))
            left = left.left
        value = self.evaluate(left)
        for operator, operand in reversed(spine):
            value = self._operation(operator, value, self.evaluate(operand))
        return value

    def _operation(self, operator: cst.BaseBinaryOp, left: Value, right: Value) -> Value:
        if isinstance(operator, cst.Add) and (left.text or right.text):
            return self._joined_text([left, right])
        if isinstance(operator, cst.Add) and left.elements and right.elements is not None:
            return replace(derived(left, right), elements=left.elements + right.elements)
        if isinstance(operator, cst.BitOr) and left.entries is not None and right.entries:
            return replace(derived(left, right), entries={**left.entries, **right.entries})
        if isinstance(operator, cst.Multiply) and _are_numbers(left, right):
            return Value(const=left.const * right.const)  # type: ignore[operator]
        result = derived(left, right)
        if isinstance(operator, cst.Modulo):
            inserted = (right.entries or {}).values()
            return replace(derived(left, right, *inserted), text=left.text)
        if isinstance(operator, cst.Divide):
            kind = left.type or right.type
            text = f"{left.text or '{}'}/{right.text or '{}'}"
            return replace(result, type=kind, text=text if left.text or right.text else "")
        if isinstance(operator, (cst.Add, cst.LeftShift)):
            return replace(result, batch=max(left.batch, right.batch))
        # A difference or a remainder of clock values is a span of time, no name.
        return replace(result, labels=result.labels - {"unstable"})

    def _boolean(self, node: cst.BooleanOperation) -> Value:
        left = self.evaluate(node.left)
        skip = self.current
        if self._branches(node.right):
            holds, fails = self._test_value(left)
            going = holds if isinstance(node.operator, cst.And) else fails
            skip = fails if isinstance(node.operator, cst.And) else holds
            self.current = going
            right = self.evaluate(node.right)
            self.join([skip, self.current])
        else:
            right = self.evaluate(node.right)
        if isinstance(node.operator, cst.Or):
            return replace(merged([left, right]), slot=-1)
        return replace(derived(left, right), type=right.type, definition=right.definition)

    def _branches(self, node: cst.BaseExpression) -> bool:
        """Does evaluating `node` do more than read names?"""
        return not isinstance(node, (cst.Name, cst.BaseNumber, cst.SimpleString, cst.Attribute))

    @abstractmethod
    def _test_value(self, value: Value) -> tuple[int, int]:
        """Branch on the truth of `value`; return the nodes for true and false."""

    def _unary(self, node: cst.UnaryOperation) -> Value:
        value = self.evaluate(node.expression)
        if isinstance(node.operator, cst.Not) and value.known:
            return Value(const=not value.const)
        if isinstance(node.operator, cst.Not) and value.slot >= 0:
            holds, fails = self._test_value(value)
            return replace(
                self.meet([(holds, Value(const=False)), (fails, Value(const=True))]),
                labels=derived(value).labels,
            )
        if isinstance(node.operator, cst.Minus) and isinstance(value.const, (int, float)):
            return Value(const=-value.const)
        return derived(value)

    def _comparison(self, node: cst.Comparison) -> Value:
        values = [self.evaluate(node.left)]
        values += [self.evaluate(target.comparator) for target in node.comparisons]
        self.weighed(values, node)
        result = derived(*values)
        return replace(result, labels=result.labels - {"unstable"}, origin=None)

    def _conditional(self, node: cst.IfExp) -> Value:
        holds, fails = self.condition(node.test)
        self.current = holds
        body = self.evaluate(node.body)
        after_body = self.current
        self.current = fails
        orelse = self.evaluate(node.orelse)
        reached = [(after_body, body), (self.current, orelse)]
        return self.meet(reached)

    def meet(self, reached: Sequence[tuple[int, Value]]) -> Value:
        """Join control; the result's slot remembers which way came with which answer."""
        if len(reached) == 1:
            self.current = reached[0][0]
            return reached[0][1]
        slot = self.fresh_slot()
        elements = self._met_elements([value for _, value in reached])
        nodes = []
        for node, value in reached:
            self.current = node
            parts = zip(elements, value.elements or (), strict=True) if elements else ()
            answers = [(slot, value), *((one.slot, item) for one, item in parts)]
            self.change(*(_answer(target, item) for target, item in answers))
            nodes.append(self.current)
        if self.join(nodes) == NOWHERE:
            return merged(value for _, value in reached)
        live = [value for node, value in reached if node != NOWHERE]
        met = merged(live)
        return replace(met, slot=slot, elements=elements or met.elements)

    def _met_elements(self, values: Sequence[Value]) -> tuple[Value, ...] | None:
        """Answers in tuples of one length meet part by part (`return success, retry`)."""
        rows = [value.elements for value in values if value.elements is not None]
        if len(rows) < len(values) or len({len(row) for row in rows}) != 1 or not rows[0]:
            return None
        columns = zip(*rows, strict=True)
        return tuple(replace(merged(part), slot=self.fresh_slot()) for part in columns)

    def _lambda(self, node: cst.Lambda) -> Value:
        from contractlint.code.modules import FunctionInfo

        module = self.scope.module
        info = module.by_node.get(node)
        if info is None:
            info = module.by_node[node] = FunctionInfo(module, node, "<lambda>")
        return Value(definition=info, scope=self.scope)

    def _await(self, node: cst.Await) -> Value:
        if isinstance(node.expression, cst.Call):
            value = self.call(node.expression, awaited=True)
        else:
            value = self.evaluate(node.expression)
        if value.has("spawned"):
            self.emit("join", self.source(node))
        return value

    def _yield(self, node: cst.Yield) -> Value:
        inner = node.value
        if inner is None:
            value = NOTHING
        elif isinstance(inner, cst.From):
            if self.yield_from(inner.item):
                return NOTHING
            value = self.advance(self.evaluate(inner.item), inner.item)()
        else:
            value = self.evaluate(inner)
        if self.frame.on_yield is not None:
            return self.frame.on_yield(value, node)
        if value.has("message"):
            self.emit("work", self.source(node), {"by": "yield"})
        return NOTHING

    @abstractmethod
    def yield_from(self, node: cst.BaseExpression) -> bool:
        """Splice in a project generator whose elements this one yields; False if it is none."""

    def _named(self, node: cst.NamedExpr) -> Value:
        value = self.evaluate(node.value)
        self.bind_target(node.target, value)
        return self.evaluate(node.target) if isinstance(node.target, cst.Name) else value

    def _subscript(self, node: cst.Subscript) -> Value:
        base = self.evaluate(node.value)
        index = NOTHING
        is_slice = False
        for element in node.slice:
            if isinstance(element.slice, cst.Index):
                index = self.evaluate(element.slice.value)
            else:
                is_slice = True
        if self.frame.caught or len(self.catches) > 1:
            self.may_raise()
        found = self._or_kept(self.item(base, index, is_slice=is_slice), node)
        return self.arisen(found, node, index.const)

    def item(self, base: Value, index: Value, *, is_slice: bool = False) -> Value:
        """Return `base[index]`."""
        if base.alternatives and base.elements is None and base.entries is None:
            return merged(self.item(option, index) for option in base.alternatives)
        if base.entries is not None and isinstance(index.const, str):
            return base.entries.get(index.const, derived(base))
        if base.entries and not index.known and all(v.is_callable for v in base.entries.values()):
            return merged(base.entries.values())
        if base.elements is not None and isinstance(index.const, int):
            return _element(base, base.elements, index.const)
        if base.type:
            return self._typed_item(base, index)
        # `[1]` is the second half of a pair (a stream and its messages) far more often than the
        # second message.
        taken = 1 if isinstance(index.const, int) and index.const != 1 and not is_slice else 0
        labels = derived(base).labels | self.key_labels(index)
        return Value(labels=labels, origin=base.origin, batch=max(0, base.batch - taken))

    def _typed_item(self, base: Value, index: Value) -> Value:
        if isinstance(index.const, str) and self.vocabulary.attribute(f"{base.type}.{index.const}"):
            return self.attribute(base, index.const)
        spec = self.vocabulary.attribute(f"{base.type}.__getitem__")
        kind = self.vocabulary.canonical(spec.returns) if spec and spec.returns else ""
        return Value(type=kind, labels=base.labels & LASTING, batch=base.batch)

    def key_labels(self, index: Value) -> frozenset[str]:
        return self.labels_of_field(index.const) if isinstance(index.const, str) else frozenset()


def _calls(node: cst.CSTNode) -> bool:
    return next(calls_in(node), None) is not None


def _are_numbers(*values: Value) -> bool:
    return all(type(value.const) in (int, float) for value in values)


def _answer(slot: int, value: Value) -> Change:
    if value.slot >= 0:
        return Change(slot, source=value.slot)
    return Change(slot, value.mask)


def _element(base: Value, elements: Sequence[Value], index: int) -> Value:
    return elements[index] if -len(elements) <= index < len(elements) else derived(base)


_METHODS: dict[type[cst.CSTNode], Callable[..., Value]] = {
    cst.Name: Expressions._name,
    cst.Attribute: Expressions._attribute,
    cst.Integer: Expressions._number,
    cst.Float: Expressions._number,
    cst.SimpleString: Expressions._string,
    cst.ConcatenatedString: Expressions._string,
    cst.FormattedString: Expressions._formatted,
    cst.Tuple: Expressions._sequence,
    cst.List: Expressions._sequence,
    cst.Set: Expressions._sequence,
    cst.StarredElement: Expressions._starred,
    cst.Dict: Expressions._dict,
    cst.ListComp: Expressions._comprehension,
    cst.SetComp: Expressions._comprehension,
    cst.GeneratorExp: Expressions._comprehension,
    cst.DictComp: Expressions._dict_comprehension,
    cst.BinaryOperation: Expressions._binary,
    cst.BooleanOperation: Expressions._boolean,
    cst.UnaryOperation: Expressions._unary,
    cst.Comparison: Expressions._comparison,
    cst.IfExp: Expressions._conditional,
    cst.Lambda: Expressions._lambda,
    cst.Await: Expressions._await,
    cst.Yield: Expressions._yield,
    cst.NamedExpr: Expressions._named,
    cst.Subscript: Expressions._subscript,
    cst.Call: lambda self, node: self.call(node),
}
