"""The report as JUnit XML, which most services for continuous integration can show.

The elements are written by hand as the findings come: a library would hold them all in memory, and
there are three of them.
"""

from __future__ import annotations

import re
import shutil
from functools import cached_property
from typing import IO
from xml.sax.saxutils import escape, quoteattr

from contractlint.findings import Problem, Reported, Summary
from contractlint.report.text import told
from contractlint.report.writer import Writer, spool

_NO_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


class FormatWriter(Writer):
    """One suite: a failed test for each finding, an error for what could not be done.

    Where there is neither, one test has passed, for an empty suite is often taken for a mistake.
    """

    _failures = 0

    @cached_property
    def _cases(self) -> IO[str]:
        """Where the tests wait for their number, which stands before them."""
        return spool()

    def _finding(self, reported: Reported) -> None:
        finding = reported.finding
        where = f"{finding.path}:{finding.line}:{finding.column}"
        failure = {"type": finding.rule, "message": finding.message}
        body = _element("failure", failure, "\n".join(told(finding)))
        self._case(f"{finding.code} at {where}", finding.path, finding.line, body)
        self._failures += 1

    def close(self, summary: Summary) -> None:
        for problem in self._problems:
            self._problem(problem)
        errors = len(self._problems)
        tests = self._failures + errors
        if not tests:
            self._cases.write('<testcase classname="contractlint" name="no findings" />\n')
        counts = f'tests="{max(tests, 1)}" failures="{self._failures}" errors="{errors}"'
        self._out.write('<?xml version="1.0" encoding="utf-8"?>\n')
        self._out.write(f'<testsuites {counts}>\n<testsuite name="contractlint" {counts}>\n')
        with self._cases as cases:
            cases.seek(0)
            shutil.copyfileobj(cases, self._out)
        self._out.write("</testsuite>\n</testsuites>\n")

    def _problem(self, problem: Problem) -> None:
        body = _element("error", {"type": "contractlint", "message": problem.message}, "")
        self._case(f"{problem.path}:{problem.line}", problem.path, problem.line, body)

    def _case(self, name: str, path: str, number: int, body: str) -> None:
        about = {"classname": path, "name": name, "file": path, "line": str(number)}
        self._cases.write(_element("testcase", about, f"\n{body}", is_text=False))


def _element(tag: str, attributes: dict[str, str], content: str, *, is_text: bool = True) -> str:
    listed = "".join(f" {name}={quoteattr(_clean(text))}" for name, text in attributes.items())
    return f"<{tag}{listed}>{escape(_clean(content)) if is_text else content}</{tag}>\n"


def _clean(text: str) -> str:
    """Return `text` without the characters that XML cannot hold."""
    return _NO_XML.sub("\ufffd", text)
