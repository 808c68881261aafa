"""What names and attributes mean: scopes, module globals, imports, classes and their instances."""

from __future__ import annotations

import builtins
from abc import abstractmethod
from collections.abc import Iterator
from dataclasses import replace

import libcst as cst

from contractlint.code.flow import Flow, Frame
from contractlint.code.implementing import heirs_in
from contractlint.code.modules import (
    ClassInfo,
    FunctionInfo,
    Module,
    Project,
    dotted_name,
    kept_name,
)
from contractlint.code.queues import DeclaredQueues
from contractlint.code.values import LASTING, NOTHING, Scope, Value, derived, merged
from contractlint.code.walking import children
from contractlint.events import IS_FALSY, Change
from contractlint.vocabulary import Vocabulary

_BUILTINS = frozenset(dir(builtins))
# Of these the argument is the class; the last are told by frameworks that inject.
_TRANSPARENT = frozenset(
    {"Optional", "Annotated", "Union", "Final", "ClassVar", "FromDishka", "Injected"}
)
_MADE_WITHIN = 4  # calls that are followed to learn what an attribute or a global holds
_LISTS = frozenset(
    {"list", "List", "tuple", "Tuple", "set", "Set", "Sequence", "Iterable", "Collection"}
)


class Memory:
    """What one run found out about the project; shared by all graphs of a file."""

    def __init__(self) -> None:
        self.globals: dict[tuple[str, str], Value] = {}
        self.attributes: dict[tuple[int, str], Value] = {}
        self.module_scopes: dict[str, Scope] = {}
        self.results: dict[FunctionInfo, Value] = {}
        self.queue_tables: set[str] = set()
        self.queues = DeclaredQueues()
        self.implementations: dict[tuple[int, str], ClassInfo | None] = {}
        self.assignments: dict[int, dict[str, list[tuple[FunctionInfo, cst.BaseExpression]]]] = {}


