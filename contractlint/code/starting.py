"""Who starts a task: a clock, somebody who sends it, or nobody that can be seen.

The whole project is asked, so its text is searched and not parsed: which function calls and sends
what is told by names alone. That sees too many ways from one function to another, never too few
of those that are written out.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path

from contractlint.code.modules import NOT_SOURCES
from contractlint.prefilter import is_test_name
from contractlint.vocabulary.model import StartSpec

_LARGEST_FILE = 2_000_000
_FARTHEST = 4  # calls from a scheduled task to what it sends again
_COMMON = 3  # a name that so many functions have tells nothing

_STEP = re.compile(
    r"^(?P<indent>[ \t]*)(?:async[ \t]+)?def[ \t]+(?P<name>\w+)"
    r"|(?<![\w.])(?P<called>[A-Za-z_][\w.]*)[ \t]*\(",
    re.MULTILINE,
)
_NAMED_TASK = re.compile(
    r"\bname\s*=\s*[\"']?(?P<task>[\w.\-]+).{0,400}?\bdef\s+(?P<name>\w+)", re.DOTALL
)
_SCHEDULED = re.compile(
    r"[\"']task[\"']\s*:\s*[\"']?(?P<task>[\w.\-]+)|\btask=[\"'](?P<text>[\w.\-]+)"
)
_FIRST_TEXT = re.compile(r"\s*[\"'](?P<text>[\w.\-]+)[\"']")


@dataclass(frozen=True, slots=True)
class Starts:
    """Names of functions: those a clock starts, those reached from there, those somebody sends.

    `clock` holds the names under which tasks are registered as well.
    """

    clock: frozenset[str]
    again: frozenset[str]
    sent: frozenset[str]
    files: frozenset[Path]

    def of(self, function: str, registered: str, *, takes_something: bool) -> str:
        """Tell who starts a task: clock, again (a clock's task sends it, too), sent or nobody.

        Where nobody sends anything, the senders are elsewhere; they send what takes something.
        """
        names = {function, registered, registered.rpartition(".")[2]}
        if names & self.clock:
            return "clock"
        if names & self.again:
            return "again"
        sent = names & self.sent if self.sent else takes_something
        return "sent" if sent else "nobody"


@dataclass
class _Seen:
    clock: set[str] = field(default_factory=set)
    sends: dict[str, set[str]] = field(default_factory=dict)
    calls: dict[str, set[str]] = field(default_factory=dict)
    named: dict[str, str] = field(default_factory=dict)
    defined: dict[str, int] = field(default_factory=dict)
    files: set[Path] = field(default_factory=set)


@lru_cache(maxsize=4)
def starts_in(root: Path, spec: StartSpec) -> Starts:
    """Search the project below `root`; tests start tasks as well, and are left out."""
    seen = _Seen()
    words = (
        *spec.clock,
        *(f".{name}(" for name in spec.sends),
        *(f"{name}(" for name in spec.names),
    )
    for file in _sources(root):
        try:
            text = file.read_text(encoding="utf-8", errors="replace")
        except OSError:
            continue
        if any(word in text for word in words):
            seen.files.add(file)
            _note(text, spec, seen)
    clock = seen.clock | {seen.named[name] for name in seen.clock if name in seen.named}
    clock |= {name.rpartition(".")[2] for name in clock}
    sent = {task for tasks in seen.sends.values() for task in tasks}
    return Starts(
        frozenset(clock),
        frozenset(_reached(seen, clock)),
        frozenset(_with_functions(sent, seen)),
        frozenset(seen.files),
    )


def _sources(root: Path) -> Iterator[Path]:
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(
            f
            for f in folders
            if not f.startswith(".") and f not in NOT_SOURCES and not is_test_name(f)
        )
        for name in sorted(files):
            if name.endswith(".py") and not is_test_name(name):
                file = Path(folder, name)
                if file.stat().st_size <= _LARGEST_FILE:
                    yield file


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
    owner, _, name = match["called"].rpartition(".")
    if name in spec.names:
        first = _FIRST_TEXT.match(text, match.end())
        if first is not None:
            seen.sends.setdefault(here, set()).add(first["text"])
    elif owner and name in spec.sends:
        seen.sends.setdefault(here, set()).add(owner.rpartition(".")[2])
    seen.calls.setdefault(here, set()).add(name)


def _sent_to_clock(text: str, spec: StartSpec) -> Iterator[str]:
    """Yield the tasks whose signatures are handed to a call that schedules them."""
    calls = "|".join(map(re.escape, spec.clock))
    sends = "|".join(map(re.escape, spec.sends))
    for match in re.finditer(rf"(?:{calls})\s*\(", text):
        handed = text[match.end() : match.end() + 300]
        for task in re.finditer(rf"([A-Za-z_]\w*)\.(?:{sends})\s*\(", handed):
            yield task[1]


def _leave(around: list[tuple[int, str]], indent: int) -> None:
    while around and around[-1][0] >= indent:
        around.pop()


def _indent_at(text: str, position: int) -> int:
    start = text.rfind("\n", 0, position) + 1
    line = text[start:position].expandtabs()
    return len(line) - len(line.lstrip())


def _reached(seen: _Seen, clock: Iterable[str]) -> set[str]:
    """Return what scheduled tasks send, directly or some calls away."""
    level, visited = set(clock), set(clock)
    reached: set[str] = set()
    for _ in range(_FARTHEST):
        following: set[str] = set()
        for name in level:
            tasks = _with_functions(seen.sends.get(name, set()), seen)
            called = {c for c in seen.calls.get(name, ()) if 0 < seen.defined.get(c, 0) < _COMMON}
            reached |= tasks
            following |= tasks | called
        level = following - visited
        visited |= level
    return reached | (visited - set(clock))


def _with_functions(tasks: Iterable[str], seen: _Seen) -> set[str]:
    """Add the functions that are registered under these names."""
    known = set(tasks)
    last = {name.rpartition(".")[2] for name in known}
    return known | last | {seen.named[name] for name in known if name in seen.named}
