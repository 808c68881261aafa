"""Source files as modules: their imports, definitions and top-level assignments.

A project is searched on demand: an imported module is looked for beside the importing file, in its
package's root and in the source roots, and parsed only when a name of it is needed.
"""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

import libcst as cst

from contractlint.code.guarding import SourceError, parse
from contractlint.code.walking import children, grown_lists, scratch_names
from contractlint.events import Place
from contractlint.prefilter import broker_words, is_test_name
from contractlint.tree import EVERY_SOURCE, source_files, source_folders

if TYPE_CHECKING:
    from libcst.metadata import CodeRange

Function = cst.FunctionDef | cst.Lambda
_Suite = Sequence[cst.BaseStatement | cst.BaseSmallStatement]
_LARGEST_HELPER_FILE = 2_000_000
_DEEPEST_PACKAGE = 6
_ABSTRACT = frozenset({"abstractmethod", "abstractproperty"})


@dataclass(eq=False)
class ClassInfo:
    """A class of the project. `bases` are dotted names as the module resolves them."""

    module: Module
    node: cst.ClassDef
    qualname: str
    bases: tuple[cst.BaseExpression, ...]
    methods: dict[str, FunctionInfo] = field(default_factory=dict)
    assigned: dict[str, cst.BaseExpression] = field(default_factory=dict)
    annotated: dict[str, cst.BaseExpression] = field(default_factory=dict)

    @property
    def dotted(self) -> str:
        return f"{self.module.dotted}.{self.qualname}"


@dataclass(eq=False)
class FunctionInfo:
    """A function of the project, with the class it is a method of."""

    module: Module
    node: Function
    qualname: str
    owner: ClassInfo | None = None

    @property
    def name(self) -> str:
        return self.qualname.rpartition(".")[2]

    @property
    def path(self) -> list[str]:
        """How other files name it: a class and its method, or the function around it."""
        return self.qualname.partition(".<locals>")[0].split(".")

    @property
    def dotted(self) -> str:
        return f"{self.module.dotted}.{self.qualname}"

    @property
    def params(self) -> list[cst.Param]:
        parameters = self.node.params
        return [*parameters.posonly_params, *parameters.params, *parameters.kwonly_params]

    @property
    def decorators(self) -> Sequence[cst.Decorator]:
        return self.node.decorators if isinstance(self.node, cst.FunctionDef) else ()

    @cached_property
    def scratch(self) -> frozenset[str]:
        """Names of local files that the function moves to another name or removes again."""
        return scratch_names(self.node.body)

    @cached_property
    def grown_lists(self) -> frozenset[str]:
        """Names of lists that begin empty and that only the function itself fills."""
        return grown_lists(self.node.body)

    @cached_property
    def is_abstract(self) -> bool:
        """Does the body leave everything to whoever implements it?"""
        body = _without_docstring(_body_of(self.node.body))
        if not body:
            names = {dotted_name(one.decorator).rpartition(".")[2] for one in self.decorators}
            return bool(names & _ABSTRACT)
        return len(body) == 1 and _leaves_open(body[0])

    @cached_property
    def is_generator(self) -> bool:
        return any(True for _ in yields_in(self.node.body))


def _without_docstring(body: _Suite) -> _Suite:
    """Return the statements that do something: no docstring, no `pass`."""
    return [one for one in body if not _is_idle(one)]


def _is_idle(statement: cst.CSTNode) -> bool:
    if isinstance(statement, cst.SimpleStatementLine):
        return all(map(_is_idle, statement.body))
    if isinstance(statement, cst.Expr):
        return isinstance(statement.value, (cst.SimpleString, cst.ConcatenatedString))
    return isinstance(statement, cst.Pass)


