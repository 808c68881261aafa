"""The accuracy benchmark: its file format, its matching, its counting and its command line."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from benchmarks.accuracy.cases import CaseFile, Expected, compare, read_cases, read_false_alarms
from benchmarks.accuracy.command import find_checkout, main
from benchmarks.accuracy.labels import (
    Handler,
    Label,
    LabelError,
    Place,
    Repository,
    parse_label,
    read_labels,
)
from benchmarks.accuracy.matching import Verdict, is_listed, judge, rule_on
from benchmarks.accuracy.rules import ALL_CODES, chosen_codes, codes_of, family_of
from benchmarks.accuracy.runner import Finding, ListedHandler, Run, parse_document, run_check
from benchmarks.accuracy.score import Result, disagreements, tally_codes, tally_rules, total

LABELS = Path(__file__).parents[2] / "benchmarks" / "accuracy" / "labels.toml"


def label(text: str, confidence: str = "high") -> Label:
    return parse_label(text, "a.py", confidence, "test")


def repository(
    faults: tuple[str, ...] = (),
    tempting: tuple[str, ...] = (),
    accepted: tuple[str, ...] = (),
    judged_true: tuple[str, ...] = (),
    judged_false: tuple[str, ...] = (),
    confidence: str = "high",
) -> Repository:
    def labels(texts: tuple[str, ...]) -> tuple[Label, ...]:
        return tuple(label(text, confidence) for text in texts)

    handler = Handler(
        place=Place("a.py", 10),
        name="Worker.run",
        library="pika",
        faults=labels(faults),
        tempting=labels(tempting),
        accepted=labels(accepted),
        note="why it is so",
    )
    return Repository("owner/name", "c0ffee", (handler,), labels(judged_true), labels(judged_false))


def finding(code: str, line: int, end_line: int = 0, path: str = "a.py", **more: Any) -> Finding:
    return Finding(code, path, line, end_line or line, f"{code} says so", **more)


def verdict(found: Finding, **labels: tuple[str, ...]) -> Verdict:
    return rule_on(found, repository(**labels)).verdict


def result(repo: Repository, *findings: Finding) -> Result:
    return Result(repo, Run(findings=findings), judge(repo, findings, (), ALL_CODES))


class TestRules:
    def test_a_family_has_several_codes_and_a_code_only_itself(self) -> None:
        assert codes_of("ack-before-persist") == ("CL101", "CL102", "CL103")
        assert codes_of("CL102") == ("CL102",)
        assert family_of("CL102") == "ack-before-persist"

    def test_an_unknown_rule_is_not_counted(self) -> None:
        assert codes_of("unchecked-schema-version") == ()
        assert family_of("unchecked-schema-version") == "unchecked-schema-version"

    def test_chosen_codes_keep_one_order(self) -> None:
        assert chosen_codes(["CL301", "CL101"]) == ("CL101", "CL301")
        assert chosen_codes([]) == ALL_CODES


class TestLabels:
    def test_a_line_is_in_the_handlers_file(self) -> None:
        assert label("CL101@12").places == (Place("a.py", 12),)

    def test_places_may_be_elsewhere_and_several(self) -> None:
        places = label("swallowed-failure@12 or lib/b.py:3 or 20").places
        assert places == (Place("a.py", 12), Place("lib/b.py", 3), Place("a.py", 20))

    def test_a_label_may_be_less_sure_than_its_row(self) -> None:
        assert label("CL101@lib/b.py:12 (low)") == Label("CL101", (Place("lib/b.py", 12),), "low")

    @pytest.mark.parametrize("text", ["CL101", "CL101@", "CL101@x", "@3", "CL101@3 or"])
    def test_a_label_that_is_none_is_an_error(self, text: str) -> None:
        with pytest.raises(LabelError, match="test: "):
            label(text)

    def test_a_file_is_read(self, tmp_path: Path) -> None:
        file = tmp_path / "labels.toml"
        file.write_text(
            """
            [[repository]]
            name = "owner/name"
            commit = "c0ffee"
            [[repository.handler]]
            path = "a.py"
            line = 10
            name = "run"
            library = "pika"
            confidence = "medium"
            faults = ["CL101@12"]
            tempting = ["CL301@14"]
            [[repository.judged]]
            finding = "CL104@b.py:3"
            verdict = "false"
            reason = "stored by the callee"
            """
        )
        (read,) = read_labels(file)
        assert read.handlers[0].place == Place("a.py", 10)
        assert read.faults == (label("CL101@12", "medium"),)
        assert read.tempting == (label("CL301@14", "medium"),)
        (judged,) = read.judged_false
        assert (judged.place, judged.reason) == (Place("b.py", 3), "stored by the callee")
        assert read_labels(tmp_path) == [read]

    @pytest.mark.parametrize(
        ("row", "complaint"),
        [
            ('finding = "CL104@b.py:3"\nverdict = "maybe"\nreason = "r"', "verdict is"),
            ('finding = "CL104@b.py:3"\nverdict = "true"\nreason = ""', "reason is missing"),
            ('finding = "CL104@3"\nverdict = "true"\nreason = "r"', "needs a path"),
        ],
    )
    def test_a_judgement_needs_a_verdict_a_reason_and_a_path(
        self, tmp_path: Path, row: str, complaint: str
    ) -> None:
        file = tmp_path / "labels.toml"
        head = '[[repository]]\nname = "o/n"\ncommit = "c"\n[[repository.judged]]\n'
        file.write_text(head + row)
        with pytest.raises(LabelError, match=complaint):
            read_labels(file)

    def test_broken_toml_is_an_error_with_its_path(self, tmp_path: Path) -> None:
        file = tmp_path / "labels.toml"
        file.write_text("[[repository")
        with pytest.raises(LabelError, match=r"labels\.toml"):
            read_labels(file)

    def test_a_fault_that_two_handlers_share_counts_once_with_the_better_confidence(self) -> None:
        first = repository(faults=("CL201@lib/b.py:7",), confidence="medium")
        second = repository(faults=("CL201@lib/b.py:7",), confidence="high")
        both = Repository("owner/name", "c0ffee", first.handlers + second.handlers)
        assert both.faults == (label("CL201@lib/b.py:7", "high"),)

    def test_our_own_labels_are_sound(self) -> None:
        repositories = read_labels(LABELS)
        assert len({one.name for one in repositories}) == len(repositories)
        for one in repositories:
            faults = {(fault.family, place) for fault in one.faults for place in fault.places}
            tempting = {(tempt.family, place) for tempt in one.tempting for place in tempt.places}
            assert one.handlers
            assert not faults & tempting, one.name


class TestVerdicts:
    @pytest.mark.parametrize("line", [11, 12, 13])
    def test_a_finding_meets_a_label_within_a_line(self, line: int) -> None:
        found = finding("CL101", line)
        assert verdict(found, faults=("ack-before-persist@12",)) is Verdict.LABELLED

    def test_two_lines_away_is_another_place(self) -> None:
        assert verdict(finding("CL101", 10), faults=("CL101@12",)) is Verdict.UNJUDGED

    def test_a_label_inside_a_long_statement_is_met(self) -> None:
        assert verdict(finding("CL101", 8, 20), faults=("CL101@12",)) is Verdict.LABELLED

    def test_a_step_of_the_scenario_meets_a_label_in_another_file(self) -> None:
        found = finding("CL201", 3, path="b.py", steps=frozenset({("a.py", 12)}))
        assert verdict(found, faults=("CL201@12",)) is Verdict.LABELLED

    def test_the_same_line_of_another_file_is_another_place(self) -> None:
        assert verdict(finding("CL101", 12, path="b.py"), faults=("CL101@12",)) is Verdict.UNJUDGED

    def test_each_of_several_places_is_right(self) -> None:
        assert verdict(finding("CL101", 30), faults=("CL101@12 or 30",)) is Verdict.LABELLED

    def test_any_code_of_the_family_is_right_but_no_other_rule(self) -> None:
        faults = ("ack-before-persist@12",)
        assert verdict(finding("CL103", 12), faults=faults) is Verdict.LABELLED
        assert verdict(finding("CL104", 12), faults=faults) is Verdict.UNJUDGED

    def test_a_label_by_code_wants_that_code(self) -> None:
        assert verdict(finding("CL102", 12), faults=("CL101@12",)) is Verdict.UNJUDGED

    def test_a_tempting_place_is_wrong(self) -> None:
        assert verdict(finding("CL301", 12), tempting=("CL301@12",)) is Verdict.TEMPTING

    def test_an_accepted_place_is_neither(self) -> None:
        assert verdict(finding("CL301", 12), accepted=("CL301@12",)) is Verdict.ACCEPTED

    def test_the_closer_label_decides(self) -> None:
        found = finding("CL101", 12)
        assert verdict(found, faults=("CL101@13",), tempting=("CL101@12",)) is Verdict.TEMPTING
        assert verdict(found, faults=("CL101@12",), tempting=("CL101@13",)) is Verdict.LABELLED

    def test_of_labels_as_close_the_fault_decides(self) -> None:
        found = finding("CL101", 12, 14)
        assert verdict(found, faults=("CL101@14",), tempting=("CL101@12",)) is Verdict.LABELLED

    def test_a_judgement_outweighs_a_scenario_that_passes_by_a_label(self) -> None:
        found = finding("CL104", 40, steps=frozenset({("a.py", 12)}))
        books = {"tempting": ("CL104@12",), "judged_true": ("CL104@40",)}
        assert verdict(found, **books) is Verdict.JUDGED_TRUE

    def test_a_judgement_names_the_finding_itself(self) -> None:
        judged = ("CL104@40",)
        assert verdict(finding("CL104", 40), judged_false=judged) is Verdict.JUDGED_FALSE
        assert verdict(finding("CL104", 41), judged_false=judged) is Verdict.UNJUDGED


class TestJudge:
    def test_found_and_missed_faults(self) -> None:
        repo = repository(faults=("CL101@12", "CL301@20"))
        judgement = judge(repo, [finding("CL101", 12)], (), ALL_CODES)
        assert [one.rule for one in judgement.found] == ["CL101"]
        assert [one.rule for one in judgement.missed] == ["CL301"]

    def test_a_wrong_finding_finds_nothing(self) -> None:
        repo = repository(faults=("CL101@30",), tempting=("CL101@12",))
        wrong = finding("CL101", 12, steps=frozenset({("a.py", 30)}))
        assert not judge(repo, [wrong], (), ALL_CODES).found

    def test_faults_of_rules_not_chosen_are_left_out(self) -> None:
        repo = repository(faults=("CL101@12", "CL301@20", "commit-then-publish@22"))
        judgement = judge(repo, [finding("CL101", 12)], (), ["CL301"])
        assert judgement.rulings == ()
        assert [one.rule for one in judgement.missed] == ["CL301"]

    @pytest.mark.parametrize(
        "listed",
        [
            ListedHandler("a.py", 13, 13, "other"),
            ListedHandler("a.py", 2, 30, "other"),
            ListedHandler("a.py", 90, 99, "Other.run"),
        ],
        ids=["near", "span", "name"],
    )
    def test_a_handler_is_discovered(self, listed: ListedHandler) -> None:
        assert is_listed(repository().handlers[0], [listed])

    @pytest.mark.parametrize(
        "listed",
        [ListedHandler("b.py", 10, 20, "Worker.run"), ListedHandler("a.py", 14, 20, "other")],
        ids=["other file", "other place and name"],
    )
    def test_a_handler_is_not_discovered(self, listed: ListedHandler) -> None:
        assert not is_listed(repository().handlers[0], [listed])

    def test_a_loop_in_a_module_has_no_name_to_compare(self) -> None:
        loop = Handler(Place("a.py", 15), "<module> for loop", "kafka-python")
        assert not is_listed(loop, [ListedHandler("a.py", 90, 99, "<module>")])
        assert is_listed(loop, [ListedHandler("a.py", 1, 99, "<module>")])


class TestTally:
    def test_several_findings_on_one_fault_are_one_true_finding(self) -> None:
        repo = repository(faults=("ack-before-persist@12",))
        one = result(repo, finding("CL101", 12), finding("CL102", 13))
        tally = tally_rules([one], ALL_CODES)["ack-before-persist"]
        assert (tally.labelled, tally.found, tally.true, tally.recall) == (1, 1, 1, 1.0)

    def test_false_findings_count_each_and_unjudged_in_no_share(self) -> None:
        repo = repository(faults=("CL301@12",), tempting=("CL301@20",))
        lines = (12, 20, 21, 50)
        one = result(repo, *(finding("CL301", line) for line in lines))
        tally = tally_rules([one], ALL_CODES)["unconditional-requeue"]
        assert (tally.true, tally.false, tally.unjudged) == (1, 2, 1)
        assert tally.precision == pytest.approx(1 / 3)

    def test_judged_findings_enter_precision_and_not_recall(self) -> None:
        repo = repository(faults=("CL104@12",), judged_true=("CL104@40",))
        tally = tally_rules([result(repo, finding("CL104", 40))], ALL_CODES)["swallowed-failure"]
        assert (tally.true, tally.precision, tally.recall) == (1, 1.0, 0.0)

    def test_accepted_findings_enter_nothing(self) -> None:
        repo = repository(accepted=("CL104@12",))
        tally = tally_rules([result(repo, finding("CL104", 12))], ALL_CODES)["swallowed-failure"]
        assert (tally.accepted, tally.precision, tally.recall) == (1, None, None)

    def test_high_confidence_leaves_the_others_out(self) -> None:
        repo = repository(faults=("CL301@12 (high)", "CL301@20"), confidence="medium")
        one = result(repo, finding("CL301", 20))
        high = tally_rules([one], ALL_CODES, "high")["unconditional-requeue"]
        assert (high.labelled, high.found) == (1, 0)

    def test_codes_and_sum(self) -> None:
        repo = repository(faults=("ack-before-persist@12",), tempting=("ack-before-persist@20",))
        one = result(repo, finding("CL101", 12), finding("CL102", 20))
        codes = tally_codes([one], ALL_CODES)
        assert (codes["CL101"].true, codes["CL102"].false, codes["CL103"].true) == (1, 1, 0)
        everything = total(tally_rules([one], ALL_CODES).values())
        assert (everything.true, everything.false, everything.labelled) == (1, 1, 1)

    def test_disagreements_are_lines_to_read(self) -> None:
        repo = repository(faults=("CL101@12",), tempting=("CL301@20",))
        one = result(repo, finding("CL301", 20), finding("CL104", 50))
        assert [str(line) for line in disagreements([one])] == [
            "owner/name a.py:12 CL101 MISSED (high, pika, Worker.run) why it is so",
            "owner/name a.py:20 CL301 FALSE CL301 says so [tempting: CL301@a.py:20]",
            "owner/name a.py:50 CL104 UNJUDGED CL104 says so",
        ]


class TestCases:
    BAD = CaseFile(
        "x/bad.py", (Expected("ack-before-persist", (11, 14)),), frozenset({"swallowed-failure"})
    )

    def test_an_expected_finding_at_another_line_that_is_right_too(self) -> None:
        (compared,) = compare([self.BAD], [finding("CL102", 14, path="x/bad.py")], ALL_CODES)
        assert compared.found
        assert not compared.missed
        assert not compared.false

    def test_a_finding_elsewhere_is_false_and_the_expected_one_missed(self) -> None:
        (compared,) = compare([self.BAD], [finding("CL101", 12, path="x/bad.py")], ALL_CODES)
        assert compared.missed
        assert compared.false

    def test_a_rule_not_judged_is_not_counted(self) -> None:
        (compared,) = compare([self.BAD], [finding("CL104", 30, path="x/bad.py")], ALL_CODES)
        assert not compared.false

    def test_folders_are_read(self, tmp_path: Path) -> None:
        case = tmp_path / "cases" / "x"
        case.mkdir(parents=True)
        case.joinpath("case.toml").write_text(
            'expect = [{ rule = "ack-before-persist", line = 11, alt_lines = [14] }]\n'
            'not_judged = ["swallowed-failure"]\n'
        )
        tmp_path.joinpath("index.toml").write_text('[[case]]\nfile = "F01.py"\n')
        bad, good = read_cases(tmp_path / "cases")
        assert bad == self.BAD
        assert (good.path, good.expected) == ("x/good.py", ())
        assert read_false_alarms(tmp_path) == [CaseFile("F01.py")]


DOCUMENT = {
    "version": "0",
    "findings": [
        {
            "code": "CL101",
            "path": "./a.py",
            "line": 12,
            "end_line": 13,
            "message": "acked too early",
            "scenario": [{"path": "a.py", "line": 10, "event": "receive", "text": "receive"}],
        }
    ],
    "handlers": [{"path": "a.py", "line": 10, "name": "Worker.run", "library": "pika"}],
    "errors": [{"path": "old.py", "line": 1, "message": "no Python 3"}],
    "summary": {"files": 2, "handlers": 1, "findings": 1, "errors": 1},
}

LABELS_TOML = """
[[repository]]
name = "owner/name"
commit = "c0ffee"

