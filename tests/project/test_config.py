"""Settings come from the nearest contractlint.toml, or pyproject.toml with our table."""

from pathlib import Path

import pytest

from contractlint.project.config import ConfigError, load_config


def test_defaults_without_any_file(project):
    config = load_config(Path("."))
    assert config.root == project.root
    assert config.select == ()
    assert config.require_reason
    assert config.time_limit == 30


def test_table_in_pyproject(project):
    project.write(
        "pyproject.toml",
        """
        [tool.contractlint]
        select = ["CL1"]
        ignore = ["CL104"]
        extend-exclude = ["generated/"]
        source-roots = ["src"]
        rules = ["own/rule.toml"]
        require-reason = false

        [tool.contractlint.per-file-ignores]
        "tests/*" = ["ALL"]

        [tool.contractlint.events]
        ledger_check = ["shop.ledger.seen"]

        [tool.contractlint.handlers]
        "shop.metrics.*" = "at-most-once"

        [tool.contractlint.messages]
        roles = { identity = "meta.id" }
        """,
    )
    config = load_config(project.root / "deep" / "down")
    assert config.root == project.root
    assert config.select == ("CL1",)
    assert config.per_file_ignores == {"tests/*": ("ALL",)}
    assert config.events == {"ledger_check": ("shop.ledger.seen",)}
    assert config.handlers == {"shop.metrics.*": "at-most-once"}
    assert config.messages == {"roles": {"identity": "meta.id"}}
    assert config.rules == ("own/rule.toml",)
    assert config.source_roots == (str(project.root / "src"),)
    assert not config.require_reason


def test_contractlint_toml_wins_in_its_folder(project):
    project.write("pyproject.toml", "[tool.contractlint]\nselect = ['CL2']\n")
    project.write("contractlint.toml", "select = ['CL1']\n")
    assert load_config(project.root).select == ("CL1",)


def test_the_nearest_file_wins(project):
    project.write("contractlint.toml", "select = ['CL1']\n")
    project.write("service/contractlint.toml", "select = ['CL2']\n")
    config = load_config(project.root / "service" / "app.py")
    assert config.select == ("CL2",)
    assert config.root == project.root / "service"


def test_pyproject_without_our_table_is_passed_over(project):
    project.write("contractlint.toml", "select = ['CL1']\n")
    project.write("service/pyproject.toml", "[project]\nname = 'uses-contractlint'\n")
    assert load_config(project.root / "service").select == ("CL1",)


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("select = 'CL1'\n", 1, "select"),
        ("\nselekt = ['CL1']\n", 2, "selekt"),
        ("ignore = []\nselect = [1]\n", 2, "string"),
        ("[events]\n'Bad Event' = []\n", 2, "Bad Event"),
        ("[events]\n\npersist = 'a.b'\n", 3, "array"),
        ("[events]\npersist = ['shop.*.save']\n", 2, "shop.*.save"),
        ("[handlers]\n'a.b' = 'exactly-once'\n", 2, "at-most-once"),
        ("time-limit = 0\n", 1, "0"),
        ("select = [\n", 2, "not valid TOML"),
        ("select = []\nexclude = ['ok', '[z-a]']\n", 2, "not a valid gitignore pattern"),
        ("[per-file-ignores]\n'!' = ['ALL']\n", 2, "not a valid gitignore pattern"),
    ],
)
def test_mistakes_are_shown_in_their_place(project, text, line, words):
    project.write("contractlint.toml", text)
    with pytest.raises(ConfigError) as caught:
        load_config(project.root)
    [problem] = caught.value.problems
    assert (problem.path, problem.line) == ("contractlint.toml", line)
    assert words in problem.message


def test_mistake_in_pyproject_has_its_line(project):
    project.write("pyproject.toml", "[project]\nname = 'x'\n[tool.contractlint]\njobs = 4\n")
    with pytest.raises(ConfigError) as caught:
        load_config(project.root)
    [problem] = caught.value.problems
    assert (problem.path, problem.line) == ("pyproject.toml", 4)


def test_table_that_is_no_table(project):
    project.write("pyproject.toml", "[tool]\ncontractlint = 3\n")
    with pytest.raises(ConfigError, match="object"):
        load_config(project.root)