def _leaves_open(statement: cst.CSTNode) -> bool:
    """Is it `...`, or `raise NotImplementedError`?"""
    if isinstance(statement, cst.SimpleStatementLine):
        return all(_is_idle(one) or _leaves_open(one) for one in statement.body)
    if isinstance(statement, cst.Raise):
        raised = statement.exc.func if isinstance(statement.exc, cst.Call) else statement.exc
        return dotted_name(raised) == "NotImplementedError"
    return isinstance(statement, cst.Expr) and isinstance(statement.value, cst.Ellipsis)


def yields_in(node: cst.CSTNode) -> Iterator[cst.Yield]:
    """Find the yields of a function's own body, not those of functions inside it."""
    for child in children(node):
        if isinstance(child, cst.Yield):
            yield child
        if not isinstance(child, (cst.FunctionDef, cst.Lambda, cst.ClassDef)):
            yield from yields_in(child)


class Module:
    """One parsed file. `path` is how it is printed, `dotted` the name it is imported by."""

    def __init__(self, path: str, dotted: str, tree: cst.Module, *, is_package: bool) -> None:
        self.path = path
        self.dotted = dotted
        self.tree = tree
        self.is_package = is_package
        self.names_library = False
        self.imports: dict[str, str] = {}
        self.star_imports: list[str] = []
        self.functions: dict[str, FunctionInfo] = {}
        self.classes: dict[str, ClassInfo] = {}
        self.assigned: dict[str, cst.BaseExpression] = {}
        self.all_functions: list[FunctionInfo] = []
        self.all_classes: list[ClassInfo] = []
        self.by_node: dict[cst.CSTNode, FunctionInfo] = {}
        self._collect(tree.body, "", None)

    def _collect(self, body: _Suite, prefix: str, owner: ClassInfo | None) -> None:
        for statement in body:
            if isinstance(statement, cst.FunctionDef):
                self._function(statement, prefix, owner)
            elif isinstance(statement, cst.ClassDef):
                self._class(statement, prefix)
            elif isinstance(statement, cst.SimpleStatementLine):
                self._simple(statement.body, prefix, owner)
            else:
                for suite in suites_of(statement):
                    self._collect(suite, prefix, owner)

    def _function(self, node: cst.FunctionDef, prefix: str, owner: ClassInfo | None) -> None:
        info = FunctionInfo(self, node, prefix + node.name.value, owner)
        self.all_functions.append(info)
        self.by_node[node] = info
        if owner is not None:
            owner.methods[node.name.value] = info
        elif not prefix:
            self.functions[node.name.value] = info
        self._collect(_body_of(node.body), f"{info.qualname}.<locals>.", None)

    def _class(self, node: cst.ClassDef, prefix: str) -> None:
        bases = tuple(arg.value for arg in node.bases if not arg.star)
        info = ClassInfo(self, node, prefix + node.name.value, bases)
        self.all_classes.append(info)
        if not prefix:
            self.classes[node.name.value] = info
        self._collect(_body_of(node.body), f"{info.qualname}.", info)

    def _simple(
        self, body: Sequence[cst.BaseSmallStatement], prefix: str, owner: ClassInfo | None
    ) -> None:
        for small in body:
            if isinstance(small, (cst.Import, cst.ImportFrom)):
                if not prefix or owner is None:
                    self._import(small)
            elif owner is not None:
                _note_assignment(small, owner.assigned, owner.annotated)
            elif not prefix:
                _note_assignment(small, self.assigned, {})

    def _import(self, node: cst.Import | cst.ImportFrom) -> None:
        for name, dotted in imported_names(node, self.dotted, is_package=self.is_package):
            if name == "*":
                self.star_imports.append(dotted)
            else:
                self.imports.setdefault(name, dotted)

    @cached_property
    def kept(self) -> dict[str, cst.BaseExpression]:
        """What is kept on objects other than `self`: `state.consumer` for `app.state.consumer = …`.

        What is assigned more than once is left out.
        """
        found: dict[str, list[cst.BaseExpression]] = {}
        for name, value in _kept_in(self.tree, {}):
            found.setdefault(name, []).append(value)
        return {name: values[0] for name, values in found.items() if len(values) == 1}

    @cached_property
    def _positions(self) -> dict[cst.CSTNode, CodeRange]:
        from libcst.metadata import MetadataWrapper, PositionProvider

        wrapper = MetadataWrapper(self.tree, unsafe_skip_copy=True)
        return dict(wrapper.resolve(PositionProvider))

    def place(self, node: cst.CSTNode) -> Place:
        """Return where `node` stands; the first call costs a walk over the whole file."""
        span = self._positions.get(node)
        if span is None:
            return Place(self.path, 1)
        start, end = span.start, span.end
        return Place(self.path, start.line, start.column + 1, end.line, end.column + 1)

    def code(self, node: cst.CSTNode, limit: int = 60) -> str:
        """Return the source of `node` on one line, shortened to about `limit` characters."""
        text = re.sub(r"\s+", " ", self.tree.code_for_node(node)).strip()
        text = re.sub(r"(?<=[(\[{]) | (?=[)\]}])|,(?= ?[)\]}])", "", text)
        return text if len(text) <= limit else text[: limit - 1].rstrip() + "…"


