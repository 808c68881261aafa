"""Statements, one after another, and the definitions among them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import libcst as cst

from contractlint.code.conditions import fields_in, last_name, names_in
from contractlint.code.contexts import Contexts
from contractlint.code.flow import NOWHERE
from contractlint.code.modules import FunctionInfo, dotted_name, imported_names, suites_of
from contractlint.code.notes import Registration, functions_in
from contractlint.code.readings import is_nothing
from contractlint.code.values import GAVE_UP, NOTHING, WHOLE, Arguments, Setting, Value, derived
from contractlint.events import Change
from contractlint.vocabulary.model import ContextSpec

_ANY_ERROR = frozenset({"catch-all", "transient", "mixed"})


class Statements(Contexts):
    """Everything a function body can hold."""

    def body(self, info: FunctionInfo) -> None:
        frame = self.frame
        node = info.node
        frame.scratch = info.scratch
        if isinstance(node, cst.Lambda):
            self._return(self.evaluate(node.body))
            return
        self._decorated_body(node, list(node.decorators))

    def _decorated_body(self, node: cst.FunctionDef, decorators: list[cst.Decorator]) -> None:
        """Lower a body inside what its decorators open (`@transaction.atomic`)."""
        if not decorators:
            self.suite(node.body)
            if self.current != NOWHERE:
                self._return(Value(const=None))
            return
        decorator, rest = decorators[0], decorators[1:]
        spec = self._decorating_context(decorator.decorator)
        if spec is None:
            self._decorated_body(node, rest)
            return
        settings = {"": Setting(NOTHING, self.source(decorator.decorator))}
        self.inside(
            self.source(decorator.decorator),
            settings,
            NOTHING,
            spec,
            lambda: self._decorated_body(node, rest),
        )

    def _decorating_context(self, node: cst.BaseExpression) -> ContextSpec | None:
        callee = node.func if isinstance(node, cst.Call) else node
        with self.aside():
            value = self.evaluate(callee)
        spec = self.spec_of(value)
        return spec.context if spec is not None else None

    def suite(self, block: cst.BaseSuite | cst.Module) -> None:
        for statement in block.body:
            if self.current == NOWHERE and self._is_dead(statement):
                continue
            self.statement(statement)

    def _is_dead(self, statement: cst.CSTNode) -> bool:
        """Unreachable code has no events; only definitions in it may still be wanted."""
        if isinstance(statement, (cst.FunctionDef, cst.ClassDef)):
            return False
        return self.frames[0].function is not None or not _defines(statement)

    def statement(self, node: cst.CSTNode) -> None:
        if isinstance(node, cst.SimpleStatementLine):
            for small in node.body:
                self.small(small)
            return
        method = _COMPOUND.get(type(node))
        if method is not None:
            method(self, node)
        elif isinstance(node, cst.BaseSmallStatement):
            self.small(node)

    def small(self, node: cst.BaseSmallStatement) -> None:
        method = _SIMPLE.get(type(node))
        if method is not None:
            method(self, node)

    def _expression(self, node: cst.Expr) -> None:
        value = node.value
        self.dropped = value.expression if isinstance(value, cst.Await) else value
        self.evaluate(value)

    def _assign(self, node: cst.Assign) -> None:
        value = self.evaluate(node.value)
        for target in node.targets:
            self._note_assigned_handler(target.target, value)
            self._note_refusal(target.target, value)
            self.bind_target(target.target, value)

    def _note_refusal(self, target: cst.BaseExpression, value: Value) -> None:
        """Is a state set that says that the other side has refused?"""
        if isinstance(target, (cst.Attribute, cst.Subscript)) and self.says_refusal(value):
            names = (last_name(target), *fields_in(target))
            if self.idioms.any_name("state", names):
                self.emit("refusal", self.source(target))

    def _note_assigned_handler(self, target: cst.BaseExpression, value: Value) -> None:
        if not isinstance(target, cst.Attribute) or value.definition is None:
            return
        owner = self.evaluate(target.value)
        name = target.attr.value
        spec = self.vocabulary.assigned(f"{owner.type}.{name}") if owner.type else None
        if spec is None:
            return
        settings = {**owner.options, "": Setting(NOTHING, self.source(target))}
        registration = Registration(spec, value, settings, self.source(target))
        self.notes.registrations.append(registration)

    def _annotated_assign(self, node: cst.AnnAssign) -> None:
        value = self.evaluate(node.value) if node.value is not None else NOTHING
        typed = self.typed(node.annotation.annotation, self.scope.module)
        if typed is not NOTHING and not value.type:
            typed = replace(typed, entries=value.entries, origin=value.origin)
            value = replace(typed, labels=value.labels, slot=value.slot, options=value.options)
        if node.value is not None or isinstance(node.target, cst.Name):
            self.bind_target(node.target, value)

    def _augmented_assign(self, node: cst.AugAssign) -> None:
        value = derived(self.evaluate(node.target), self.evaluate(node.value))
        if isinstance(node.target, cst.Name):
            self.bind_target(node.target, value)

    def bind_target(self, target: cst.BaseExpression, value: Value) -> None:
        if isinstance(target, cst.Name):
            self.bind(target.value, value)
        elif isinstance(target, (cst.Tuple, cst.List)):
            self._unpack(target, value)
        elif isinstance(target, cst.StarredElement):
            self.bind_target(target.value, replace(derived(value), batch=value.batch))
        elif isinstance(target, cst.Subscript):
            self.store_item(target, value)
        elif isinstance(target, cst.Attribute):
            self.store_attribute(target, value)

    def _unpack(self, target: cst.Tuple | cst.List, value: Value) -> None:
        for index, element in enumerate(target.elements):
            item = self.item(value, Value(const=index)) if not value.batch else value
            if value.labels & WHOLE:
                slot = -1 if value.has("delivery") else item.slot
                item = replace(item, labels=item.labels | (value.labels & WHOLE), slot=slot)
            if value.type and value.elements is None and not value.batch:
                item = replace(item, type="")
            ours = {self.slot(name) for name in names_in(target)}
            item = replace(item, outcome=item.outcome or value.outcome)
            kept = item.slot if value.elements is not None and item.slot not in ours else -1
            self.bind_target(element.value, replace(item, slot=kept))

    def store_item(self, target: cst.Subscript, value: Value) -> None:
        base = self.evaluate(target.value)
        index = target.slice[0].slice if len(target.slice) == 1 else None
        key = self.evaluate(index.value) if isinstance(index, cst.Index) else NOTHING
        name = dotted_name(target.value)
        if base.has("memory"):
            self.remember(key, target)
        if name and name in self.scope.names and base.entries is not None:
            if isinstance(key.const, str):
                self.change(Change(self.slot(name)))
                entries = {**base.entries, key.const: replace(value, slot=-1)}
                self.scope.names[name] = replace(base, entries=entries, slot=-1)
        elif self.outlives(target.value) and value.has("message"):
            self.emit("buffer", self.source(target), {"to": "memory"})

    def store_attribute(self, target: cst.Attribute, value: Value) -> None:
        name = dotted_name(target.value)
        owner = self.scope.names.get(name) if name else None
        if owner is not None and name != "self" and (owner.entries is not None or owner.type):
            entries = {**(owner.entries or {}), target.attr.value: replace(value, slot=-1)}
            self.scope.names[name] = replace(owner, entries=entries)

    def _return_statement(self, node: cst.Return) -> None:
        value = self.evaluate(node.value) if node.value is not None else Value(const=None)
        if self._gives_up(node):
            value = replace(value, outcome=GAVE_UP)
        self._return(value)

    def _gives_up(self, node: cst.Return) -> bool:
        """Is nothing returned because of an error that could be any?"""
        nothing = node.value is None or is_nothing(node.value)
        return nothing and bool(_ANY_ERROR.intersection(self.frame.failures))

    def _return(self, value: Value) -> None:
        frame = self.frame
        self.unwind(frame.cleanup_depth)
        frame.returns.append((self.current, value))
        self.current = NOWHERE

    def _raise(self, node: cst.Raise) -> None:
        name = ""
        if node.exc is not None:
            value = self.evaluate(node.exc)
            name = value.type or value.dotted
            if isinstance(node.exc, cst.Call):
                name = self.callee(node.exc.func).dotted
            self._raised_meaning(name, node)
        if not self.is_signal(name):
            self.emit("raise", self.source(node), {"class": name})
        self.raise_now(name)

    def _raised_meaning(self, name: str, node: cst.Raise) -> None:
        spec = self.vocabulary.raised(name) if name else None
        if spec is None:
            return
        call = node.exc if isinstance(node.exc, cst.Call) else None
        arguments = self.arguments(call) if call is not None else Arguments()
        settings = self.settings(spec.options, arguments, {})
        for case in spec.cases:
            if self.decide(case.when, settings):
                self.emit_spec(case, settings, self.source(node), by="raise", grade="typed")
                return
        if spec.event is not None:
            self.emit_spec(spec.event, settings, self.source(node), by="raise", grade="typed")

    def _break(self, node: cst.Break) -> None:
        loop = self.frame.loops[-1] if self.frame.loops else None
        if loop is not None:
            self.unwind(loop.cleanup_depth)
            loop.breaks.append(self.current)
        self.current = NOWHERE

    def _continue(self, node: cst.Continue) -> None:
        loop = self.frame.loops[-1] if self.frame.loops else None
        if loop is not None:
            self.unwind(loop.cleanup_depth)
            loop.continues.append(self.current)
        self.current = NOWHERE

    def _assert(self, node: cst.Assert) -> None:
        holds, fails = self.condition(node.test)
        self.current = fails
        self.raise_now("AssertionError")
        self.current = holds

    def _import(self, node: cst.Import | cst.ImportFrom) -> None:
        if self.frame.function is None:
            return
        module = self.scope.module
        for name, dotted in imported_names(node, module.dotted, is_package=module.is_package):
            if name != "*":
                self.bind(name, self.dotted(dotted))

    def _global(self, node: cst.Global | cst.Nonlocal) -> None:
        if isinstance(node, cst.Global):
            self.scope.global_names |= {item.name.value for item in node.names}

    def _delete(self, node: cst.Del) -> None:
        if isinstance(node.target, cst.Subscript):
            self.evaluate(node.target)

    def _function(self, node: cst.FunctionDef) -> None:
        info = self.scope.module.by_node.get(node)
        if info is None:
            return
        self.notes.scopes[node] = self.scope
        for decorator in node.decorators:
            if isinstance(decorator.decorator, cst.Call):
                self.arguments(decorator.decorator)
        if self.frame.function is not None:
            value = Value(dotted=info.dotted, definition=info, scope=self.scope)
            self.scope.names[node.name.value] = value

    def _class(self, node: cst.ClassDef) -> None:
        info = next((c for c in self.scope.module.all_classes if c.node is node), None)
        for name, value in info.assigned.items() if info is not None else ():
            self._note_class_setting(name, value)
        if info is not None and self.frame.function is not None:
            self.scope.names[node.name.value] = self.of_class(info)

    def _note_class_setting(self, name: str, node: cst.BaseExpression) -> None:
        """Some libraries take their handlers from a list in a class body."""
        spec = self.vocabulary.class_setting(name)
        imports = self.scope.module.imports.values()
        if spec is None or not any(dotted.startswith(spec.library) for dotted in imports):
            return
        with self.aside():
            value = self.evaluate(node)
        settings = self.settings(spec.options, Arguments(), {})
        settings[""] = Setting(NOTHING, self.source(node))
        for function in functions_in(value):
            self.notes.registrations.append(
                Registration(spec, function, settings, self.source(node))
            )


def _defines(statement: cst.CSTNode) -> bool:
    return any(True for _ in suites_of(statement))


_SIMPLE: dict[type[cst.CSTNode], Callable[..., None]] = {
    cst.Expr: Statements._expression,
    cst.Assign: Statements._assign,
    cst.AnnAssign: Statements._annotated_assign,
    cst.AugAssign: Statements._augmented_assign,
    cst.Return: Statements._return_statement,
    cst.Raise: Statements._raise,
    cst.Break: Statements._break,
    cst.Continue: Statements._continue,
    cst.Assert: Statements._assert,
    cst.Import: Statements._import,
    cst.ImportFrom: Statements._import,
    cst.Global: Statements._global,
    cst.Nonlocal: Statements._global,
    cst.Del: Statements._delete,
}
_COMPOUND: dict[type[cst.CSTNode], Callable[..., None]] = {
    cst.If: Statements._if,
    cst.Match: Statements._match,
    cst.While: Statements._while,
    cst.For: Statements._for,
    cst.With: Statements._with,
    cst.Try: Statements._try,
    cst.TryStar: Statements._try,
    cst.FunctionDef: Statements._function,
    cst.ClassDef: Statements._class,
}
