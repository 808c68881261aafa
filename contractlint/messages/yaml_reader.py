"""Reading YAML as JSON data: composed nodes become values, nothing is constructed by tag."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

from contractlint.messages.documents import (
    MAX_DEPTH,
    SAFE_INTEGER,
    START,
    Document,
    DocumentError,
    Flaw,
    Json,
    Place,
    escape,
    unsafe_message,
)

# ruamel.yaml's node classes declare neither `id` nor `value`.
Node = Any

MAX_NODES = 1_000_000
MAX_ALIASED_NODES = 10_000
_TAG = "tag:yaml.org,2002:"
_COLLECTION_TAGS = frozenset({_TAG + "map", _TAG + "seq"})


def read_yaml(text: str) -> Iterator[Document]:
    """Yield every document of a YAML stream.

    Raises:
        DocumentError: not YAML, a tag that is no JSON type, a name that is no string, aliases that
            expand too far or into themselves, nesting deeper than `MAX_DEPTH`.
    """
    from ruamel.yaml import YAML
    from ruamel.yaml.error import MarkedYAMLError, YAMLError

    try:
        for root in YAML(typ="safe", pure=True).compose_all(text):
            if root is not None:
                yield _Builder().document(root)
    except MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = _place(mark) if mark else START
        raise DocumentError(f"not YAML: {error.problem or error.context}", place) from None
    except (YAMLError, ValueError) as error:
        raise DocumentError(f"not YAML: {str(error).splitlines()[0]}") from None
    except RecursionError:
        raise DocumentError("nested too deeply") from None


class _Builder:
    """Turns one node graph into a value, and remembers places and flaws on the way."""

    def __init__(self) -> None:
        self.places: dict[str, Place] = {}
        self.flaws: list[Flaw] = []
        self.open: set[int] = set()
        self.seen: set[int] = set()
        self.repeated = 0

    def document(self, root: Node) -> Document:
        value = self.build(root, "")
        return Document(value, tuple(self.flaws), self.places.__getitem__)

    def build(self, node: Node, pointer: str) -> Json:
        self._admit(node)
        self.places[pointer] = _place(node.start_mark)
        self.open.add(id(node))
        value = _BUILDERS[node.id](self, node, pointer)
        self.open.discard(id(node))
        return value

    def _admit(self, node: Node) -> None:
        if node.id != "scalar" and node.tag not in _COLLECTION_TAGS:
            raise DocumentError(f"the tag {node.tag} is no JSON type", _place(node.start_mark))
        self.repeated += id(node) in self.seen
        self.seen.add(id(node))
        if id(node) in self.open:
            raise DocumentError("an alias refers to itself", _place(node.start_mark))
        if len(self.open) >= MAX_DEPTH:
            raise DocumentError(f"nested deeper than {MAX_DEPTH} levels", _place(node.start_mark))
        if self.repeated > MAX_ALIASED_NODES or len(self.places) > MAX_NODES:
            raise DocumentError("aliases expand too far", _place(node.start_mark))

    def mapping(self, node: Node, pointer: str) -> dict[str, Json]:
        members: dict[str, Json] = {}
        for key_node, value_node in node.value:
            key = self._name(key_node)
            here = f"{pointer}/{escape(key)}"
            if key in members:
                self._note("duplicate-json-key", here, key_node, f'the name "{key}" occurs twice')
            members[key] = self.build(value_node, here)
        return members

    def _name(self, node: Node) -> str:
        if node.id != "scalar" or node.tag == _TAG + "merge":
            raise DocumentError("a name must be a string", _place(node.start_mark))
        return str(node.value)

    def sequence(self, node: Node, pointer: str) -> list[Json]:
        return [self.build(item, f"{pointer}/{index}") for index, item in enumerate(node.value)]

    def scalar(self, node: Node, pointer: str) -> Json:
        convert = _SCALARS.get(node.tag)
        if convert is None:
            raise DocumentError(f"the tag {node.tag} is no JSON type", _place(node.start_mark))
        value = convert(node.value)
        if isinstance(value, float) and not math.isfinite(value):
            self._note("not-a-number", pointer, node, f"{node.value} is not JSON")
        if isinstance(value, int) and abs(value) > SAFE_INTEGER:
            self._note("unsafe-integer", pointer, node, unsafe_message(node.value))
        return value

    def _note(self, check: str, pointer: str, node: Node, message: str) -> None:
        self.flaws.append(Flaw(check, pointer, _place(node.start_mark), message))


def _place(mark: object) -> Place:
    return Place(getattr(mark, "line", 0) + 1, getattr(mark, "column", 0) + 1)


def _integer(text: str) -> int:
    return int(text.replace("_", ""), 0 if text.lstrip("+-")[:2] in ("0x", "0o") else 10)


def _number(text: str) -> float:
    return float(text.replace("_", "").lower().replace(".inf", "inf").replace(".nan", "nan"))


_SCALARS: dict[str, Callable[[str], Json]] = {
    _TAG + "str": str,
    _TAG + "timestamp": str,
    _TAG + "null": lambda _: None,
    _TAG + "bool": lambda text: text.lower() == "true",
    _TAG + "int": _integer,
    _TAG + "float": _number,
}

_BUILDERS: dict[str, Callable[..., Json]] = {
    "mapping": _Builder.mapping,
    "sequence": _Builder.sequence,
    "scalar": _Builder.scalar,
}