def _note_assignment(
    small: cst.BaseSmallStatement,
    assigned: dict[str, cst.BaseExpression],
    annotated: dict[str, cst.BaseExpression],
) -> None:
    if isinstance(small, cst.Assign):
        for target in small.targets:
            if isinstance(target.target, cst.Name):
                assigned[target.target.value] = small.value
            elif isinstance(target.target, cst.Tuple) and isinstance(small.value, cst.Tuple):
                pairs = zip(target.target.elements, small.value.elements, strict=False)
                for element, value in pairs:
                    if isinstance(element.value, cst.Name):
                        assigned[element.value.value] = value.value
    elif isinstance(small, cst.AnnAssign) and isinstance(small.target, cst.Name):
        annotated[small.target.value] = small.annotation.annotation
        if small.value is not None:
            assigned[small.target.value] = small.value


def kept_name(node: cst.BaseExpression) -> str:
    """Return the last two names of `a.b.c`, of `b["c"]` or `b[C]`; nothing for those of `self`."""
    if isinstance(node, cst.Attribute):
        owner, name = dotted_name(node.value), node.attr.value
    elif isinstance(node, cst.Subscript) and len(node.slice) == 1:
        index = node.slice[0].slice
        key = index.value if isinstance(index, cst.Index) else None
        name = (string_value(key) or dotted_name(key)) if key is not None else ""
        owner = dotted_name(node.value)
    else:
        return ""
    return f"{owner.rpartition('.')[2]}.{name}" if owner not in ("", "self") and name else ""


def _kept_in(
    node: cst.CSTNode, local: dict[str, cst.BaseExpression]
) -> Iterator[tuple[str, cst.BaseExpression]]:
    """Yield the names under which something is kept and what; `local` are names seen so far."""
    if isinstance(node, cst.Assign):
        value = node.value
        if isinstance(value, cst.Name):
            value = local.get(value.value, value)
        for target in node.targets:
            if isinstance(target.target, cst.Name):
                local[target.target.value] = value
            elif name := kept_name(target.target):
                yield name, value
    for child in children(node):
        if not isinstance(child, cst.BaseExpression):
            yield from _kept_in(child, local)


def suites_of(statement: cst.CSTNode) -> Iterator[_Suite]:
    """Yield the statement lists inside a compound statement, whatever its kind."""
    branch: cst.CSTNode | None = statement
    while branch is not None:
        following: cst.CSTNode | None = None
        body = getattr(branch, "body", None)
        if isinstance(body, cst.BaseSuite):
            yield _body_of(body)
        for handler in (*getattr(branch, "handlers", ()), *getattr(branch, "cases", ())):
            yield _body_of(handler.body)
        for name in ("orelse", "finalbody"):
            part = getattr(branch, name, None)
            if isinstance(part, cst.If):
                following = part
            elif part is not None:
                yield _body_of(part.body)
        branch = following


