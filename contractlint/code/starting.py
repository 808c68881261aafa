"""Who starts a task: a clock, somebody who sends it, or nobody that can be seen.

The whole project is asked, so its text is searched and not parsed: which function calls and sends
what is told by names alone. That sees too many ways from one function to another, never too few
of those that are written out.
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from contractlint.code.modules import production_files
from contractlint.vocabulary.idioms import read_idioms
from contractlint.vocabulary.model import StartSpec

_FARTHEST = 4  # calls from a scheduled task to what it sends again
_COMMON = 3  # a name that so many functions have tells nothing

_STEP = re.compile(
    r"^(?P<indent>[ \t]*)(?:async[ \t]+)?def[ \t]+(?P<name>\w+)"
    r"|(?<![\w.])(?P<called>[A-Za-z_][\w.]*)[ \t]*\("
    r"|(?<=[)\]])\s*\.(?P<chained>\w+)[ \t]*\(",
    re.MULTILINE,
)
_NAMED_TASK = re.compile(
    r"\bname\s*=\s*[\"']?(?P<task>[\w.\-]+).{0,400}?\bdef\s+(?P<name>\w+)", re.DOTALL
)
_SCHEDULED = re.compile(
    r"[\"']task[\"']\s*:\s*[\"']?(?P<task>[\w.\-]+)|\btask=[\"'](?P<text>[\w.\-]+)"
)
_IDIOMS = read_idioms()
_FIRST_TEXT = re.compile(r"\s*[\"'](?P<text>[\w.\-]+)[\"']")


@dataclass(frozen=True, slots=True)
class Starts:
    """Names of functions: those a clock starts, those reached from there, those somebody sends.

    `clock` holds the names under which tasks are registered as well; `has_app`: the project makes
    an application of the library.
    """

    clock: frozenset[str]
    again: frozenset[str]
    sent: frozenset[str]
    has_app: bool = True

    def of(
        self, function: str, registered: str, *, takes_something: bool, shared: bool = False
    ) -> str:
        """Tell who starts a task: clock, again (the clock's tasks do it, too), sent or nobody.

        Where nobody sends anything, the senders are elsewhere; they send what takes something. So
        it is with `shared` tasks in a package that leaves the application to its users.
        """
        names = {function, registered, registered.rpartition(".")[2]}
        if names & self.clock:
            return "clock"
        if names & self.again:
            return "again"
        elsewhere = not self.sent or (shared and not self.has_app)
        sent = names & self.sent or (elsewhere and takes_something)
        return "sent" if sent else "nobody"


@dataclass
class _Seen:
    clock: set[str] = field(default_factory=set)
    sends: dict[str, set[str]] = field(default_factory=dict)
    calls: dict[str, set[str]] = field(default_factory=dict)
    methods: dict[str, set[str]] = field(default_factory=dict)
    named: dict[str, str] = field(default_factory=dict)
    defined: dict[str, int] = field(default_factory=dict)
    has_app: bool = False


@lru_cache(maxsize=4)
def starts_in(root: Path, spec: StartSpec) -> Starts:
    """Search the project below `root`; tests start tasks as well, and are left out."""
    seen = _Seen()
    words = (
        *spec.clock,
        *(f".{name}(" for name in spec.sends),
        *(f"{name}(" for name in spec.names),
        *(f"{before}{name}" for name in spec.marks for before in "@."),
    )
    makes_app = re.compile(rf"\b\w*(?:{_any_of(spec.apps)})\s*\(")
    for file in production_files(root):
        try:
            text = file.read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        if not seen.has_app and makes_app.search(text):
            seen.has_app = True
        if any(word in text for word in words):
            _note(text, spec, seen)
    clock = seen.clock | {seen.named[name] for name in seen.clock if name in seen.named}
    clock |= {name.rpartition(".")[2] for name in clock}
    sent = {task for tasks in seen.sends.values() for task in tasks}
    return Starts(
        frozenset(clock),
        frozenset(_reached(seen, clock)),
        frozenset(_with_functions(sent, seen)),
        seen.has_app,
    )


def _note(text: str, spec: StartSpec, seen: _Seen) -> None:
    schedules = any(word in text for word in spec.clock)
    if schedules:
        seen.clock |= {m["task"] or m["text"] for m in _SCHEDULED.finditer(text)}
        seen.clock |= set(_sent_to_clock(text, spec))
    for match in _NAMED_TASK.finditer(text):
        seen.named[match["task"]] = match["name"]
    around: list[tuple[int, str]] = []
    for match in _STEP.finditer(text):
        if match["name"]:
            indent = len(match["indent"].expandtabs())
            _leave(around, indent)
            around.append((indent, match["name"]))
            seen.defined[match["name"]] = seen.defined.get(match["name"], 0) + 1
        else:
            _leave(around, _indent_at(text, match.start()))
            here = around[-1][1] if around else ""
            _note_call(text, match, here, spec, seen)


def _note_call(text: str, match: re.Match[str], here: str, spec: StartSpec, seen: _Seen) -> None:
    owner, _, name = (match["called"] or f"().{match['chained']}").rpartition(".")
    if name in spec.names:
        first = _FIRST_TEXT.match(text, match.end())
        if first is not None:
            seen.sends.setdefault(here, set()).add(first["text"])
    elif owner and name in spec.sends:
        seen.sends.setdefault(here, set()).add(owner.rpartition(".")[2])
    seen.calls.setdefault(here, set()).add(name)
    if owner:
        seen.methods.setdefault(here, set()).add(name)


def _sent_to_clock(text: str, spec: StartSpec) -> Iterator[str]:
    """Yield the tasks whose signatures are handed to a call that schedules them."""
    for match in re.finditer(rf"(?:{_any_of(spec.clock)})\s*\(", text):
        handed = text[match.end() : match.end() + 300]
        for task in re.finditer(rf"([A-Za-z_]\w*)\.(?:{_any_of(spec.sends)})\s*\(", handed):
            yield task[1]


def _any_of(words: Iterable[str]) -> str:
    return "|".join(map(re.escape, words))


def _leave(around: list[tuple[int, str]], indent: int) -> None:
    while around and around[-1][0] >= indent:
        around.pop()


def _indent_at(text: str, position: int) -> int:
    start = text.rfind("\n", 0, position) + 1
    line = text[start:position].expandtabs()
    return len(line) - len(line.lstrip())


def _reached(seen: _Seen, clock: set[str]) -> set[str]:
    """Return what scheduled tasks send, and what else does the same as they do."""
    started = _followed(clock, lambda name: _sent(name, seen) | _called(name, seen))
    done = _followed(clock, lambda name: _called(name, seen))
    return (started | _doing_only(done, seen)) - clock


def _followed(names: set[str], step: Callable[[str], set[str]]) -> set[str]:
    """Return the names, and those to which up to `_FARTHEST` steps lead."""
    level, visited = set(names), set(names)
    for _ in range(_FARTHEST):
        level = {name for one in level for name in step(one)} - visited
        visited |= level
    return visited


def _called(name: str, seen: _Seen) -> set[str]:
    """Return the functions of the project that it calls, if their names tell them apart."""
    return {one for one in seen.calls.get(name, ()) if 0 < seen.defined.get(one, 0) < _COMMON}


def _sent(name: str, seen: _Seen) -> set[str]:
    return _with_functions(seen.sends.get(name, ()), seen)


def _doing_only(done: set[str], seen: _Seen) -> set[str]:
    """Add the functions that do nothing but what is `done`, as far as names tell."""
    found = set(done)
    acts = {name: _acts(name, seen) for name in seen.calls}
    for _ in range(_FARTHEST):
        found |= {name for name, own in acts.items() if own and own <= found}
    return found


def _acts(name: str, seen: _Seen) -> set[str]:
    """Return what it sends and calls, but for what only reads, tells or computes.

    A method is not known by its name, so it has a dot before it and is never the same as another.
    """
    methods = seen.methods.get(name, set())
    known = _called(name, seen) - methods
    own = {one for one in known if not _IDIOMS.is_name("fetch", one)}
    others = {one for one in seen.calls[name] - known if not _is_harmless(one)}
    return own | {f".{one}" for one in others} | _sent(name, seen)


def _is_harmless(name: str) -> bool:
    if hasattr(builtins, name) or name[:1].isupper():
        return True
    return any(_IDIOMS.is_name(role, name) for role in ("pure", "fetch", "housekeeping"))


def _with_functions(tasks: Iterable[str], seen: _Seen) -> set[str]:
    """Add the functions that are registered under these names."""
    known = set(tasks)
    last = {name.rpartition(".")[2] for name in known}
    return known | last | {seen.named[name] for name in known if name in seen.named}
