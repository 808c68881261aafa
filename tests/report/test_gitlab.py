"""GitLab's code quality: the members that its documentation asks for, and no equal fingerprints."""

from __future__ import annotations

import json

from .conftest import IN_A_MESSAGE, PROBLEM, finding


def test_an_entry(written):
    assert json.loads(written("gitlab", finding())) == [
        {
            "description": "CL101 acknowledged <too> early",
            "check_name": "ack-before-persist",
            "fingerprint": "a" * 32,
            "severity": "major",
            "location": {"path": "app/b c.py", "lines": {"begin": 9}},
        }
    ]


def test_severities(written):
    found = [finding(severity=severity) for severity in ("error", "warning", "info")]
    entries = json.loads(written("gitlab", *found, problems=[PROBLEM]))
    assert [one["severity"] for one in entries] == ["major", "minor", "info", "blocker"]
    assert entries[-1]["location"]["lines"] == {"begin": 1}
    assert len({one["fingerprint"] for one in entries}) == 4


def test_nothing_and_the_unprintable(written):
    assert json.loads(written("gitlab")) == []
    (entry,) = json.loads(written("gitlab", finding(**IN_A_MESSAGE)))
    assert entry["description"] == "CM101 the id \x00 stands for other content \ud800"
