"""JUnit XML: another reader sees every finding as a failed test."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from .conftest import IN_A_MESSAGE, PROBLEM, finding

junitparser = pytest.importorskip("junitparser")


@pytest.fixture
def suite(written):
    def suite(*findings, problems=()):
        text = written("junit", *findings, problems=problems)
        (only,) = junitparser.JUnitXml.fromstring(text.encode())
        counted = only.tests, only.failures, only.errors
        root = ElementTree.fromstring(text.encode())
        assert counted == tuple(int(root.get(name)) for name in ("tests", "failures", "errors"))
        return only

    return suite


def test_a_finding_is_a_failed_test(suite):
    only = suite(finding())
    assert (only.tests, only.failures, only.errors) == (1, 1, 0)
    (case,) = only
    assert (case.classname, case.name) == ("app/b c.py", "CL101 at app/b c.py:9:5")
    (failure,) = case.result
    assert (failure.type, failure.message) == ("ack-before-persist", "acknowledged <too> early")
    assert "3. ✗ the process dies here" in failure.text
    assert "fix: Acknowledge last." in failure.text


def test_what_could_not_be_done_is_an_error(suite):
    only = suite(finding(), problems=[PROBLEM])
    assert (only.tests, only.failures, only.errors) == (2, 1, 1)
    *_, case = only
    (error,) = case.result
    assert error.message == "holds a NUL byte"


def test_without_findings_one_test_has_passed(suite):
    only = suite()
    assert (only.tests, only.failures, only.errors) == (1, 0, 0)
    (case,) = only
    assert case.is_passed


def test_characters_that_xml_does_not_know(suite):
    (case,) = suite(finding(**IN_A_MESSAGE))
    assert case.result[0].message == "the id \ufffd stands for other content \ufffd"
