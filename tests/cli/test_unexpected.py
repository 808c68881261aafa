"""An error that nobody foresaw is told in one line, and is not mistaken for findings."""

import pytest

from contractlint.cli import check


@pytest.fixture
def broken(project, monkeypatch):
    def breaks(*_):
        raise ZeroDivisionError("by zero")

    monkeypatch.setattr(check, "check_paths", breaks)


@pytest.mark.usefixtures("broken")
def test_it_is_told_in_a_line(run, monkeypatch):
    monkeypatch.delenv("CONTRACTLINT_DEBUG", raising=False)
    ran = run("check")
    assert ran.exit_code == 2
    assert ran.out == ""
    [line] = ran.err.splitlines()
    assert "test_unexpected.py:11 (ZeroDivisionError: by zero)" in line


@pytest.mark.usefixtures("broken")
def test_the_traceback_is_shown_on_demand(run, monkeypatch):
    monkeypatch.setenv("CONTRACTLINT_DEBUG", "1")
    ran = run("check")
    assert ran.exit_code == 2
    assert ran.err.startswith("Traceback")
