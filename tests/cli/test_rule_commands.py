"""`contractlint rules` and `contractlint explain`."""

import json

OWN = """\
code = "SHOP001"
name = "own-rule"
severity = "warning"
summary = "something of ours"
default = false
pattern = "!ack"
why = "because"
fix = "do not"
"""


def test_table(project, run):
    lines = run("rules").out.splitlines()
    assert any(line.split()[:3] == ["CL101", "ack-before-persist", "error"] for line in lines)
    assert lines == sorted(lines)


def test_json(project, run):
    rules = json.loads(run("rules", "--output-format", "json").out)
    by_code = {rule["code"]: rule for rule in rules}
    assert by_code["CL101"]["name"] == "ack-before-persist"
    assert by_code["CL902"]["default"] is False
    assert all(rule["why"] and rule["fix"] for rule in rules)


def test_explain_by_code_or_name(project, run):
    page = run("explain", "CL101")
    assert page.exit_code == 0
    assert page.out.startswith("# CL101 ack-before-persist\n")
    assert run("explain", "ack-before-persist") == page


def test_checks_of_other_commands_are_listed(project, run):
    by_code = {row["code"]: row for row in json.loads(run("rules", "--output-format", "json").out)}
    assert by_code["CL101"]["command"] == "check"
    assert by_code["CM002"]["command"] == "messages"
    assert by_code["CS301"]["command"] == "schemas"


def test_a_check_is_explained_under_the_same_headings(project, run):
    page = run("explain", "CM002").out
    assert page.startswith("# CM002 missing-message-id\n\nThe message has no identity. Severity: ")
    assert "Found by `contractlint messages`." in page
    assert [line for line in page.splitlines() if line.startswith("## ")] == [
        "## Why is this bad?",
        "## How to mend it",
    ]


def test_a_name_that_two_commands_share_is_explained_twice(project, run):
    page = run("explain", "sequence-without-key").out
    assert "# CM009 sequence-without-key" in page
    assert "# CS210 sequence-without-key" in page


def test_explain_unknown(project, run):
    ran = run("explain", "CL000")
    assert ran.exit_code == 2
    assert "'CL000' is no rule" in ran.err


def test_own_rules_are_listed_and_explained(project, run):
    project.write("contractlint.toml", "rules = ['own.toml']\n")
    project.write("own.toml", OWN)
    assert "own-rule" in run("rules").out
    assert "Something of ours. Severity: warning, off" in run("explain", "SHOP001").out


def test_a_rule_in_preview_says_so(project, run):
    project.write("contractlint.toml", "rules = ['own.toml']\n")
    project.write("own.toml", OWN.replace("default = false", "preview = true"))
    assert "something of ours (in preview)" in run("rules").out
    [row] = [
        row
        for row in json.loads(run("rules", "--output-format", "json").out)
        if row["code"] == "SHOP001"
    ]
    assert (row["default"], row["preview"]) == (False, True)
    page = run("explain", "SHOP001").out
    assert "Severity: warning, in preview." in page
    assert "runs with `--select SHOP001`, or `--preview`." in page


def test_broken_own_rules(project, run):
    project.write("contractlint.toml", "rules = ['own.toml']\n")
    project.write("own.toml", OWN.replace("why", "wy"))
    ran = run("rules")
    assert ran.exit_code == 2
    assert "own.toml:7: no key 'wy'; did you mean 'why'?" in ran.err