def _body_of(suite: cst.BaseSuite | cst.BaseExpression) -> _Suite:
    if isinstance(suite, cst.IndentedBlock):
        return suite.body
    if isinstance(suite, cst.SimpleStatementSuite):
        return [cst.SimpleStatementLine(suite.body)]
    return ()


def dotted_name(node: cst.CSTNode | None) -> str:
    """Return `a.b.c` for a name or attribute made of names alone, else the empty string."""
    parts: list[str] = []
    while isinstance(node, cst.Attribute):
        parts.append(node.attr.value)
        node = node.value
    if not isinstance(node, cst.Name):
        return ""
    return ".".join([node.value, *reversed(parts)])


def imported_names(
    node: cst.Import | cst.ImportFrom, package: str, *, is_package: bool
) -> Iterator[tuple[str, str]]:
    """Yield (local name, absolute dotted name) of an import in the module `package`."""
    if isinstance(node, cst.Import):
        for alias in node.names:
            dotted = dotted_name(alias.name)
            if alias.asname:
                yield dotted_name(alias.asname.name), dotted
            else:
                yield dotted.partition(".")[0], dotted.partition(".")[0]
        return
    origin = _absolute(node, package, is_package=is_package)
    if isinstance(node.names, cst.ImportStar):
        yield "*", origin
        return
    for alias in node.names:
        name = dotted_name(alias.name)
        local = dotted_name(alias.asname.name) if alias.asname else name
        yield local, f"{origin}.{name}" if origin else name


def _absolute(node: cst.ImportFrom, package: str, *, is_package: bool) -> str:
    module = dotted_name(node.module)
    level = len(node.relative)
    if not level:
        return module
    parts = package.split(".") if package else []
    kept = parts[: len(parts) - level + (1 if is_package else 0)]
    return ".".join([*kept, module] if module else kept)


Definition = FunctionInfo | ClassInfo | Module


@lru_cache(maxsize=4)
def _packages(root: Path) -> dict[str, tuple[Path, ...]]:
    """Return the top-level packages anywhere below the project's root, by name.

    The modules of a Lambda layer count as well: its folder `python` is unpacked onto the path.
    """
    found: dict[str, tuple[Path, ...]] = {}
    for folder, folders, files in os.walk(root):
        folders[:] = source_folders(folder, folders)
        path = Path(folder)
        if "__init__.py" in files and not (path.parent / "__init__.py").is_file():
            found[path.name] = (*found.get(path.name, ()), path)
        elif path.name == "python":
            for name in sorted(f.removesuffix(".py") for f in files if f.endswith(".py")):
                found[name] = (*found.get(name, ()), path / name)
        if len(path.relative_to(root).parts) >= _DEEPEST_PACKAGE:
            folders.clear()
        elif "__init__.py" in files:  # its packages are its own; other folders may hold a project
            folders[:] = [f for f in folders if not (path / f / "__init__.py").is_file()]
    return found


def production_files(root: Path) -> Iterator[Path]:
    """Yield the Python files below `root`, tests left out, in a fixed order."""
    for file in source_files(root):
        tests = any(map(is_test_name, file.relative_to(root).parts))
        if not tests and file.is_file() and file.stat().st_size <= _LARGEST_HELPER_FILE:
            yield file


