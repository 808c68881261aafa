"""Earlier versions: files, folders, commits; levels."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from contractlint.cli.schemas import command
from tests.producer.conftest import Project, Schema

TEXT = {"type": "string"}
NUMBER = {"type": "integer"}
BREAKING = "breaking-change-without-version-bump"


@pytest.fixture
def repository(project: Project) -> Project:
    project.git("init", "-q", "-b", "main")
    return project


def test_a_branch_is_read_without_a_checkout(repository: Project, schema: Schema) -> None:
    repository.write("schemas/bed.json", schema(required=("ward",), ward=TEXT))
    repository.commit("one")
    repository.write("schemas/bed.json", schema(required=("ward",), ward=NUMBER))
    outcome = repository.run("schemas", "--against", "main")
    assert [(one["rule"], one["path"], one["line"]) for one in outcome.findings] == [
        (BREAKING, "schemas/bed.json", 18)
    ]
    assert outcome.findings[0]["scenario"][0]["path"] == "main:schemas/bed.json"


def test_references_of_the_old_version_lead_to_old_files(
    repository: Project, schema: Schema
) -> None:
    repository.write("parts/ward.json", TEXT)
    repository.write("bed.json", schema(required=("ward",), ward={"$ref": "parts/ward.json"}))
    repository.commit("one")
    repository.write("parts/ward.json", NUMBER)
    outcome = repository.run("bed.json", "--against", "HEAD")
    assert outcome.rules == [BREAKING]
    assert repository.run("bed.json", "--against", "bed.json").findings == []


def test_a_moved_file_is_known_by_its_id(repository: Project, schema: Schema) -> None:
    repository.write("old/bed.json", schema(ward=TEXT))
    repository.commit("one")
    repository.git("mv", "old", "new")
    repository.write("new/bed.json", schema(ward=NUMBER))
    assert repository.run("new", "--against", "main").rules == [BREAKING]


def test_a_new_schema_is_judged_by_itself(repository: Project, schema: Schema) -> None:
    repository.write("README.md", "nothing yet")
    repository.commit("one")
    repository.write("bed.json", {**schema(), "required": ["version"]})
    assert repository.run("bed.json", "--against", "main").rules == ["id-not-required"]


def test_a_project_below_the_root_of_the_repository(
    repository: Project, schema: Schema, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.write(
        "service/contractlint.toml", (repository.root / "contractlint.toml").read_text()
    )
    repository.write("service/bed.json", schema(ward=TEXT))
    repository.commit("one")
    repository.write("service/bed.json", schema(ward=NUMBER))
    monkeypatch.chdir(repository.root / "service")
    assert repository.run("bed.json", "--against", "main").rules == [BREAKING]


@pytest.mark.parametrize(
    "name", ["nowhere", "--upload-pack=touch x", "main:bed.json", "a b", "$(x)"]
)
def test_what_is_no_revision_is_refused(name: str, repository: Project, schema: Schema) -> None:
    repository.write("bed.json", schema())
    repository.commit("one")
    result = CliRunner().invoke(command, ["bed.json", f"--against={name}"])
    assert result.exit_code == 2
    assert name in result.output
    assert not (repository.root / "x").exists()


def test_outside_a_repository(project: Project, schema: Schema) -> None:
    project.write("bed.json", schema())
    result = CliRunner().invoke(command, ["bed.json", "--against", "main"])
    assert result.exit_code == 2
    assert "repository" in result.output


@pytest.fixture
def three_versions(project: Project, schema: Schema) -> Project:
    """The member came, went, and came back as a number: only the oldest version minds."""
    project.write("history/v1/bed.json", schema(ward=TEXT))
    project.write("history/v2/bed.json", schema())
    project.write("bed.json", schema(ward=NUMBER))
    return project


def test_the_latest_version_of_a_folder_counts(three_versions: Project) -> None:
    assert three_versions.run("bed.json", "--against", "history").findings == []


@pytest.mark.parametrize("level", ["backward", "forward", "full"])
def test_a_transitive_level_looks_at_all(level: str, three_versions: Project) -> None:
    outcome = three_versions.run("bed.json", "--against", "history", f"--level={level}-transitive")
    assert outcome.rules == [BREAKING]
    assert outcome.findings[0]["scenario"][0]["path"] == "history/v1/bed.json"


def test_transitive_over_commits(repository: Project, schema: Schema) -> None:
    for number, members in enumerate([{"ward": TEXT}, {}]):
        repository.write("bed.json", schema(**members))
        repository.commit(str(number))
    repository.write("bed.json", schema(ward=NUMBER))
    versions = ("--against", "HEAD~1", "--against", "HEAD")
    assert repository.run("bed.json", *versions).findings == []
    assert repository.run("bed.json", *versions, "--level=full-transitive").rules == [BREAKING]


def test_version_10_follows_version_9(project: Project, schema: Schema) -> None:
    project.write("history/v9.json", schema(ward=NUMBER))
    project.write("history/v10.json", schema(ward=TEXT))
    project.write("bed.json", schema(ward=TEXT))
    assert project.run("bed.json", "--against", "history").findings == []


def test_level_and_earlier_version_may_stand_in_the_settings(
    project: Project, schema: Schema
) -> None:
    settings = (project.root / "contractlint.toml").read_text()
    table = '[schemas]\nfiles = ["*.schema.json"]\nagainst = "old"\nlevel = "backward"\n'
    project.write("contractlint.toml", settings + table)
    project.write("old/bed.schema.json", schema(state={"enum": ["a"]}))
    project.write("bed.schema.json", schema(state={"enum": ["a", "b"]}))
    assert project.run().findings == []
    assert project.run("--level", "forward").rules == [BREAKING]


def test_of_several_files_only_the_akin_one_is_compared(project: Project, schema: Schema) -> None:
    project.write("old.json", schema(required=("ward",), ward=TEXT))
    project.write("bed.json", schema(required=("ward",), ward=NUMBER))
    project.write("meal.json", {**schema(), "$id": "meal.served"})
    outcome = project.run("bed.json", "meal.json", "--against", "old.json")
    assert [one["path"] for one in outcome.findings] == ["bed.json"]


def test_a_single_pair_is_compared_whatever_its_names(project: Project, schema: Schema) -> None:
    project.write("old.json", {**schema(ward=TEXT), "$id": "bed.assigned.v1"})
    project.write("new.json", {**schema(ward=NUMBER), "$id": "bed.assigned.v2"})
    assert project.run("new.json", "--against", "old.json").rules == [BREAKING]
