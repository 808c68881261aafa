"""One file: its handlers, their event graphs, and where everything stands."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import libcst as cst

from contractlint.code.handlers import Discovery
from contractlint.code.lowering import Lowerer, Root
from contractlint.code.modules import FunctionInfo, Module, Project
from contractlint.code.values import Source
from contractlint.events import EventGraph, Place
from contractlint.messages.envelope import Envelope
from contractlint.vocabulary import Vocabulary


@dataclass(frozen=True, slots=True, eq=False)
class HandlerGraph:
    """A handler with all its traces; `anchors` are the places where a comment may speak of it."""

    name: str
    dotted: str
    library: str
    place: Place
    anchors: tuple[Place, ...]
    graph: EventGraph
    spawned: bool = False
    followed: tuple[tuple[str, Place], ...] = ()
    produces: bool = False


@dataclass(frozen=True, slots=True)
class Producers:
    """Asks for the functions that publish, too; their messages are compared with the envelope."""

    envelope: Envelope = ()


class CheckedFile:
    """The graphs of a file's handlers, then of its producers if they are asked for."""

    def __init__(
        self,
        path: str,
        file: Path,
        source: bytes,
        project: Project,
        vocabulary: Vocabulary,
        producers: Producers | None = None,
    ) -> None:
        """Read the file.

        Raises:
            SourceError: the file cannot be read as Python; says where.
        """
        self._module = project.add(path, file, source)
        self._producers = producers
        envelope = producers.envelope if producers else ()
        self._discovery = Discovery(project, vocabulary, self._module, envelope)
        self._extensible: set[str] = set()

    @property
    def offers(self) -> frozenset[str]:
        """Names through which other files can get deliveries; known when all graphs are made."""
        return frozenset(self._extensible | self._discovery.offers())

    def graphs(self) -> Iterator[HandlerGraph]:
        waiting = self._discovery.roots()
        known = {root.function for root in waiting}
        handled: set[FunctionInfo | None] = set()
        while waiting:
            root = waiting.pop(0)
            self._discovery.notes.spawned.clear()
            lowerer = self._discovery.lowerer()
            graph = lowerer.lower(root)
            self._extensible.update(_extensible(root))
            handled |= lowerer.followed.keys()
            started = self._discovery.spawned_roots(known)
            yield replace(
                _described(root, graph, self._module),
                spawned=root.arguments is not None,
                followed=self._followed(lowerer, root, started),
            )
            known |= {one.function for one in started}
            waiting += started
        if self._producers is not None:
            yield from self._producing(known | handled)

    def _followed(
        self, lowerer: Lowerer, root: Root, started: Iterable[Root]
    ) -> tuple[tuple[str, Place], ...]:
        """Functions that get something of the delivery in the handler's files, or all of it."""
        ours = (self._module, root.module)
        handed = lowerer.handed | lowerer.given | {one.function for one in started}
        reached = dict.fromkeys((*lowerer.followed, *(one.function for one in started)))
        return tuple(
            (info.qualname, locate(Source(info.module, info.node)))
            for info in reached
            if info and info is not root.function and (info.module in ours or info in handed)
        )

    def _producing(self, known: set[FunctionInfo | None]) -> Iterator[HandlerGraph]:
        for root in self._discovery.producers(known):
            graph = self._discovery.lowerer().lower(root)
            if "receive" not in graph.kinds():
                yield replace(_described(root, graph, self._module), produces=True)


def _extensible(root: Root) -> Sequence[str]:
    """Return how others name a function of the project that receives, or a subclass can fill in."""
    if root.function is None or (root.spec is not None and root.function.owner is None):
        return ()
    return root.function.path


def _described(root: Root, graph: EventGraph, module: Module) -> HandlerGraph:
    library = root.library or _library_in(graph)
    if root.function is None:
        place = _first_receive(graph) or Place(module.path, 1)
        return HandlerGraph("<module>", module.dotted, library, place, (place,), graph)
    node = root.function.node
    place = locate(Source(root.function.module, node))
    anchors = [place, *(root.function.module.place(d) for d in root.function.decorators)]
    if root.source is not None:
        anchors.append(locate(root.source))
    return HandlerGraph(
        root.function.qualname, root.function.dotted, library, place, tuple(anchors), graph
    )


def _first_receive(graph: EventGraph) -> Place | None:
    for event in graph.events:
        if event is not None and event.kind == "receive" and isinstance(event.source, Source):
            return locate(event.source)
    return None


def _library_in(graph: EventGraph) -> str:
    for kind in ("receive", "ack", "requeue"):
        for event in graph.events:
            if event is not None and event.kind == kind and event["library"]:
                return event["library"]
    return ""


_BLOCKS: dict[tuple[type[cst.CSTNode], ...], str] = {
    (cst.ExceptHandler, cst.ExceptStarHandler): "except",
    (cst.While,): "while",
    (cst.For,): "for",
}


def locate(source: Source) -> Place:
    """Return the place of a source; of a block, its head line."""
    module, node = source
    place = module.place(node)
    for kinds, keyword in _BLOCKS.items():
        if isinstance(node, kinds):
            end = place.column + len(keyword)
            return Place(place.path, place.line, place.column, place.line, end)
    return place


def excerpt(source: Source, limit: int = 60) -> str:
    """Return the code of a source on one line."""
    module, node = source
    if isinstance(node, (cst.ExceptHandler, cst.ExceptStarHandler)):
        return f"except {module.code(node.type, limit)}" if node.type else "except"
    if isinstance(node, cst.While):
        return f"while {module.code(node.test, limit)}"
    if isinstance(node, cst.For):
        return f"for {module.code(node.target, limit)} in {module.code(node.iter, limit)}"
    if isinstance(node, cst.FunctionDef):
        return f"{node.name.value}(…)"
    if isinstance(node, cst.Arg):
        name = f"{node.keyword.value}=" if node.keyword else ""
        return name + module.code(node.value, limit)
    return module.code(node, limit)
