"""Sources that Python would refuse give a clean error with the line; the others are read right."""

import os
import time

import pytest

from contractlint.project.sources import (
    SourceError,
    as_utf8,
    deepest_line,
    nesting_problem,
    read_source,
)


@pytest.mark.parametrize(
    ("source", "line", "words"),
    [
        (b"x = 1\ny = '\0'\n", 2, "NUL"),
        (b"a\nb\n'\xff'\n", 3, "not valid utf-8"),
        (b"# -*- coding: ascii -*-\n'\xe9'\n", 2, "not valid ascii"),
        (b"# coding: no-such-thing\n", 1, "unknown encoding"),
        (b"# coding: rot13\n", 1, "cannot be decoded"),
        (b"\xef\xbb\xbf# coding: latin-1\n", 1, "cannot be decoded"),
        ("x = 1\n".encode("utf-16"), 1, "NUL"),
    ],
)
def test_what_is_not_python_text(source, line, words):
    with pytest.raises(SourceError) as caught:
        as_utf8("a.py", source)
    assert (caught.value.problem.path, caught.value.problem.line) == ("a.py", line)
    assert words in caught.value.problem.message


@pytest.mark.parametrize(
    ("source", "text"),
    [
        (b"", ""),
        ("name = 'Ж'\n".encode(), "name = 'Ж'\n"),
        (b"\xef\xbb\xbfx = 1\n", "x = 1\n"),
        (b"# coding: latin-1\nx = '\xe9'\n", "# coding: latin-1\nx = 'é'\n"),
        (
            b"\n# vim: set fileencoding=cp1251 :\n'\xc6'\n",
            "\n# vim: set fileencoding=cp1251 :\n'Ж'\n",
        ),
        (b"# coding: utf-7\n+AGEAYwBr-\n", "# coding: utf-7\nack\n"),
    ],
)
def test_declared_encodings_are_honoured(source, text):
    assert as_utf8("a.py", source).decode() == text


def test_reading_a_pipe_ends(project):
    os.mkfifo(project.root / "pipe.py")
    started = time.monotonic()
    with pytest.raises(SourceError, match="not a regular file"):
        read_source("pipe.py")
    assert time.monotonic() - started < 5


@pytest.mark.parametrize(
    ("source", "line"),
    [
        (b"x = 1\ny = " + b"(" * 3000 + b")" * 3000, 2),
        (b"\n" + b"[" * 100_000, 2),
        (b"\n\nx = " + b"not " * 20_000 + b"x\n", 3),
        (b"x = " + b"1 if y else " * 20_000 + b"1\n", 1),
        (b"".join(b" " * depth + b"if 1:\n" for depth in range(150)), 101),
    ],
)
def test_nesting_that_python_refuses(source, line):
    assert nesting_problem("a.py", source).line == line


@pytest.mark.parametrize(
    "source",
    [
        b"x = " + b"(" * 150 + b")" * 150,
        b"# " + b"(" * 1000 + b"\nx = 1\n",
        b"'''" + b"[" * 1000 + b"'''\n",
        b"x = '" + b"a" * 100_000 + b"'\n",
        b"x = (1 +\n" + b" " * 200 + b"2)\n",
        b"x = '\\d' + " + b"(" * 160 + b"1" + b")" * 160,
    ],
)
def test_nesting_that_python_allows(source):
    assert nesting_problem("a.py", source) is None


def test_deepest_line():
    assert deepest_line(b"a\n" + b"(" * 200) == 2
    assert deepest_line(b"if a:\n  b\nx = " + b"1+" * 5000) == 3
    assert deepest_line(b"if a:\n  if b:\n    c\nd\n") == 3
    assert deepest_line(b"") == 1
