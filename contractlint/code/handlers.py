"""Finding the handlers of a module: registered, decorated, inherited, or told by their bodies."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

import libcst as cst

from contractlint.code.conditions import last_name
from contractlint.code.flow import NOWHERE, TAKES_PART, Frame
from contractlint.code.lowering import Lowerer, Root
from contractlint.code.modules import ClassInfo, FunctionInfo, Module, Project, string_value
from contractlint.code.names import Memory
from contractlint.code.notes import Notes, Registration, Spawned, functions_in
from contractlint.code.starting import starts_in
from contractlint.code.values import NOTHING, Arguments, Scope, Setting, Settings, Source, Value
from contractlint.code.walking import calls_in, children
from contractlint.messages.envelope import Envelope
from contractlint.tree import EVERY_SOURCE
from contractlint.vocabulary import Vocabulary
from contractlint.vocabulary.idioms import read_idioms
from contractlint.vocabulary.model import HandlerSpec, Option

# What is popped to take an item out of a list that is kept elsewhere is no delivery.
_COLLECTION_METHODS = frozenset(
    {"__getitem__", "__setitem__", "__delitem__", "__contains__", "__len__", "__reversed__"}
)
_SELVES = ("self", "cls")
_OF_DELIVERY = re.compile(
    r"(?i)mess?a?ge?|msg|deliver|tag|body|event|record|job|task|frame|payload"
)
_HIGHEST_CALLER = 6
_PLAIN_BASES = frozenset(
    {"object", "builtins.object", "abc.ABC", "ABC", "typing.Generic", "Protocol"}
)
_SCAN_DEPTH = 7
_SCAN_NODES = 50_000  # from here on a large module's functions are looked at one by one


class Discovery:
    """Scans a module once, then names its handlers."""

    def __init__(
        self, project: Project, vocabulary: Vocabulary, module: Module, envelope: Envelope = ()
    ) -> None:
        self.project = project
        self.vocabulary = vocabulary
        self.module = module
        self.memory = Memory()
        self.notes = Notes(envelope=envelope)
        self._configurations: dict[str, dict[str, cst.BaseExpression]] = {}

    def lowerer(self) -> Lowerer:
        return Lowerer(self.project, self.vocabulary, self.memory, self.notes)

    def roots(self) -> list[Root]:
        """Return the module's handlers in the order of their discovery, each function once."""
        self._scan()
        found: dict[object, Root] = {}
        declared = list(self._declared())
        decorated = {(root.function, id(root.spec)) for root in declared}
        registered = (
            root for root in self._registered() if (root.function, id(root.spec)) not in decorated
        )
        for root in (*registered, *declared):
            found.setdefault((root.function, id(root.spec), *_chosen(root.value)), root)
        known = {root.function for root in found.values()}
        for root in self._told_by_body(known):
            receiver = root.value.receiver.type if root.value.receiver else ""
            found.setdefault((root.function, receiver), root)
        return [root for root in found.values() if not _is_test(root.function)]

    def _scan(self) -> None:
        """Lower everything once, shallowly, to learn who registers, receives and calls whom."""
        targets: list[FunctionInfo | None] = [None, *self.module.all_functions]
        nodes = 0
        for function in targets:
            lowerer = self.lowerer()
            lowerer.follow = _SCAN_DEPTH if nodes < _SCAN_NODES else 1
            lowerer.scanning = True
            nodes += len(lowerer.lower(Root(self.module, function, receives=True)))
        for registration in list(self.notes.registrations):
            info = registration.function.definition
            if isinstance(info, FunctionInfo) and isinstance(info.node, cst.Lambda):
                self.lowerer().lower(Root(info.module, info, registration.function, receives=True))

    def _registered(self) -> Iterator[Root]:
        for registration in self.notes.registrations:
            value = registration.function
            inner = value
            while inner.partial is not None:
                inner = inner.partial[0]
            if inner.instance_of is not None:
                methods = registration.spec.methods or ("__call__",)
                for method in (self.lowerer().attribute(inner, name) for name in methods):
                    yield from self._root_of(registration, method, method)
            else:
                yield from self._root_of(registration, value, inner)

    def _root_of(self, registration: Registration, value: Value, inner: Value) -> Iterator[Root]:
        if not isinstance(inner.definition, FunctionInfo):
            return
        info, spec, settings = inner.definition, registration.spec, registration.settings
        source, started = registration.source, ""
        if registration.decorator is not None:
            self._project_settings(spec, settings, registration.decorator, source.module)
            started = self._started(spec, info, source.node)
        yield Root(info.module, info, value, spec, settings, source, started=started)

    # -- declarations ----------------------------------------------------------------------------

    def _declared(self) -> Iterator[Root]:
        for function in self.module.all_functions:
            yield from self._decorated(function)
            yield from self._annotated(function)
            yield from self._shaped(function)
        for info in self.module.all_classes:
            yield from self._inherited(info)

    def _decorated(self, function: FunctionInfo) -> Iterator[Root]:
        for decorator in function.decorators:
            node = decorator.decorator
            callee = node.func if isinstance(node, cst.Call) else node
            spec = self._decorator_spec(function, callee)
            if spec is not None:
                settings = self._decorator_settings(spec, function, node)
                source = Source(function.module, node)
                yield Root(
                    function.module,
                    function,
                    NOTHING,
                    spec,
                    settings,
                    source,
                    started=self._started(spec, function, node),
                )

    def _started(self, spec: HandlerSpec, function: FunctionInfo, node: cst.CSTNode) -> str:
        """Tell who starts the task, where the library knows clocks."""
        if spec.started is None:
            return ""
        given = {arg.keyword.value for arg in getattr(node, "args", ()) if arg.keyword is not None}
        if given & set(spec.started.keywords):
            return "clock"
        if not spec.started.clock:
            return ""
        starts = starts_in(self.project.root, spec.started)
        self.project.read.add(self.project.root / EVERY_SOURCE)
        params = [param.name.value for param in function.params]
        takes = any(name not in ("self", "cls", "task") for name in params)
        decorator = last_name(node.func if isinstance(node, cst.Call) else node)
        if read_idioms().is_name("trial", function.name):
            return "trial"
        return starts.of(
            function.name,
            _registered_name(node),
            takes_something=takes,
            shared=decorator in spec.started.shared,
        )

    def _decorator_spec(
        self, function: FunctionInfo, callee: cst.BaseExpression
    ) -> HandlerSpec | None:
        value = self._evaluate_outside(function, callee)
        if value.dotted:
            spec = self.vocabulary.decorator(value.dotted)
            if spec is not None:
                return spec
        if isinstance(value.definition, FunctionInfo):
            return self._through_project_decorator(value.definition)
        return self._decorator_by_name(value, callee)

    def _decorator_by_name(self, value: Value, callee: cst.BaseExpression) -> HandlerSpec | None:
        """`@something.task` where the object is of a class nobody can see but names the library."""
        if not isinstance(callee, cst.Attribute) or value.instance_of is not None:
            return None
        text = f"{value.dotted}.{last_name(callee.value)}".lower()
        for spec in self.vocabulary.handlers:
            for name in spec.decorators:
                owner, _, method = name.rpartition(".")
                if method == callee.attr.value and spec.library.split("-")[0] in text and owner:
                    return spec
        return None

    def _through_project_decorator(self, info: FunctionInfo) -> HandlerSpec | None:
        """A decorator of the project that itself applies a library's decorator."""
        for node in calls_in(info.node):
            value = self._evaluate_outside(info, node.func)
            spec = self.vocabulary.decorator(value.dotted) if value.dotted else None
            if spec is not None:
                return spec
        return None

    def _evaluate_outside(self, function: FunctionInfo, node: cst.BaseExpression) -> Value:
        lowerer = self.lowerer()
        scope = self.notes.scopes.get(function.node) or Scope(function.module)
        return lowerer.silently(Frame(scope, None, 0), node)

    def _decorator_settings(
        self, spec: HandlerSpec, function: FunctionInfo, node: cst.BaseExpression
    ) -> Settings:
        lowerer = self.lowerer()
        scope = self.notes.scopes.get(function.node) or Scope(function.module)
        lowerer.frames.append(Frame(scope, None, 0))
        lowerer.current = NOWHERE
        arguments = Arguments()
        inherited: dict[str, Setting] = {}
        if isinstance(node, cst.Call):
            arguments = lowerer.arguments(node)
            callee = lowerer.evaluate(node.func)
            inherited = dict((callee.receiver or NOTHING).options)
        settings = lowerer.settings(spec.options, arguments, inherited)
        settings[""] = Setting(NOTHING, Source(function.module, node))
        self._project_settings(spec, settings, arguments, function.module)
        return settings

    def _project_settings(
        self, spec: HandlerSpec, settings: Settings, arguments: Arguments, module: Module
    ) -> None:
        """Fill options that were not given from the task's base class, then from configuration."""
        base = arguments.keywords.get("base")
        for option in spec.options:
            if settings[option.name].source is not None:
                continue
            found = self._class_setting(option, base.definition if base else None)
            found = found or self._configured(option, module)
            if found is not None:
                settings[option.name] = found

    def _class_setting(self, option: Option, info: object) -> Setting | None:
        if not option.attribute or not isinstance(info, ClassInfo):
            return None
        lowerer = self.lowerer()
        for owner in lowerer.ancestors(info):
            if isinstance(owner, ClassInfo) and option.attribute in owner.assigned:
                node = owner.assigned[option.attribute]
                return Setting(lowerer.in_module(owner.module, node), Source(owner.module, node))
        return None

    def _configured(self, option: Option, module: Module) -> Setting | None:
        if not option.config:
            return None
        for seen in self._modules_in_sight(module, option.config):
            settings = self._configuration_of(seen)
            for name in option.config:
                if name in settings:
                    value = self.lowerer().in_module(seen, settings[name])
                    return Setting(value, Source(seen, settings[name]))
        # What a file of settings says, which is loaded by its name, may hold for this one too.
        return Setting(NOTHING, None) if self.project.sets(option.config) else None

    def _configuration_of(self, module: Module) -> dict[str, cst.BaseExpression]:
        if module.path not in self._configurations:
            self._configurations[module.path] = dict(_configuration(module))
        return self._configurations[module.path]

    def _modules_in_sight(self, module: Module, words: tuple[str, ...]) -> Iterator[Module]:
        """Yield the module and those it imports from, if their text holds one of `words`."""
        yield module
        for dotted in module.imports.values():
            for name in (dotted, dotted.rpartition(".")[0]):
                if self.project.mentions(name, words):
                    found = self.project.module(name)
                    if found is not None:
                        yield found

    def _annotated(self, function: FunctionInfo) -> Iterator[Root]:
        lowerer = self.lowerer()
        for spec in self.vocabulary.handlers:
            wanted = {self.vocabulary.canonical(name) for name in spec.annotations}
            if not wanted:
                continue
            for param in function.params:
                if param.annotation is None:
                    continue
                names = {
                    self.vocabulary.canonical(name)
                    for name in lowerer._annotated_classes(
                        param.annotation.annotation, function.module
                    )
                }
                if names & wanted:
                    yield Root(function.module, function, NOTHING, spec, self._defaults(spec))

    def _defaults(self, spec: HandlerSpec) -> Settings:
        return self.lowerer().settings(spec.options, Arguments(), {})

    def _shaped(self, function: FunctionInfo) -> Iterator[Root]:
        if not isinstance(function.node, cst.FunctionDef):
            return
        params = [p for p in function.params if p.name.value not in ("self", "cls")]
        for spec in self.vocabulary.handlers:
            if not (spec.shape_reads or spec.shape_makes):
                continue
            needed = [param for param in params if param.default is None]
            if not len(needed) <= spec.shape_params <= len(params):
                continue
            last = params[spec.shape_params - 1].name.value
            if spec.shape_last is not None and not spec.shape_last.search(last):
                continue
            if spec.shape_never and _names_key(function.node.body, frozenset(spec.shape_never)):
                continue
            if spec.shape_holds and not self._holds(function, frozenset(spec.shape_holds)):
                continue
            first, keys = params[0].name.value, frozenset(spec.shape_reads)
            makes = _makes(function.node.body, first, frozenset(spec.shape_makes))
            if makes or self._reads(function, first, keys):
                yield Root(function.module, function, NOTHING, spec, self._defaults(spec))
                return

    def _reads(
        self, function: FunctionInfo, name: str, keys: frozenset[str], depth: int = 2
    ) -> bool:
        """Is one of `keys` read from the parameter, here or in a helper it is handed to?"""
        if _reads_key(function.node.body, name, keys):
            return True
        for call in calls_in(function.node.body) if depth else ():
            helper = self.module.functions.get(last_name(call.func))
            for index, arg in enumerate(call.args):
                if helper is not None and last_name(arg.value) == name and arg.keyword is None:
                    params = helper.params[index : index + 1]
                    if params and self._reads(helper, params[0].name.value, keys, depth - 1):
                        return True
        return False

    def _holds(self, function: FunctionInfo, keys: frozenset[str], depth: int = 3) -> bool:
        """Is one of `keys` read of anything, here or in a helper of the module?"""
        if _reads_key(function.node.body, "", keys):
            return True
        called = {last_name(call.func) for call in calls_in(function.node.body)} if depth else set()
        helpers = [self.module.functions[name] for name in called & self.module.functions.keys()]
        return any(self._holds(helper, keys, depth - 1) for helper in helpers)

    def _inherited(self, info: ClassInfo) -> Iterator[Root]:
        lowerer = self.lowerer()
        for spec in self.vocabulary.handlers:
            if not any(lowerer.is_a(info, base) for base in spec.subclasses):
                continue
            for name in spec.methods:
                if name in info.methods:
                    settings = self._defaults(spec)
                    for option in spec.options:
                        settings[option.name] = (
                            self._class_setting(option, info) or settings[option.name]
                        )
                    value = lowerer.attribute(lowerer.instance(info), name)
                    source = Source(info.module, info.methods[name].node)
                    yield Root(info.module, info.methods[name], value, spec, settings, source)

    # -- bodies ----------------------------------------------------------------------------------

    def _told_by_body(self, known: set[FunctionInfo | None]) -> Iterator[Root]:
        """Functions that receive or settle deliveries, or the topmost of those that call them."""
        tops: dict[FunctionInfo | None, None] = {}
        ours = {None, *self.module.all_functions}
        for function, kinds in list(self.notes.kinds.items()):
            if function in known or not kinds & TAKES_PART:
                continue
            for top in self._topmost(function):
                if top in ours and top not in known and not self._hands_out_nothing(top):
                    tops[top] = None
        runs_in: dict[FunctionInfo | None, str] = {
            info: one.to for info, _, one in self._set_running()
        }
        for top in tops:
            receives = top is None or self._receives(top)
            yield Root(self.module, top, receives=receives, runs_in=runs_in.get(top, ""))
            yield from self._in_subclasses(top, receives)
        yield from self._inherited_loops(known)

    def _hands_out_nothing(self, function: FunctionInfo | None) -> bool:
        """Does nobody get a delivery here: a method of a collection, or one that nothing calls?"""
        of_collection = function is not None and function.name in _COLLECTION_METHODS
        return of_collection or self._is_idle(function) or self._is_given_nothing(function)

    def _is_given_nothing(self, function: FunctionInfo | None) -> bool:
        """Is it a method without parameters, of an object that is not made of a delivery?"""
        if function is None or function.owner is None or self._receives(function):
            return False
        if any(param.name.value not in _SELVES for param in function.params):
            return False
        init = self.lowerer().attribute(self.lowerer().instance(function.owner), "__init__")
        made = init.definition.params if isinstance(init.definition, FunctionInfo) else []
        return not any(_OF_DELIVERY.search(param.name.value) for param in made)

    def _is_idle(self, function: FunctionInfo | None) -> bool:
        """Is it a private method that nothing calls: not its module, nor one of a known base?"""
        if function is None or function.owner is None or not re.match(r"_+[a-z]", function.name):
            return False
        if function.name.endswith("__"):
            return False
        rows = list(self.lowerer().ancestors(function.owner))
        if any(isinstance(row, str) and row not in _PLAIN_BASES for row in rows):
            return False
        modules = {row.module for row in rows if isinstance(row, ClassInfo)}
        return sum(_mentions(one.tree, function.name) for one in modules) <= 1

    def _in_subclasses(self, function: FunctionInfo | None, receives: bool) -> Iterator[Root]:
        """A base class receives, its subclasses in the module fill in what is done."""
        if function is None or function.owner is None:
            return
        lowerer = self.lowerer()
        for info in self.module.all_classes:
            if info is function.owner or function.name in info.methods:
                continue
            if function.owner in lowerer.ancestors(info):
                value = Value(definition=function, receiver=lowerer.instance(info))
                yield Root(self.module, function, value, receives=receives)

    def _inherited_loops(self, known: set[FunctionInfo | None]) -> Iterator[Root]:
        """Classes whose receiving method stands in a base class of another module."""
        lowerer = self.lowerer()
        for info in self.module.all_classes:
            for base in lowerer.ancestors(info):
                if isinstance(base, ClassInfo) and base.module is not self.module:
                    yield from self._loops_of(base, info, known)

    def _loops_of(
        self, base: ClassInfo, info: ClassInfo, known: set[FunctionInfo | None]
    ) -> Iterator[Root]:
        if not base.module.names_library:
            return
        me = self.lowerer().instance(info)
        inherited = [method for name, method in base.methods.items() if name not in info.methods]
        for method in inherited:
            lowerer = self.lowerer()
            lowerer.follow, lowerer.scanning = _SCAN_DEPTH, True
            value = Value(definition=method, receiver=me)
            lowerer.lower(Root(base.module, method, value, receives=True))
        receiving = [one for one in inherited if "receive" in self.notes.kinds.get(one, ())]
        tops = {top: None for one in receiving for top in self._topmost(one)}
        for top in tops:
            if top in inherited and top not in known:
                value = Value(definition=top, receiver=me)
                yield Root(base.module, top, value, receives=True)

    def offers(self) -> set[str]:
        """Return names through which other files can get deliveries, if they name no library."""
        lowerer = self.lowerer()
        for name in self.module.assigned:
            kind = lowerer.global_name(self.module, name).type
            if kind and self.vocabulary.registers(kind):
                self.notes.lenders.add(name)
        makers = filter(self._hands_out, self.module.functions.values())
        return self.notes.lenders | {function.name for function in makers}

    def _hands_out(self, function: FunctionInfo) -> bool:
        """Does it return an object of a project class that registers handlers somewhere else?"""
        returns = function.node.returns if isinstance(function.node, cst.FunctionDef) else None
        if returns is None:
            return False
        made = self.lowerer().typed(returns.annotation, self.module).definition
        if made is None or made.module is self.module or not made.module.names_library:
            return False
        return any(self.vocabulary.has_registering(last_name(c.func)) for c in calls_in(made.node))

    def _topmost(self, function: FunctionInfo | None) -> list[FunctionInfo | None]:
        level: list[FunctionInfo | None] = [function]
        seen: set[FunctionInfo | None] = {function}
        for _ in range(_HIGHEST_CALLER):
            following: list[FunctionInfo | None] = []
            for item in level:
                callers = self._callers(item) - seen
                following += sorted(callers, key=_order) if callers else [item]
                seen |= callers
            if following == level:
                break
            level = list(dict.fromkeys(following))
        return level

    def _callers(self, function: FunctionInfo | None) -> set[FunctionInfo | None]:
        """The top level calls a worker's main function; it is a handler only if it receives."""
        callers = self.notes.callers.get(function, set()) if function else set()
        if "receive" in self.notes.kinds.get(None, ()):
            return callers
        return callers - {None}

    def _receives(self, function: FunctionInfo | None, depth: int = _HIGHEST_CALLER) -> bool:
        """Does the function, or one it calls, take deliveries by itself?"""
        if "receive" in self.notes.kinds.get(function, ()):
            return True
        if depth == 0:
            return False
        called = [f for f, callers in self.notes.callers.items() if function in callers]
        return any(self._receives(item, depth - 1) for item in called)

    def producers(self, known: set[FunctionInfo | None]) -> list[Root]:
        """Functions that publish, or the topmost of those that call them, if no handler does."""
        ours = {None, *self.module.all_functions}
        tops: dict[FunctionInfo | None, None] = {}
        for function, kinds in list(self.notes.kinds.items()):
            if "publish" in kinds and function not in known:
                tops |= dict.fromkeys(top for top in self._topmost(function) if top in ours)
        return [self._producer(top) for top in tops if top not in known and not self._tests(top)]

    def _tests(self, function: FunctionInfo | None) -> bool:
        """Is it a test? What it prepares and calls tells nothing of the order in production."""
        return function is not None and read_idioms().is_name("test-function", function.name)

    def _producer(self, function: FunctionInfo | None) -> Root:
        given = {p.name.value: NOTHING for p in function.params} if function else {}
        if function is not None and function.owner is not None and function.params:
            given.pop(function.params[0].name.value)
        return Root(self.module, function, arguments=Arguments(keywords=given), produces=True)

    def spawned_roots(self, known: set[FunctionInfo | None]) -> list[Root]:
        """Functions that were started with a message and run on their own."""
        found: dict[FunctionInfo, Root] = {}
        for info, inner, one in self._set_running():
            if info in known or info in found:
                continue
            if any(value.has("message") for value in one.arguments.all()):
                found[info] = Root(
                    info.module,
                    info,
                    replace(inner, slot=-1),
                    source=one.source,
                    arguments=one.arguments,
                    runs_in=one.to,
                )
        return list(found.values())

    def _set_running(self) -> Iterator[tuple[FunctionInfo, Value, Spawned]]:
        """Yield the project's functions that were started, and what each was started with."""
        for one in self.notes.spawned:
            for inner in functions_in(one.function):
                given = one.arguments
                while inner.partial is not None:
                    given = inner.partial[1].joined(given)
                    inner = inner.partial[0]
                if isinstance(inner.definition, FunctionInfo):
                    yield inner.definition, inner, one._replace(arguments=given)


