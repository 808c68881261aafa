"""Comments silence findings; those without a reason or without use are findings themselves."""

import pytest

from contractlint.findings import Finding
from contractlint.project.book import SourceBook
from contractlint.project.suppressions import Suppressions
from contractlint.rules.catalog import load_catalog

pytestmark = pytest.mark.usefixtures("line_engine")


@pytest.mark.parametrize(
    "source",
    [
        "receive\nlose  # contractlint: ignore[CL101] -- known\n",
        "receive\nlose  # contractlint: ignore[ack-before-persist] -- known\n",
        "receive\nlose  # contractlint: ignore[CL301, CL101] -- known\n",
        "receive\nlose  # contractlint: ignore -- known\n",
        "receive\n# contractlint: ignore[CL101] -- known\nlose\n",
        "receive\n# contractlint: ignore[CL101] -- known\n# and more words\nlose\n",
        "# contractlint: at-most-once -- only metrics\nreceive\nlose\n",
        "receive  # contractlint: at-most-once -- only metrics\nlose\n",
    ],
)
def test_silenced(project, check, source):
    project.write("a.py", source)
    ran = check()
    assert (ran.found, ran.exit_code) == ([], 0)


@pytest.mark.parametrize(
    "source",
    [
        "receive\nlose  # contractlint: ignore[CL301] -- another rule\n",
        "receive\nlose\n# contractlint: ignore[CL101] -- below\n",
        "receive\nx  # contractlint: ignore[CL101] -- of its own line\nlose\n",
        "receive\n# contractlint: ignore[CL101] -- too far\n\nlose\n",
        "receive\nlose '# contractlint: ignore'\n",
        "receive\nlose  # contractlint: at-most-once -- not at the handler\n",
        "receive\n# contractlint: ignore[CL10] -- prefixes silence nothing\nlose\n",
    ],
)
def test_not_silenced(project, check, source):
    project.write("a.py", source)
    assert [code for _, _, code in check().found] == ["CL101"]


def finding(**changes):
    values = {
        "code": "CL101",
        "rule": "ack-before-persist",
        "severity": "error",
        "confidence": "high",
        "path": "a.py",
        "line": 2,
        "column": 1,
        "end_line": 4,
        "end_column": 2,
        "handler": "on_message",
        "message": "m",
        "fix": "f",
    }
    return Finding(**{**values, **changes})


def silences(source, one):
    book = SourceBook()
    book.keep("a.py", source.encode())
    book.keep("b.py", b"# contractlint: at-most-once -- metrics\nregister(on_message)\n")
    return Suppressions(book, load_catalog()).silences(one)


def test_any_line_of_the_statement_counts():
    source = "x\nack(\n  tag,  # contractlint: ignore[CL101] -- known\n)\n"
    assert silences(source, finding())
    assert not silences(source, finding(end_line=2))


def test_declaration_at_the_registration_in_another_file():
    assert silences("", finding(anchors=(("a.py", 1), ("b.py", 2))))
    assert not silences("", finding(anchors=(("a.py", 1),)))


def test_at_most_once_excuses_lost_work_only():
    anchors = (("b.py", 2),)
    assert silences("", finding(code="CL102", anchors=anchors))
    assert not silences("", finding(code="CL401", anchors=anchors))


@pytest.mark.parametrize("comment", ["ignore", "ignore[CL101]", "at-most-once"])
def test_a_reason_is_asked_for(project, check, comment):
    project.write("a.py", f"# contractlint: {comment}\nreceive lose\n")
    assert check().found == [("a.py", 1, "CL901")]


def test_reasons_can_be_made_voluntary(project, check):
    project.write("contractlint.toml", "require-reason = false\n")
    project.write("a.py", "receive\nlose  # contractlint: ignore\n")
    assert check().found == []
    assert check("--select", "ALL").found == []


def test_a_reason_is_asked_for_in_files_without_handlers(project, check):
    project.write("a.py", "x = 1  # contractlint: ignore\n")
    assert check().found == [("a.py", 1, "CL901")]


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("x  # contractlint: ignore[CL101] -- gone\n", ["CL101 is not found here"]),
        ("x  # contractlint: ignore -- gone\n", ["nothing is found here"]),
        ("x  # contractlint: ignore[CL999] -- never was\n", ["there is no rule CL999"]),
        ("x  # contractlint: ignroe[CL101] -- typo\n", ["not understood"]),
        ("x  # contractlint: at-most-once -- no handler\n", ["at-most-once changes nothing here"]),
        ("lose  # contractlint: ignore[CL101, CL901] -- half\n", ["CL901 is not found here"]),
        ("lose  # contractlint: ignore[CL101] -- used\n", []),
    ],
)
def test_unused_comments(project, check, source, said):
    project.write("a.py", source)
    document = check("--extend-select", "CL902").document
    assert [one["message"].split(": ", 1)[1] for one in document["findings"]] == said


def test_a_suppression_of_a_rule_that_did_not_run_is_not_unused(project, check):
    project.write("a.py", "x  # contractlint: ignore[CL101] -- not looked for today\n")
    assert check("--select", "CL902").found == []


def test_unused_comments_are_not_reported_by_default(project, check):
    project.write("a.py", "x  # contractlint: ignore[CL101] -- gone\n")
    assert check().found == []


def test_per_file_ignores(project, check):
    project.write("contractlint.toml", "[per-file-ignores]\n'probes/*' = ['CL1']\n")
    project.write("probes/a.py", "receive\nlose\n")
    project.write("app/probes_of.py", "receive\nlose\n")
    assert check().found == [("app/probes_of.py", 2, "CL101")]