class Names(Flow):
    """Flow that can look names up."""

    def __init__(self, project: Project, vocabulary: Vocabulary, memory: Memory) -> None:
        super().__init__()
        self.project = project
        self.vocabulary = vocabulary
        self.idioms = vocabulary.idioms
        self.memory = memory

    @abstractmethod
    def evaluate(self, node: cst.BaseExpression) -> Value:
        """Lower an expression and return what is known of its value."""

    @abstractmethod
    def decorated(self, value: Value, info: FunctionInfo) -> Value:
        """Return what the decorators of a function make of it."""

    def module_scope(self, module: Module) -> Scope:
        return self.memory.module_scopes.setdefault(module.path, Scope(module))

    def name(self, name: str) -> Value:
        """Return what `name` means here."""
        scope = self.scope
        found = scope.find(name) if name not in scope.global_names else None
        if found is not None:
            if name in scope.names:
                return replace(found, slot=self.slot(name))
            return found
        return self.global_name(scope.module, name)

    def global_name(self, module: Module, name: str) -> Value:
        key = (module.path, name)
        if key not in self.memory.globals:
            self.memory.globals[key] = NOTHING
            self.memory.globals[key] = self._find_global(module, name)
        return self.memory.globals[key]

    def _find_global(self, module: Module, name: str) -> Value:
        if name in module.classes:
            return self.of_class(module.classes[name])
        if name in module.functions:
            info = module.functions[name]
            scope = self.module_scope(module)
            return self.decorated(Value(dotted=info.dotted, definition=info, scope=scope), info)
        if name in module.assigned:
            return _once(self.in_module(module, module.assigned[name]))
        if name in module.imports:
            return self.dotted(module.imports[name])
        if name in _BUILTINS:
            return Value(dotted=f"builtins.{name}")
        for origin in module.star_imports:
            found = self.dotted(f"{origin}.{name}")
            if found.definition is not None or found.known:
                return found
        return NOTHING

    def kept_elsewhere(self, node: cst.BaseExpression) -> Value:
        """Return what the module keeps on an object that nobody knows (`app.state.consumer`)."""
        module = self.scope.module
        expression = module.kept.get(kept_name(node))
        if expression is None:
            return NOTHING
        key = (module.path, f"{kept_name(node)} is kept")
        if key not in self.memory.globals:
            self.memory.globals[key] = NOTHING
            value = _once(self.in_module(module, expression))
            self.memory.globals[key] = value if value.type else NOTHING
        return self.memory.globals[key]

    def in_module(self, module: Module, node: cst.BaseExpression) -> Value:
        """Evaluate a top-level expression of `module` without a trace in the graph."""
        return self.silently(Frame(self.module_scope(module), None, 0), node)

    def silently(self, frame: Frame, node: cst.BaseExpression) -> Value:
        """Evaluate beside the graph; what is found does not depend on who asks from how deep."""
        with self.aside():
            deeper, self.deeper = self.deeper, _MADE_WITHIN
            self.frames.append(frame)
            try:
                return replace(self.evaluate(node), slot=-1)
            finally:
                self.frames.pop()
                self.deeper = deeper

    def dotted(self, dotted: str) -> Value:
        """Return the value that an importable name stands for."""
        found = self.project.lookup(dotted)
        if isinstance(found, FunctionInfo):
            scope = self.module_scope(found.module)
            value = Value(dotted=found.dotted, definition=found, scope=scope)
            return value if found.owner is not None else self.decorated(value, found)
        if isinstance(found, ClassInfo):
            return self.of_class(found)
        if isinstance(found, tuple):
            module, _ = found
            value = self.global_name(module, dotted.rpartition(".")[2])
            return value if value is not NOTHING else Value(dotted=dotted)
        spec = self.vocabulary.attribute(dotted)
        if spec and spec.returns:
            return Value(type=self.vocabulary.canonical(spec.returns), labels=spec.labels)
        return Value(dotted=dotted)

    def of_class(self, info: ClassInfo) -> Value:
        return Value(dotted=info.dotted, definition=info)

    def instance(self, info: ClassInfo) -> Value:
        return Value(type=info.dotted, definition=info)

    def typed(self, annotation: cst.BaseExpression, module: Module) -> Value:
        """Return an instance of the class an annotation names; NOTHING if it names none.

        Of `type[X]` it is the class itself.
        """
        inner = _of_type(_unquoted(annotation))
        if inner is not None:
            made = self.typed(inner, module).instance_of
            return self.of_class(made) if made is not None else NOTHING
        for dotted in self._annotated_classes(annotation, module):
            found = self.project.resolve(dotted)
            if isinstance(found, ClassInfo):
                return self.instance(found)
            if self.vocabulary.knows_class(dotted):
                return Value(type=self.vocabulary.canonical(dotted))
        return NOTHING

    def typed_or_listed(self, annotation: cst.BaseExpression, module: Module) -> Value:
        """Return what `typed` does; of `list[Handler]` and its like a list of one of them."""
        typed = self.typed(annotation, module)
        if typed is not NOTHING or not isinstance(annotation, cst.Subscript):
            return typed
        if dotted_name(annotation.value).rpartition(".")[2] not in _LISTS:
            return typed
        inner = annotation.slice[0].slice
        item = self.typed(inner.value, module) if isinstance(inner, cst.Index) else NOTHING
        return NOTHING if item is NOTHING else Value(alternatives=(item,))

    def _annotated_classes(self, node: cst.BaseExpression, module: Module) -> Iterator[str]:
        node = _unquoted(node)
        if isinstance(node, cst.BinaryOperation):
            yield from self._annotated_classes(node.left, module)
            yield from self._annotated_classes(node.right, module)
        elif isinstance(node, cst.Subscript):
            name = dotted_name(node.value).rpartition(".")[2]
            if name in _TRANSPARENT:
                for element in node.slice:
                    if isinstance(element.slice, cst.Index):
                        yield from self._annotated_classes(element.slice.value, module)
            else:
                yield from self._annotated_classes(node.value, module)
        else:
            yield self.absolute(dotted_name(node), module)

    def absolute(self, name: str, module: Module) -> str:
        """Return the importable form of a dotted name as `module` spells it."""
        head, _, rest = name.partition(".")
        if head in module.imports:
            return f"{module.imports[head]}.{rest}" if rest else module.imports[head]
        if head in module.classes or head in module.functions or head in module.assigned:
            return f"{module.dotted}.{name}" if module.dotted else name
        return name

    def ancestors(self, info: ClassInfo, depth: int = 8) -> Iterator[ClassInfo | str]:
        """Yield the class, its project bases, and the dotted names of bases outside of it."""
        yield info
        if depth == 0:
            return
        for base in info.bases:
            node = base.value if isinstance(base, cst.Subscript) else base
            dotted = self.absolute(dotted_name(node), info.module)
            found = self.project.resolve(dotted)
            if isinstance(found, ClassInfo) and found is not info:
                yield from self.ancestors(found, depth - 1)
            elif dotted:
                yield self.vocabulary.canonical(dotted)

    def is_a(self, info: ClassInfo, dotted: str) -> bool:
        """Is the class, or a base of it, the library class `dotted`?"""
        wanted = self.vocabulary.canonical(dotted)
        return any(base == wanted for base in self.ancestors(info) if isinstance(base, str))

    def attribute(self, base: Value, name: str) -> Value:
        """Return the attribute `name` of `base`."""
        if base.alternatives and not base.type and not base.dotted:
            whole = derived(base)
            options = [one.plus(whole.labels, whole.origin) for one in base.alternatives]
            return merged(self.attribute(option, name) for option in options)
        if base.entries is not None and name in base.entries:
            return base.entries[name]
        if base.instance_of is not None:
            return self._of_instance(base, base.instance_of, name)
        if base.is_class and isinstance(base.definition, ClassInfo):
            return self._of_class(base.definition, name)
        if base.type:
            return self._of_library_object(base, base.type, name)
        if base.dotted and base.definition is None:
            return replace(self.dotted(f"{base.dotted}.{name}"), receiver=None)
        member = f"{base.member.rpartition('.')[2]}.{name}"
        field = derived(base)
        if field.has("message"):
            field = field.plus(self.labels_of_field(name))
        return replace(field, receiver=base, member=member, batch=base.batch)

    def labels_of_field(self, name: str) -> frozenset[str]:
        """Return what the name of a key or attribute tells of its value."""
        told = {"death-count": "broker-death-count", "delivery-identity": "delivery-identity"}
        return frozenset(label for role, label in told.items() if self.idioms.is_name(role, name))

    def _of_library_object(self, base: Value, owner: str, name: str) -> Value:
        dotted = f"{owner}.{name}"
        spec = self.vocabulary.attribute(dotted)
        member = f"{owner.rpartition('.')[2]}.{name}"
        if spec is None:
            labels = base.labels & LASTING
            return Value(
                dotted=dotted, receiver=base, labels=labels, origin=base.origin, member=member
            )
        kind = self.vocabulary.canonical(spec.returns) if spec.returns else ""
        labels = spec.labels | (base.labels & LASTING)
        return Value(
            dotted="" if kind else dotted,
            type=kind,
            receiver=None if kind else base,
            labels=labels,
            options=base.options,
            batch=spec.batch,
        )

    def _of_instance(self, base: Value, info: ClassInfo, name: str) -> Value:
        for owner in self.ancestors(info):
            if isinstance(owner, str):
                if self.vocabulary.knows(f"{owner}.{name}"):
                    return self._of_library_object(base, owner, name)
                continue
            if name in owner.methods:
                heir = self._implementation(info, owner.methods[name])
                if heir is not None:
                    return self._of_instance(_as_instance_of(heir, base), heir, name)
                return self._method(base, owner, owner.methods[name])
            value = self.instance_attribute(owner, info, name)
            if value is not None:
                labels = value.labels | (base.labels & {"message", "fetched"})
                return replace(value, labels=labels, member=value.member or f"self.{name}")
        return replace(derived(base), receiver=base, member=f"self.{name}")

    def _implementation(self, info: ClassInfo, method: FunctionInfo) -> ClassInfo | None:
        """Return the class that fills in an abstract method, if the project has but one."""
        if not method.is_abstract:
            return None
        key = (id(info), method.name)
        if key not in self.memory.implementations:
            found = list(self._heirs_with(info, method.name))
            self.memory.implementations[key] = found[0] if len(found) == 1 else None
        return self.memory.implementations[key]

    def _heirs_with(self, info: ClassInfo, name: str) -> Iterator[ClassInfo]:
        seen = [info]
        for owner in seen:
            for heir in self._heirs(owner):
                if heir in seen or not self._inherits(heir, owner):
                    continue
                seen.append(heir)
                method = heir.methods.get(name)
                is_real = method is not None and not method.is_abstract
                if is_real and not self.idioms.is_name("stand-in", heir.qualname):
                    yield heir

    def _heirs(self, info: ClassInfo) -> Iterator[ClassInfo]:
        for heir in heirs_in(self.project.root).get(info.qualname, ()):
            module = self.project.module_in(heir.file)
            if module is not None and heir.name in module.classes:
                yield module.classes[heir.name]

    def _inherits(self, heir: ClassInfo, owner: ClassInfo) -> bool:
        """Is it a heir of this class, and not of another one of the same name?"""
        bases = [base for base in self.ancestors(heir, 1) if isinstance(base, ClassInfo)]
        return owner in bases or all(base.qualname != owner.qualname for base in bases)

    def _method(self, base: Value, owner: ClassInfo, method: FunctionInfo) -> Value:
        names = {dotted_name(decorator.decorator) for decorator in method.decorators}
        if names & {"property", "cached_property", "functools.cached_property"}:
            return self.property_value(base, method)
        if "staticmethod" in names:
            return Value(dotted=method.dotted, definition=method)
        return Value(dotted=method.dotted, definition=method, receiver=base)

    @abstractmethod
    def property_value(self, base: Value, method: FunctionInfo) -> Value:
        """Evaluate a property of the instance `base`."""

    def _of_class(self, info: ClassInfo, name: str) -> Value:
        for owner in self.ancestors(info):
            if isinstance(owner, str):
                if self.vocabulary.knows(f"{owner}.{name}"):
                    return self._of_library_object(NOTHING, owner, name)
                continue
            if name in owner.methods:
                return Value(dotted=owner.methods[name].dotted, definition=owner.methods[name])
            if name in owner.assigned:
                return self.in_module(owner.module, owner.assigned[name])
        return Value(dotted=f"{info.dotted}.{name}")

    def instance_attribute(
        self, owner: ClassInfo, self_class: ClassInfo, name: str
    ) -> Value | None:
        """Return what the methods of `owner` keep as `self.name`, or its class attribute."""
        key = (id(owner), name)
        if key not in self.memory.attributes:
            self.memory.attributes[key] = NOTHING
            found = self._find_attribute(owner, self_class, name)
            if found is None:
                del self.memory.attributes[key]
                return None
            self.memory.attributes[key] = found
        return self.memory.attributes[key]

    def _find_attribute(self, owner: ClassInfo, self_class: ClassInfo, name: str) -> Value | None:
        values = []
        for function, expression in self.attribute_assignments(owner).get(name, ()):
            value = self.evaluate_in_method(function, expression, self_class)
            values.append(_once(value) if function.name == "__init__" else value)
        if name in owner.assigned:
            values.append(self.in_module(owner.module, owner.assigned[name]))
        if name in owner.annotated:
            typed = self.typed_or_listed(owner.annotated[name], owner.module)
            if typed is not NOTHING:
                values.append(typed)
        return merged(values) if values else None

    def evaluate_in_method(
        self, function: FunctionInfo, expression: cst.BaseExpression, self_class: ClassInfo
    ) -> Value:
        scope = Scope(function.module, owner=function.owner)
        for index, param in enumerate(function.params):
            if index == 0 and function.owner is not None:
                value = self.instance(self_class)
            elif param.annotation is not None:
                value = self.typed_or_listed(param.annotation.annotation, function.module)
            else:
                value = NOTHING
            scope.names[param.name.value] = value
        return self.silently(Frame(scope, function, 0), expression)

    def attribute_assignments(
        self, owner: ClassInfo
    ) -> dict[str, list[tuple[FunctionInfo, cst.BaseExpression]]]:
        found = self.memory.assignments.get(id(owner))
        if found is None:
            found = {}
            for method in owner.methods.values():
                for name, value in _self_assignments(method.node.body, {"self", owner.qualname}):
                    found.setdefault(name, []).append((method, value))
            self.memory.assignments[id(owner)] = found
        return found

    def bind(self, name: str, value: Value) -> None:
        """Assign a local name, and tell the graph what a test of it will answer."""
        if name in self.scope.global_names:
            return
        slot = self.slot(name)
        if value.slot >= 0 and value.slot != slot:
            self.change(Change(slot, source=value.slot))
        elif value.slot < 0:
            empty = value.elements == () and self._only_grows(name)
            self.change(Change(slot, IS_FALSY if empty else value.mask))
        self.scope.names[name] = replace(value, slot=-1)

    def _only_grows(self, name: str) -> bool:
        function = self.frame.function
        return function is not None and name in function.grown_lists