class _Shelf:
    """Parsed helper modules, kept from one checked file to the next.

    A tree takes about 150 times the size of its source, so only the latest megabyte is kept.
    """

    def __init__(self) -> None:
        self._modules: dict[tuple[Path, str, int, int], Module | None] = {}
        self._size = 0

    def module(self, file: Path, path: str, dotted: str) -> Module | None:
        """Return the module in `file`, or None if it cannot be read as Python."""
        try:
            status = file.stat()
            key = (file, dotted, status.st_mtime_ns, status.st_size)
            if key not in self._modules:
                self._keep(key, self._parsed(file, path, dotted, status.st_size))
        except OSError:
            return None
        return self._modules[key]

    def _parsed(self, file: Path, path: str, dotted: str, size: int) -> Module | None:
        if size > _LARGEST_HELPER_FILE:
            return None
        source = file.read_bytes()
        try:
            tree = parse(source)
        except SourceError:
            return None
        module = Module(path, dotted, tree, is_package=file.name == "__init__.py")
        words = broker_words()
        module.names_library = words is not None and words.found_in(source)
        return module

    def _keep(self, key: tuple[Path, str, int, int], module: Module | None) -> None:
        self._modules[key] = module
        self._size += key[3]
        while self._size > _SHELF_SIZE and len(self._modules) > 1:
            oldest = next(iter(self._modules))
            del self._modules[oldest]
            self._size -= oldest[3]


_SHELF_SIZE = 1_000_000
_SHELF = _Shelf()