[[repository.handler]]
path = "a.py"
line = 10
name = "Worker.run"
library = "pika"
confidence = "high"
faults = ["ack-before-persist@12"]
tempting = ["swallowed-failure@30"]
"""


@pytest.fixture
def linter(tmp_path: Path) -> str:
    """A stand-in for contractlint that says what `document.json` of the checked folder says."""
    script = tmp_path / "linter.py"
    script.write_text("print(open('document.json').read())\nraise SystemExit(1)\n")
    return f"{sys.executable} {script}"


@pytest.fixture
def checkouts(tmp_path: Path) -> Path:
    folder = tmp_path / "checkouts" / "owner+name"
    folder.mkdir(parents=True)
    folder.joinpath("document.json").write_text(json.dumps(DOCUMENT))
    tmp_path.joinpath("labels.toml").write_text(LABELS_TOML)
    return folder.parent


class TestRunner:
    def test_a_document_is_read(self) -> None:
        run = parse_document(DOCUMENT)
        step = frozenset({("a.py", 10)})
        assert run.findings == (Finding("CL101", "a.py", 12, 13, "acked too early", step),)
        assert run.handlers == (ListedHandler("a.py", 10, 10, "Worker.run"),)
        assert (run.files, run.errors) == (2, ("old.py:1 no Python 3",))

    def test_a_run_has_time_and_memory(self, checkouts: Path, linter: str) -> None:
        run = run_check(checkouts / "owner+name", ALL_CODES, linter.split())
        assert not run.failure
        assert run.seconds > 0
        assert run.peak_mib is None or run.peak_mib > 1

    def test_a_run_without_a_document_fails_with_its_last_words(self, tmp_path: Path) -> None:
        command = [sys.executable, "-c", "raise SystemExit('out of luck')"]
        run = run_check(tmp_path, ALL_CODES, command)
        assert "exit code 1" in run.failure
        assert "out of luck" in run.failure

    def test_a_run_that_checks_no_file_is_a_failure(self, tmp_path: Path, linter: str) -> None:
        document = DOCUMENT | {"summary": {"files": 0}}
        tmp_path.joinpath("document.json").write_text(json.dumps(document))
        run = run_check(tmp_path, ALL_CODES, linter.split())
        assert run.failure == "no file was checked; old.py:1 no Python 3"

    def test_a_run_that_takes_too_long_is_ended(self, tmp_path: Path) -> None:
        command = [sys.executable, "-c", "import time; time.sleep(60)"]
        assert run_check(tmp_path, ALL_CODES, command, timeout=0.2).failure


class TestCommand:
    def run(self, checkouts: Path, linter: str, *more: str) -> Any:
        labels = checkouts.parent / "labels.toml"
        return CliRunner().invoke(
            main, [str(checkouts), str(labels), "--command", linter, *more], catch_exceptions=False
        )

    def test_text(self, checkouts: Path, linter: str) -> None:
        outcome = self.run(checkouts, linter)
        assert outcome.exit_code == 0
        assert "handlers discovered: 1 of 1 (100.0%)" in outcome.output
        assert "owner/name" in outcome.output

    def test_json(self, checkouts: Path, linter: str) -> None:
        output = self.run(checkouts, linter, "--json").output
        data = json.loads(output[output.index("{") :])  # progress comes first, on standard error
        assert data["rules"]["ack-before-persist"]["found"] == 1
        assert data["handlers"] == {"labelled": 1, "discovered": 1}
        assert data["repositories"][0]["errors"] == ["old.py:1 no Python 3"]

    def test_markdown(self, checkouts: Path, linter: str) -> None:
        assert "| rule | labelled |" in self.run(checkouts, linter, "--markdown").output

    def test_stubs_name_what_is_unjudged(self, checkouts: Path, linter: str) -> None:
        labels = checkouts.parent / "labels.toml"
        labels.write_text(LABELS_TOML.replace('["ack-before-persist@12"]', "[]"))
        assert 'finding = "CL101@a.py:12"' in self.run(checkouts, linter, "--stubs").output

    def test_documents_are_kept(self, checkouts: Path, linter: str, tmp_path: Path) -> None:
        self.run(checkouts, linter, "--keep", str(tmp_path))
        assert json.loads((tmp_path / "owner+name.json").read_text()) == DOCUMENT

    def test_a_missing_checkout_is_a_failure_and_no_miss(self, tmp_path: Path, linter: str) -> None:
        tmp_path.joinpath("labels.toml").write_text(LABELS_TOML)
        empty = tmp_path / "empty"
        empty.mkdir()
        outcome = self.run(empty, linter)
        assert outcome.exit_code == 2
        assert "owner/name: no checkout" in outcome.output
        assert "MISSED" not in outcome.output

    def test_cases_and_false_alarms(self, tmp_path: Path, linter: str) -> None:
        cases, alarms = tmp_path / "cases", tmp_path / "alarms"
        cases.joinpath("x").mkdir(parents=True)
        alarms.mkdir()
        document = DOCUMENT | {"findings": [{**DOCUMENT["findings"][0], "path": "x/bad.py"}]}
        cases.joinpath("document.json").write_text(json.dumps(document))
        cases.joinpath("x", "case.toml").write_text('expect = [{ rule = "CL101", line = 12 }]')
        alarms.joinpath("document.json").write_text(json.dumps(DOCUMENT))
        alarms.joinpath("index.toml").write_text('[[case]]\nfile = "a.py"\n')
        arguments = ["--cases", str(cases), "--false-alarms", str(alarms), "--command", linter]
        outcome = CliRunner().invoke(main, arguments, catch_exceptions=False)
        assert outcome.output.splitlines() == [
            "x/bad.py:12 CL101 found",
            "a.py:12 CL101 FALSE acked too early",
            "3 files: 1 found, 0 missed, 1 false",
        ]

    @pytest.mark.parametrize(
        "arguments",
        [[], ["."], ["--rule", "CL999", ".", str(LABELS)]],
        ids=["nothing", "no labels", "no such rule"],
    )
    def test_wrong_usage(self, arguments: list[str]) -> None:
        assert CliRunner().invoke(main, arguments).exit_code == 2

    def test_checkouts_go_by_three_names(self, tmp_path: Path) -> None:
        for name in ("owner+one", "owner/two", "three"):
            tmp_path.joinpath(name).mkdir(parents=True)
        for name, folder in (
            ("owner/one", "owner+one"),
            ("owner/two", "owner/two"),
            ("o/three", "three"),
        ):
            assert find_checkout(tmp_path, name) == tmp_path / folder
        assert find_checkout(tmp_path, "owner/four") is None