def _chosen(value: Value) -> tuple[object, ...]:
    """What a registered function works with: one wrapper can serve many handlers."""
    found: list[object] = []
    while value.partial is not None:
        value, given = value.partial
        found += [one.definition for part in given.all() for one in functions_in(part)]
    if value.scope is not None and "<locals>" in value.dotted:
        found += [kept.definition for kept in value.scope.names.values() if kept.definition]
    if value.receiver is not None:
        kept = (value.receiver.entries or {}).values()
        found += [one.definition for part in kept for one in functions_in(part)]
        found.append(value.receiver.definition)
    return tuple(found)


def _mentions(node: cst.CSTNode, name: str) -> int:
    """Count the names below `node`, its definition and those in texts included."""
    here = isinstance(node, cst.Name) and node.value == name
    text = isinstance(node, cst.SimpleString) and name in node.value
    return int(here or text) + sum(_mentions(child, name) for child in children(node))


def _is_test(function: FunctionInfo | None) -> bool:
    """Tests call handlers and settle messages of their own; nobody delivers to them."""
    parts = function.qualname.split(".") if function else ()
    return any(part.startswith("test_") or re.match(r"Test[A-Z]", part) for part in parts)


def _registered_name(decorator: cst.CSTNode) -> str:
    """Return what a decorator's `name=` says: a text, or the last part of a constant's name."""
    if isinstance(decorator, cst.Call):
        for arg in decorator.args:
            if arg.keyword is not None and arg.keyword.value == "name":
                return string_value(arg.value) or last_name(arg.value)
    return ""


