"""GitHub reads findings as workflow commands; what would end a command early is escaped."""

from contractlint.findings import Finding, Problem, Reported
from contractlint.project.run import Report
from contractlint.report.formats import render
from contractlint.report.writer import View


def finding(**changes):
    values = {
        "code": "CL101",
        "rule": "ack-before-persist",
        "severity": "error",
        "confidence": "high",
        "path": "a.py",
        "line": 3,
        "column": 5,
        "end_line": 4,
        "end_column": 6,
        "handler": "h",
        "message": "too early",
        "fix": "ack last",
    }
    return Reported(Finding(**{**values, **changes}), "f" * 32)


def lines(*found, problems=()):
    return render(Report(found, problems), "github", View()).splitlines()


def test_finding():
    assert lines(finding()) == [
        "::error file=a.py,line=3,col=5,endLine=4,endColumn=6,"
        "title=CL101 ack-before-persist::too early%0Aack last"
    ]


def test_levels():
    found = [finding(severity=severity) for severity in ("error", "warning", "info")]
    assert [line.split(" ")[0] for line in lines(*found)] == ["::error", "::warning", "::notice"]


def test_escapes():
    [line] = lines(finding(path="a,b:c.py", message="50%\nlost", fix=""))
    assert line.startswith("::error file=a%2Cb%3Ac.py,")
    assert line.endswith("::50%25%0Alost")


def test_errors_come_too():
    assert lines(problems=(Problem("a.py", 0, "cannot be read"),)) == [
        "::error file=a.py,line=1,title=contractlint::cannot be read"
    ]