def _unquoted(annotation: cst.BaseExpression) -> cst.BaseExpression:
    if not isinstance(annotation, cst.SimpleString):
        return annotation
    try:
        return cst.parse_expression(str(annotation.evaluated_value))
    except Exception:  # whatever the text is, it names no class
        return annotation


def _of_type(annotation: cst.BaseExpression) -> cst.BaseExpression | None:
    """Return X of `type[X]`."""
    if not isinstance(annotation, cst.Subscript) or len(annotation.slice) != 1:
        return None
    index = annotation.slice[0].slice
    if dotted_name(annotation.value).rpartition(".")[2] not in ("type", "Type"):
        return None
    return index.value if isinstance(index, cst.Index) else None


def _as_instance_of(info: ClassInfo, value: Value) -> Value:
    return replace(value, type=info.dotted, definition=info)


def _once(value: Value) -> Value:
    """What is made once for the process, or with the worker, is the same at each delivery."""
    if not value.has("unstable"):
        return value
    return replace(value, labels=value.labels - {"unstable"}, origin=None)


def _self_assignments(
    node: cst.CSTNode, owners: set[str]
) -> Iterator[tuple[str, cst.BaseExpression]]:
    if isinstance(node, cst.Assign):
        for target in node.targets:
            yield from _self_targets(target.target, node.value, owners)
    elif isinstance(node, cst.AnnAssign) and node.value is not None:
        yield from _self_targets(node.target, node.value, owners)
    elif isinstance(node, cst.AsName):
        return
    for child in children(node):
        if not isinstance(child, cst.BaseExpression):
            yield from _self_assignments(child, owners)


def _self_targets(
    target: cst.BaseExpression, value: cst.BaseExpression, owners: set[str]
) -> Iterator[tuple[str, cst.BaseExpression]]:
    if isinstance(target, cst.Attribute) and dotted_name(target.value) in owners:
        yield target.attr.value, value
    elif isinstance(target, cst.Tuple) and isinstance(value, cst.Tuple):
        for left, right in zip(target.elements, value.elements, strict=False):
            yield from _self_targets(left.value, right.value, owners)