class Project:
    """All modules that a run can see from one file. Reads files, never runs them."""

    def __init__(self, root: Path, source_roots: Sequence[str] = (), base: str = "") -> None:
        self.root = root
        self.base = base
        self.source_roots = [root / part for part in source_roots]
        self.read: set[Path] = set()
        self._modules: dict[str, Module | None] = {}
        self._files: dict[Path, Module | None] = {}
        self._texts: dict[Path, bytes] = {}
        self._found: dict[str, Path | None] = {}
        self._said: dict[str, bool] = {}

    def add(self, path: str, file: Path, source: bytes) -> Module:
        """Parse the file that is being checked.

        Raises:
            SourceError: it is no Python that can be read; says where.
        """
        module = Module(
            path, self._dotted(file), parse(source), is_package=file.name == "__init__.py"
        )
        module.names_library = True
        self._modules[module.dotted] = module
        self._files[file] = module
        self._note_root(file)
        return module

    def _note_root(self, file: Path) -> None:
        folder = file.parent
        places = []
        while (folder / "__init__.py").is_file() and folder != folder.parent:
            if folder.name == "src":  # a package by accident: nobody writes `import src.…` there
                places.append(folder)
            folder = folder.parent
        places.append(folder)
        while folder not in (self.root, folder.parent):
            folder = folder.parent
            places.append(folder)
        self.source_roots += [p for p in (*places, self.root / "src") if p not in self.source_roots]

    def _dotted(self, file: Path) -> str:
        parts = [] if file.name == "__init__.py" else [file.stem]
        folder = file.parent
        while (folder / "__init__.py").is_file() and folder != folder.parent:
            parts.append(folder.name)
            folder = folder.parent
        return ".".join(reversed(parts))

    def module(self, dotted: str) -> Module | None:
        """Return the project's module of that name, or None if it is not the project's."""
        if dotted not in self._modules:
            self._modules[dotted] = None
            file = self._find(dotted)
            if file is not None:
                self._modules[dotted] = self._load(file, dotted)
        return self._modules[dotted]

    def _find(self, dotted: str) -> Path | None:
        if dotted not in self._found:
            relative = Path(*dotted.split(".")) if dotted else Path("?")
            candidates = (
                candidate
                for home in self.source_roots
                for candidate in (
                    home / relative / "__init__.py",
                    (home / relative).with_suffix(".py"),
                )
            )
            found = next((path for path in candidates if path.is_file()), None)
            self._found[dotted] = found or self._find_in_packages(dotted)
        return self._found[dotted]

    def _find_in_packages(self, dotted: str) -> Path | None:
        """Look below the packages of the whole project: a repository can hold many."""
        top, _, rest = dotted.partition(".")
        for home in _packages(self.root).get(top, ()):
            path = home / Path(*rest.split(".")) if rest else home
            for candidate in (path / "__init__.py", path.with_suffix(".py")):
                if candidate.is_file():
                    return candidate
        return None

    def mentions(self, dotted: str, words: Sequence[str]) -> bool:
        """Does the text of a project module hold one of `words`? Costs no parsing."""
        file = self._find(dotted)
        if file is None:
            return False
        return any(word.encode() in self._text(file) for word in words)

    def _text(self, file: Path) -> bytes:
        if file not in self._texts:
            self._texts[file] = self._read(file)
        return self._texts[file]

    def _read(self, file: Path) -> bytes:
        self.read.add(file)
        try:
            return file.read_bytes()
        except OSError:
            return b""

    def says(self, expression: str) -> bool:
        """Does some source of the project match the regular expression?"""
        if expression not in self._said:
            pattern = re.compile(expression.encode())
            self._said[expression] = any(pattern.search(text) for text in self._sources())
        return self._said[expression]

    def sets(self, names: Sequence[str]) -> bool:
        """Is a setting with one of `names` given a value somewhere in the project?"""
        words = [name.encode() for name in names]
        if not any(word in text for text in self._sources() for word in words):
            return False
        return self.says(rf"(?m)^[^#\n]*\b(?:{'|'.join(names)})\b['\"]?\]?\s*[:=](?!=)")

    def _sources(self) -> Iterator[bytes]:
        """Yield the text of all sources; the result depends on them."""
        self.read.add(self.root / EVERY_SOURCE)
        for file in source_files(self.root):
            try:
                yield file.read_bytes()
            except OSError:
                continue

    def _load(self, file: Path, dotted: str) -> Module | None:
        if file not in self._files:
            self.read.add(file)
            self._files[file] = _SHELF.module(file, self._printed(file), dotted)
        return self._files[file]

    def module_in(self, file: Path) -> Module | None:
        """Return the module in a file of the project, or None if it cannot be read as Python."""
        return self._load(file, self._dotted(file))

    def _printed(self, file: Path) -> str:
        return Path(os.path.relpath(file, self.base or os.getcwd())).as_posix()

    def resolve(self, dotted: str, depth: int = 8) -> Definition | None:
        """Return the project's definition that `dotted` means, re-exports included."""
        found = self.lookup(dotted, depth)
        return found if not isinstance(found, tuple) else None

    def lookup(
        self, dotted: str, depth: int = 8
    ) -> Definition | tuple[Module, cst.BaseExpression] | None:
        """As `resolve`, but also find a module-level assignment: (module, its value)."""
        if depth == 0 or not dotted:
            return None
        parts = dotted.split(".")
        for cut in range(len(parts), 0, -1):
            module = self.module(".".join(parts[:cut]))
            if module is not None:
                return self._member(module, parts[cut:], depth)
        return None

    def _member(
        self, module: Module, path: list[str], depth: int
    ) -> Definition | tuple[Module, cst.BaseExpression] | None:
        if not path:
            return module
        name, rest = path[0], path[1:]
        if name in module.classes:
            return self._of_class(module.classes[name], rest)
        if name in module.functions:
            return module.functions[name] if not rest else None
        if name in module.assigned and not rest:
            return module, module.assigned[name]
        if name in module.imports:
            return self.lookup(".".join([module.imports[name], *rest]), depth - 1)
        for origin in module.star_imports:
            found = self.lookup(".".join([origin, *path]), depth - 1)
            if found is not None:
                return found
        return None

    def _of_class(self, info: ClassInfo, rest: list[str]) -> Definition | None:
        if not rest:
            return info
        return info.methods.get(rest[0]) if len(rest) == 1 else None


def string_value(node: cst.CSTNode) -> str | None:
    """Return the text of a plain string literal (also joined ones), else None."""
    if isinstance(node, cst.SimpleString):
        try:
            value = ast.literal_eval(node.value)
        except (ValueError, SyntaxError):
            return None
        return value if isinstance(value, str) else value.decode("latin-1")
    if isinstance(node, cst.ConcatenatedString):
        left, right = string_value(node.left), string_value(node.right)
        return left + right if left is not None and right is not None else None
    return None