def _order(function: FunctionInfo | None) -> str:
    return function.dotted if function else ""


def _reads_key(node: cst.CSTNode, name: str, keys: frozenset[str]) -> bool:
    """Is `name[key]` or `name.get(key)` read somewhere (without a name: of anything)?"""
    if isinstance(node, cst.Subscript) and name in ("", last_name(node.value)):
        for element in node.slice:
            if isinstance(element.slice, cst.Index) and string_value(element.slice.value) in keys:
                return True
    if _got_key(node, name) in keys:
        return True
    return any(_reads_key(child, name, keys) for child in children(node))


def _makes(node: cst.CSTNode, name: str, classes: frozenset[str]) -> bool:
    """Is an object of one of these classes made of `name`?"""
    made = (call for call in calls_in(node) if last_name(call.func) in classes)
    return any(last_name(arg.value) == name for call in made for arg in call.args[:1])


def _names_key(node: cst.CSTNode, keys: frozenset[str]) -> bool:
    """Is one of `keys` read from anything: `x[key]`, `x.get(key)`?"""
    key: cst.CSTNode | None = None
    if isinstance(node, cst.Index):
        key = node.value
    elif isinstance(node, cst.Call) and last_name(node.func) == "get" and node.args:
        key = node.args[0].value
    if key is not None and string_value(key) in keys:
        return True
    return any(_names_key(child, keys) for child in children(node))


