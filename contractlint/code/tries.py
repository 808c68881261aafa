"""Exceptions: what a `try` catches, and what is known of a failure in its handlers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import libcst as cst

from contractlint.code.conditions import last_name, names_in
from contractlint.code.errors import ErrorClasses
from contractlint.code.flow import NOWHERE, SETTLES, Catch, Cleanup
from contractlint.code.loops import Loops
from contractlint.code.modules import dotted_name, yields_in
from contractlint.code.values import Value, merged
from contractlint.code.walking import children
from contractlint.events import IS_TRUTHY, Change

_WORKS = frozenset(
    {"work", "persist", "stage", "effect", "publish", "handoff", "buffer", "quarantine"}
)
_HANDED = frozenset({"handoff", "buffer"})
_ERROR_TELLERS = frozenset({"exc_info", "format_exc", "format_exception"})


@dataclass(frozen=True, slots=True)
class Failure:
    """What an `except` catches: its kind, the kinds caught before it, and what had failed."""

    kind: str
    classes: Sequence[str]
    earlier: Sequence[str]
    of: str
    around_yield: bool = False
    falls_back: bool = False
    answers: bool = False
    remembered: bool = False
    tries_again: bool = False
    beside: bool = False
    ignored: bool = False

    @property
    def told_apart(self) -> bool:
        named = ("transient", "unknown", "mixed")
        if self.kind == "catch-all":
            return any(kind in (*named, "permanent") for kind in self.earlier)
        return self.kind in named


class Tries(Loops):
    """Loops that can lower `try`."""

    def _try(self, node: cst.Try | cst.TryStar) -> None:
        if node.finalbody is None:
            self._try_except(node)
            return
        final = node.finalbody.body
        self.cleanups.append(Cleanup(lambda: self.suite(final), len(self.catches)))
        caught = self.collect(lambda: self._try_except(node))
        self.cleanups.pop()
        if self.current != NOWHERE:
            self.suite(final)
        done, names = self.current, self.scope.names
        self.scope.names = dict(names)
        self.arrive(caught, None)
        if self.current != NOWHERE:
            self.emit("error", self.source(node), {"by": "finally"})
            self.suite(final)
            self.rethrow(caught)
        self.current, self.scope.names = done, names

    def _try_except(self, node: cst.Try | cst.TryStar) -> None:
        if not node.handlers:
            self.suite(node.body)
            return
        before = dict(self.scope.names)
        claims = self._claims_by_error(node)
        around_yield = any(True for _ in yields_in(node.body))
        start = len(self.graph)
        caught = self.collect(lambda: self._guarded(node.body, claims))
        failing = self.failing_since(start)
        body_names = self.scope.names
        if node.orelse is not None and self.current != NOWHERE:
            self.suite(node.orelse.body)
        ends = [(self.current, self.scope.names)]
        remaining = caught
        earlier: list[str] = []
        for handler in node.handlers:
            types = _types_of(handler)
            self.scope.names = self._names_in_handler(before, body_names)
            remaining = self.arrive(remaining, types)
            kind, names = self.classify(types)
            if self.current != NOWHERE:
                self._handle(
                    handler,
                    Failure(
                        kind,
                        names,
                        earlier,
                        failing,
                        around_yield,
                        _falls_back(handler.body),
                        _answers(handler),
                        self._remembers(handler),
                        self._tries_again(node, handler),
                        self._is_beside(node.body),
                        _does_nothing(handler.body) or self.tells_calmly(handler.body),
                    ),
                )
                ends.append((self.current, self.scope.names))
            if not names or not all(map(self.is_signal, names)):
                earlier.append(kind)
        self.catches[-1].raised.update(remaining.raised)
        self.merge(ends)

    def _names_in_handler(
        self, before: dict[str, Value], after: dict[str, Value]
    ) -> dict[str, Value]:
        names = dict(before)
        for name, value in after.items():
            names[name] = merged([before[name], value]) if name in before else value
        return names

    def _guarded(self, block: cst.BaseSuite, claims: bool) -> None:
        if not claims:
            self.suite(block)
            return
        for statement in block.body:
            writes = self.count("persist") + self.count("stage")
            self.statement(statement)
            if self.count("persist") + self.count("stage") > writes:
                self.emit("ledger_check", self.source(statement), {"by": "unique"})

    def _claims_by_error(self, node: cst.Try | cst.TryStar) -> bool:
        return any(self.classify(_types_of(h))[0] == "duplicate" for h in node.handlers)

    def arrive(self, caught: Catch, types: list[cst.BaseExpression] | None) -> Catch:
        """Go to where the exceptions arrive that `types` catches (None: all); return the rest."""
        here: list[tuple[int, str]] = []
        rest = Catch()
        classes = ErrorClasses(self)
        wanted = None if types is None else [self._class_name(t) for t in types]
        for row in caught.raised:
            answer = classes.catches(row[1], wanted)
            if answer is not False:
                here.append(row)
            if answer is not True:
                rest.raised[row] = None
        self.gather(here)
        return rest

    def _class_name(self, node: cst.BaseExpression) -> str:
        with self.aside():
            value = self.evaluate(node)
        name = value.dotted or value.type or dotted_name(node)
        return name.removeprefix("builtins.")

    def classify(self, types: list[cst.BaseExpression]) -> tuple[str, list[str]]:
        return ErrorClasses(self).kind_of([self._class_name(node) for node in types])

    def failing_since(self, start: int) -> str:
        """Tell what can have failed since then.

        It is work on the message, other calls, the settlement, a queue in memory, or computing.
        """
        kinds = {event.kind for event in self.graph.events[start:] if event is not None}
        if kinds & _WORKS:
            return "work" if kinds & _WORKS - _HANDED or "call" in kinds else "handoff"
        if "call" in kinds:
            return "call"
        return "settling" if kinds and kinds <= SETTLES else "computing"

    def _handle(self, handler: cst.ExceptHandler | cst.ExceptStarHandler, failure: Failure) -> None:
        frame = self.frame
        caught_as = _caught_name(handler)
        if caught_as:
            self.change(Change(self.slot(caught_as), IS_TRUTHY))
            self.scope.names[caught_as] = Value(labels=frozenset({"exception"}))
            frame.caught.append(caught_as)
        told = self.enter_handler(handler, failure)
        start = len(self.graph)
        frame.handling += 1
        frame.failures.append(failure.kind)
        self.handling += 1
        self.suite(handler.body)
        if failure.kind == "unknown" and self.done_since(start):
            told |= {"fallback": "yes", "answers": "yes"}  # there is another way for this error
        self.handling -= 1
        frame.failures.pop()
        frame.handling -= 1
        if caught_as:
            frame.caught.pop()

    def enter_handler(self, node: cst.CSTNode, failure: Failure) -> dict[str, str]:
        """Let the failure happen, and return what is told of it."""
        served = self.frame.stands_for if failure.around_yield else None
        source = served or self.source(node)
        inner = 1 if served else 0
        goes_on = self._goes_on(failure)
        attributes = {
            "kind": failure.kind,
            "class": ", ".join(failure.classes),
            "of": failure.of,
            "timeout": "yes" if self._is_timeout(failure.classes) else "",
            "fallback": "yes" if goes_on else "",
            "answers": "yes" if failure.answers or goes_on else "",
            "again": "yes" if failure.tries_again else "",
            "exhausted": "yes" if self._is_exhausted(failure.classes) else "",
            "depth": str(max(0, len(self.chain) - inner - self.receive_depth)),
        }
        self.emit("failure", source, attributes)
        if failure.kind == "duplicate":
            self.emit("ledger_check", source, {"by": "unique"})
        if failure.kind == "shutdown":
            self.emit("shutdown", source)
        if failure.told_apart:
            self.emit("classified", source, {"by": "class"})
        return attributes

    def _goes_on(self, failure: Failure) -> bool:
        """Does the work go on for good reason: with a default, with the error kept, beside it?"""
        if failure.of == "settling" or (failure.falls_back and failure.of == "computing"):
            return True
        if failure.ignored and failure.kind == "unknown":
            return True  # one named outcome is passed over on purpose, or told as no failure
        if self._is_held(failure.classes):
            return True
        names = [frame.function.name for frame in self.frames[1:] if frame.function is not None]
        beside = failure.beside or self.idioms.any_name("beside", names)
        return failure.remembered or failure.tries_again or beside

    def _is_beside(self, block: cst.BaseSuite) -> bool:
        """Is all that is tried a line of a log, a metric, or an entry of a cache?"""
        return all(self._watches(call) for call in _calls_of(block))

    def _watches(self, call: cst.Call | None) -> bool:
        if call is None:
            return False
        owner = last_name(call.func.value) if isinstance(call.func, cst.Attribute) else ""
        is_name = self.idioms.is_name
        if is_name("housekeeping", last_name(call)) or is_name("observer", owner):
            return True
        return is_name("cache", owner) or is_name("cache", last_name(call))

    def _is_held(self, classes: Sequence[str]) -> bool:
        """Do they say that somebody else has the lock, and so the work?"""
        last_names = [name.rpartition(".")[2] for name in classes]
        held = (self.idioms.is_name("held-elsewhere", name) for name in last_names)
        return bool(last_names) and all(held)

    def _remembers(self, handler: cst.ExceptHandler | cst.ExceptStarHandler) -> bool:
        """Does an `except` answer with the error, or keep it where it is read afterwards?"""
        function = self.frame.function
        kept = _kept_errors(handler.body, {_caught_name(handler), *_ERROR_TELLERS} - {""})
        if function is None:
            return False
        if _returns_it(handler):
            return True
        body = function.node.body
        if any(_read_outside(body, name, handler) for name in kept):
            return True
        return any(self._is_used(body, name, handler) for name in self._given(handler))

    def _given(self, handler: cst.ExceptHandler | cst.ExceptStarHandler) -> set[str]:
        """Return the local objects whose methods an `except` hands the error to."""
        told = {_caught_name(handler), *_ERROR_TELLERS} - {""}
        found: set[str] = set()
        for call in _calls_of(handler.body):
            if call is None or not isinstance(call.func, cst.Attribute) or self._watches(call):
                continue
            owner = dotted_name(call.func.value)
            if owner in self.scope.names and any(names_in(arg.value) & told for arg in call.args):
                found.add(owner)
        return found - {"self"}

    def _is_used(self, node: cst.CSTNode, name: str, handler: cst.CSTNode) -> bool:
        """Is the object handed on, gone through or asked, other than for a line of a log?"""
        if node is handler or isinstance(node, (cst.AssignTarget, cst.Return)):
            return False
        if isinstance(node, (cst.If, cst.For)) and self._is_beside(node.body):
            return False
        if isinstance(node, cst.Expr) and isinstance(node.value, cst.Call):
            call = node.value
            if self._watches(call):
                return False
            if isinstance(call.func, cst.Attribute) and dotted_name(call.func.value) == name:
                return any(self._is_used(arg, name, handler) for arg in call.args)
        if isinstance(node, cst.Name):
            return node.value == name
        return any(self._is_used(child, name, handler) for child in children(node))

    def _tries_again(
        self, node: cst.Try | cst.TryStar, handler: cst.ExceptHandler | cst.ExceptStarHandler
    ) -> bool:
        """Does a loop go round again after the failure, and end once the work has been done?"""
        if not self.frame.loops:
            return False
        leaves = (cst.Return, cst.Break)
        done = node.orelse.body if node.orelse is not None else node.body
        ends = _last_small(done), _last_small(handler.body)
        if not self.frame.loops or isinstance(ends[1], (*leaves, cst.Raise)):
            return False
        loop = self.frame.loops[-1]
        loop.tries = loop.tries or isinstance(ends[0], leaves)
        return isinstance(ends[0], leaves) or _sets(ends[0], loop.flags)

    def _is_timeout(self, classes: Sequence[str]) -> bool:
        """Can one of them say that an answer did not come in time, whatever was done meanwhile?"""
        last_names = (name.rpartition(".")[2] for name in classes)
        return self.idioms.any_name("answer-timeout", last_names)

    def _is_exhausted(self, classes: Sequence[str]) -> bool:
        """Does one of them say that the last attempt has failed?"""
        last_names = (name.rpartition(".")[2] for name in classes)
        return self.idioms.any_name("retries-exhausted", last_names)

    def is_signal(self, name: str) -> bool:
        return bool(name) and self.vocabulary.raised(name) is not None


def _caught_name(handler: cst.ExceptHandler | cst.ExceptStarHandler) -> str:
    if handler.name is None or not isinstance(handler.name.name, cst.Name):
        return ""
    return handler.name.name.value


def _types_of(handler: cst.ExceptHandler | cst.ExceptStarHandler) -> list[cst.BaseExpression]:
    if handler.type is None:
        return []
    if isinstance(handler.type, cst.Tuple):
        return [element.value for element in handler.type.elements]
    return [handler.type]


def _calls_of(block: cst.BaseSuite) -> Iterator[cst.Call | None]:
    """Yield the calls that a block is made of; None for anything else."""
    for statement in block.body:
        for small in statement.body if isinstance(statement, cst.SimpleStatementLine) else (None,):
            node = small.value if isinstance(small, cst.Expr) else None
            node = node.expression if isinstance(node, cst.Await) else node
            yield node if isinstance(node, cst.Call) else None


def _falls_back(block: cst.BaseSuite) -> bool:
    """Does an `except` give a name another value, so that the work goes on with it?"""
    for statement in block.body:
        smalls = statement.body if isinstance(statement, cst.SimpleStatementLine) else ()
        for small in smalls:
            if isinstance(small, cst.Assign) and isinstance(small.targets[0].target, cst.Name):
                return True
    return False


def _kept_errors(block: cst.BaseSuite, told: set[str]) -> set[str]:
    """Return the names that are given the error, or a text that tells of it."""
    kept: set[str] = set()
    for statement in block.body:
        smalls = statement.body if isinstance(statement, cst.SimpleStatementLine) else ()
        for small in smalls:
            if isinstance(small, cst.Assign) and names_in(small.value) & (told | kept):
                kept |= {
                    target.target.value
                    for target in small.targets
                    if isinstance(target.target, cst.Name)
                }
    return kept


def _read_outside(node: cst.CSTNode, name: str, handler: cst.CSTNode) -> bool:
    if node is handler or isinstance(node, cst.AssignTarget):
        return False
    if isinstance(node, cst.Name):
        return node.value == name
    return any(_read_outside(child, name, handler) for child in children(node))


def _does_nothing(block: cst.BaseSuite) -> bool:
    only = _last_small(block) if len(block.body) == 1 else None
    if isinstance(only, cst.Return):
        return only.value is None
    return isinstance(only, (cst.Pass, cst.Continue))


def _last_small(block: cst.BaseSuite) -> cst.CSTNode | None:
    last = block.body[-1] if block.body else None
    return last.body[-1] if isinstance(last, cst.SimpleStatementLine) else last


def _returns_it(handler: cst.ExceptHandler | cst.ExceptStarHandler) -> bool:
    """Is the error itself the answer?"""
    small = _last_small(handler.body)
    value = small.value if isinstance(small, cst.Return) else None
    return isinstance(value, cst.Name) and value.value == _caught_name(handler)


def _sets(small: cst.CSTNode | None, flags: frozenset[str]) -> bool:
    """Is it an assignment of a constant to one of these names?"""
    if not isinstance(small, cst.Assign) or not isinstance(small.value, cst.Name):
        return False
    targets = {
        target.target.value for target in small.targets if isinstance(target.target, cst.Name)
    }
    return small.value.value in ("True", "False", "None") and bool(targets & flags)


def _answers(handler: cst.ExceptHandler | cst.ExceptStarHandler) -> bool:
    """Does an `except` return an object that tells its caller what went wrong?"""
    small = _last_small(handler.body)
    if not isinstance(small, cst.Return) or not isinstance(small.value, cst.Call):
        return False
    told = {_caught_name(handler)} - {""}
    return last_name(small.value.func)[:1].isupper() or bool(names_in(small.value) & told)
