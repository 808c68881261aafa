"""Comments that speak to contractlint are understood, and only comments are."""

import pytest

from contractlint.project.comments import find_comments


def read(source):
    [comment] = find_comments("a.py", source.encode())
    return comment


@pytest.mark.parametrize(
    ("text", "verb", "selectors", "reason"),
    [
        ("# contractlint: ignore", "ignore", (), ""),
        ("# contractlint: ignore -- all is well", "ignore", (), "all is well"),
        ("# contractlint: ignore[CL301] -- because", "ignore", ("CL301",), "because"),
        ("#contractlint:ignore[CL301,CL101]", "ignore", ("CL301", "CL101"), ""),
        ("# contractlint: ignore[ack-before-persist ]", "ignore", ("ack-before-persist",), ""),
        ("# contractlint: at-most-once -- only metrics", "at-most-once", (), "only metrics"),
        ("# noqa: E501  # contractlint: ignore -- x", "ignore", (), "x"),
        ("# contractlint: ignore[CL301]  # see the manual", "ignore", ("CL301",), ""),
        ("# contractlint: ignroe[CL301]", "", ("CL301",), ""),
        ("# contractlint: ignore CL301", "", (), ""),
        ("# contractlint: ignore[CL301 -- no end", "", (), ""),
    ],
)
def test_forms(text, verb, selectors, reason):
    comment = read(f"x = 1  {text}\n")
    assert (comment.verb, comment.selectors, comment.reason) == (verb, selectors, reason)


def test_places():
    comment = read("a = 1\nb = 2  # contractlint: ignore\n")
    assert (comment.line, comment.column, comment.end_column, comment.alone) == (2, 8, 30, False)
    assert read("    # contractlint: ignore\n").alone


@pytest.mark.parametrize(
    "source",
    [
        'x = "# contractlint: ignore"\n',
        '"""\n# contractlint: ignore\n"""\n',
        "f'''\n# contractlint: ignore {x}\n'''\n",
        "# unrelated\n",
    ],
)
def test_text_that_is_no_comment(source):
    assert find_comments("a.py", source.encode()) == []


def test_comments_before_a_broken_line_still_count():
    assert len(find_comments("a.py", b"# contractlint: ignore\nx = (\n")) == 1