def _got_key(node: cst.CSTNode, name: str) -> str:
    """Return the key of `name.get(key)`."""
    if not isinstance(node, cst.Call) or not isinstance(node.func, cst.Attribute):
        return ""
    if node.func.attr.value != "get" or not node.args:
        return ""
    if name not in ("", last_name(node.func.value)):
        return ""
    return string_value(node.args[0].value) or ""


def _configuration(module: Module) -> Iterator[tuple[str, cst.BaseExpression]]:
    """Yield the settings a module makes: names, `x.conf.name = …`, `conf.update(name=…)`."""
    yield from module.assigned.items()
    for info in module.all_classes:
        yield from info.assigned.items()
    yield from _configured_in(module.tree)


def _configured_in(node: cst.CSTNode) -> Iterator[tuple[str, cst.BaseExpression]]:
    if isinstance(node, cst.Assign):
        for target in node.targets:
            if isinstance(target.target, cst.Attribute):
                yield target.target.attr.value, node.value
            elif isinstance(target.target, cst.Subscript):
                element = target.target.slice[0].slice
                name = string_value(element.value) if isinstance(element, cst.Index) else None
                if name:
                    yield name, node.value
    elif isinstance(node, cst.Call) and last_name(node.func) in ("update", "dict"):
        for arg in node.args:
            if arg.keyword is not None:
                yield arg.keyword.value, arg.value
    elif isinstance(node, cst.DictElement):
        name = string_value(node.key)
        if name:
            yield name, node.value
    for child in children(node):
        yield from _configured_in(child)
