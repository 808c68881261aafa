"""All libraries together: which dotted name is which event.

Loading everything costs some tenths of a second; `contractlint.prefilter` does without.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

from contractlint.prefilter import library_files
from contractlint.vocabulary.idioms import Idioms, read_idioms
from contractlint.vocabulary.model import (
    AttributeSpec,
    CallSpec,
    EventSpec,
    HandlerSpec,
    Library,
    RaiseSpec,
)
from contractlint.vocabulary.reading import VocabularyError, read_library

__all__ = ["Vocabulary", "VocabularyError", "load_vocabulary"]

_Spec = TypeVar("_Spec")


class Vocabulary:
    """Looks up calls, attributes, handlers and exceptions by dotted name."""

    def __init__(self, libraries: Iterable[Library], idioms: Idioms) -> None:
        self.idioms = idioms
        self.versions: dict[str, str] = {}
        self._aliases: dict[str, str] = {}
        self._bases: dict[str, tuple[str, ...]] = {}
        self._receiving: set[str] = set()
        self._queues: dict[str, frozenset[str]] = {}
        self._calls: dict[str, CallSpec] = {}
        self._bare_calls: dict[str, list[CallSpec]] = {}
        self._attributes: dict[str, AttributeSpec] = {}
        self._raises: dict[str, RaiseSpec] = {}
        self.handlers: list[HandlerSpec] = []
        self._handler_calls: dict[str, HandlerSpec] = {}
        self._bare_handler_calls: dict[str, HandlerSpec] = {}
        self._decorators: dict[str, HandlerSpec] = {}
        self._assigns: dict[str, HandlerSpec] = {}
        loaded = list(libraries)
        for library in loaded:
            self._learn_names(library)
        for library in loaded:
            self._learn_calls(library)
            self._learn_handlers(library)

    def _learn_names(self, library: Library) -> None:
        self.versions[library.name] = library.versions
        for name, others in library.classes.items():
            for other in others:
                if other != name and self.canonical(name) != other:
                    self._aliases[other] = name
        for name, bases in library.bases.items():
            self._bases[name] = self._bases.get(name, ()) + bases

        for name, methods in library.queues.items():
            self._queues[name] = frozenset(methods)

    def _learn_calls(self, library: Library) -> None:
        for call in library.calls:
            receives = call.event is not None and call.event.event == "receive"
            for name in call.names:
                self._calls[self.canonical(name)] = call
                if receives:
                    self._receiving.add(self.canonical(name).rpartition(".")[0])
                if call.bare:
                    rows = self._bare_calls.setdefault(name.rpartition(".")[2], [])
                    if call not in rows:
                        rows.append(call)
        for attribute in library.attributes:
            for name in attribute.names:
                self._attributes[self.canonical(name)] = attribute
        for spec in library.raises:
            for name in spec.names:
                self._raises[self.canonical(name)] = spec

    def _learn_handlers(self, library: Library) -> None:
        for spec in library.handlers:
            self.handlers.append(spec)
            for name in spec.calls:
                self._handler_calls[self.canonical(name)] = spec
                if spec.bare:
                    self._bare_handler_calls[name.rpartition(".")[2]] = spec
            for name in spec.decorators:
                self._decorators[self.canonical(name)] = spec
            for name in spec.assigns:
                self._assigns[self.canonical(name)] = spec

    def learn_events(self, event: str, names: Iterable[str]) -> None:
        """Take names that a project declares in its configuration for `event`."""
        for name in names:
            spec = CallSpec("project", (name,), EventSpec(event), result=_RESULTS.get(event, ""))
            self._calls[name] = spec

    def canonical(self, dotted: str) -> str:
        """Return `dotted` with the library's own name for the class it starts with."""
        head, tail = dotted, ""
        while head:
            if head in self._aliases:
                return self.canonical(self._aliases[head] + tail)
            head, dot, last = head.rpartition(".")
            tail = f"{dot}{last}{tail}"
        return dotted

    def queue_of(self, name: str) -> frozenset[str] | None:
        """Return the methods that carry out what objects of the class only queue, if it queues."""
        return self._queues.get(name)

    def receives(self, name: str) -> bool:
        """Is it a class from which deliveries are received?"""
        return self.canonical(name) in self._receiving

    def registers(self, name: str) -> bool:
        """Do objects of the class take handlers: by a decorator, a call or an attribute?"""
        lineage = (self.canonical(name), *self._ancestors(self.canonical(name)))
        return any(one in self._handler_owners() for one in lineage)

    def has_registering(self, method: str) -> bool:
        """Is it the last name of a call that takes a handler?"""
        if not hasattr(self, "_known_registering"):
            self._known_registering = {name.rpartition(".")[2] for name in self._handler_calls}
        return method in self._known_registering

    def _handler_owners(self) -> frozenset[str]:
        if not hasattr(self, "_known_owners"):
            tables = (self._decorators, self._handler_calls, self._assigns)
            owners = {name.rpartition(".")[0] for table in tables for name in table}
            self._known_owners = frozenset(owners)
        return self._known_owners

    def bases(self, name: str) -> tuple[str, ...]:
        """Return the classes on which methods of the library class `name` are looked up too."""
        return self._bases.get(name, ())

    def call(self, dotted: str) -> CallSpec | None:
        name = self.canonical(dotted)
        return self._on_class(self._calls, name) or self._declared_for(name)

    def attribute(self, dotted: str) -> AttributeSpec | None:
        return self._on_class(self._attributes, self.canonical(dotted))

    def raised(self, dotted: str) -> RaiseSpec | None:
        return self._raises.get(self.canonical(dotted))

    def bare_calls(self, method: str) -> list[CallSpec]:
        return self._bare_calls.get(method, [])

    def handler_call(self, dotted: str) -> HandlerSpec | None:
        return self._on_class(self._handler_calls, self.canonical(dotted))

    def bare_handler_call(self, method: str) -> HandlerSpec | None:
        return self._bare_handler_calls.get(method)

    def decorator(self, dotted: str) -> HandlerSpec | None:
        return self._on_class(self._decorators, self.canonical(dotted))

    def assigned(self, dotted: str) -> HandlerSpec | None:
        return self._on_class(self._assigns, self.canonical(dotted))

    def class_setting(self, name: str) -> HandlerSpec | None:
        """Return who takes handlers from a class attribute of this name."""
        return self._assigns.get(name)

    def knows(self, dotted: str) -> bool:
        """Does any entry speak of this attribute or method?"""
        finders = (self.call, self.attribute, self.decorator, self.handler_call, self.assigned)
        return any(find(dotted) is not None for find in finders)

    def knows_class(self, dotted: str) -> bool:
        """Is it a class that some file of the vocabulary names?"""
        name = self.canonical(dotted)
        return name in self._class_names()

    def _class_names(self) -> frozenset[str]:
        if not hasattr(self, "_known_classes"):
            owners = {name.rpartition(".")[0] for name in (*self._calls, *self._attributes)}
            owners |= set(self._aliases.values()) | set(self._bases)
            self._known_classes = frozenset(owners)
        return self._known_classes

    def _declared_for(self, name: str) -> CallSpec | None:
        """Find names that the project declared as `package.module.*`."""
        head = name.rpartition(".")[0]
        while head:
            if f"{head}.*" in self._calls:
                return self._calls[f"{head}.*"]
            head = head.rpartition(".")[0]
        return None

    def _on_class(self, table: dict[str, _Spec], name: str) -> _Spec | None:
        if name in table:
            return table[name]
        owner, _, method = name.rpartition(".")
        for base in self._ancestors(owner):
            if f"{base}.{method}" in table:
                return table[f"{base}.{method}"]
        return None

    def _ancestors(self, name: str) -> Iterator[str]:
        waiting, seen = [*self._bases.get(name, ())], set()
        while waiting:
            base = self.canonical(waiting.pop(0))
            if base not in seen:
                seen.add(base)
                yield base
                waiting += self._bases.get(base, ())


_RESULTS = {"ledger_check": "ledger"}


Declared = tuple[tuple[str, tuple[str, ...]], ...]


@lru_cache(maxsize=4)
def load_vocabulary(extra: tuple[str, ...] = (), declared: Declared = ()) -> Vocabulary:
    """Read all files; `declared` are names that the project gives to events in its configuration.

    Raises:
        VocabularyError: a file cannot be used.
    """
    libraries = [read_library(path, trusted=True) for path in library_files()]
    libraries += [read_library(Path(path)) for path in extra]
    vocabulary = Vocabulary(libraries, read_idioms())
    for event, names in declared:
        vocabulary.learn_events(event, names)
    return vocabulary
