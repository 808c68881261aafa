"""Which files are checked: named files always, folders without what is ignored or excluded."""

import os

import pytest

from contractlint.project.config import Config
from contractlint.project.files import select_files


@pytest.fixture
def select(project):
    def select(*paths, **settings):
        config = Config(root=project.root, **settings)
        return list(select_files(paths or ["."], config).files)

    return select


def test_python_files_below_a_folder_in_order(project, select):
    for path in ("b.py", "a/z.py", "a/y.py", "readme.md", "a/types.pyi"):
        project.write(path)
    assert select() == ["a/y.py", "a/z.py", "b.py"]


def test_paths_are_printed_relative_to_the_current_folder(project, select, monkeypatch):
    project.write("app/a.py")
    project.write("lib/b.py")
    monkeypatch.chdir(project.root / "app")
    assert select("..") == ["../app/a.py", "../lib/b.py"]
    assert select(str(project.root / "app")) == ["a.py"]


def test_each_file_once(project, select):
    project.write("app/a.py")
    assert select(".", "app", "app/a.py", "./app/../app/a.py") == ["app/a.py"]


@pytest.mark.parametrize(
    "name",
    [".git", ".venv", "node_modules", "__pycache__", "build", "tests", "e2e_test", "testing"],
)
def test_default_excludes(project, select, name):
    project.write(f"{name}/a.py")
    project.write(f"src/{name}/a.py")
    assert select() == []
    assert select(f"src/{name}") == [f"src/{name}/a.py"]


def test_tests_are_left_out_by_their_file_names(project, select):
    for name in ("test_a.py", "b_test.py", "tests.py", "conftest.py", "contest.py", "latest.py"):
        project.write(name)
    assert select() == ["contest.py", "latest.py"]
    assert select("test_a.py") == ["test_a.py"]


def test_named_files_are_checked_whatever_their_name_or_place(project, select):
    project.write("build/a.py")
    project.write("script")
    project.write(".gitignore", "script\n")
    assert select("build/a.py", "script") == ["build/a.py", "script"]


def test_gitignore_of_every_level(project, select):
    project.write(".gitignore", "*_pb2.py\n/local/\n")
    project.write("app/.gitignore", "secret.py\n!keep_pb2.py\n")
    for path in (
        "x_pb2.py",
        "local/a.py",
        "app/local/a.py",
        "app/secret.py",
        "app/keep_pb2.py",
        "app/deep/secret.py",
        "secret.py",
    ):
        project.write(path)
    assert select() == ["app/keep_pb2.py", "app/local/a.py", "secret.py"]


def test_ignore_files_above_the_named_folder_count(project, select):
    project.write(".gitignore", "app/generated/\n")
    project.write("app/generated/a.py")
    project.write("app/b.py")
    assert select("app") == ["app/b.py"]
    assert select("app/generated") == ["app/generated/a.py"]


def test_info_exclude(project, select):
    project.write(".git/info/exclude", "scratch.py\n")
    project.write("scratch.py")
    project.write("deep/scratch.py")
    assert select() == []
    assert select("deep") == []


def test_broken_ignore_lines_do_no_harm(project, select):
    project.write(".gitignore", b"!\n[z-a]\n\xff\xfe\na.py\n")
    project.write("a.py")
    project.write("b.py")
    assert select() == ["b.py"]


def test_respect_gitignore_can_be_turned_off(project, select):
    project.write(".gitignore", "a.py\n")
    project.write("a.py")
    assert select(respect_gitignore=False) == ["a.py"]


def test_exclude_replaces_and_extend_exclude_adds(project, select):
    for path in ("build/a.py", "gen/b.py", "gen/deep/c.py", "app/d.py"):
        project.write(path)
    assert select(exclude=("gen/",)) == ["app/d.py", "build/a.py"]
    assert select(extend_exclude=("/gen/deep",)) == ["app/d.py", "gen/b.py"]


def test_exclude_is_relative_to_the_settings(project, select, monkeypatch):
    project.write("app/gen/a.py")
    project.write("app/b.py")
    monkeypatch.chdir(project.root / "app")
    assert select(extend_exclude=("/app/gen",)) == ["b.py"]


def test_a_folder_named_like_a_file_is_a_folder(project, select):
    project.write("x.py/inner.py")
    assert select() == ["x.py/inner.py"]
    assert select("x.py") == ["x.py/inner.py"]


def test_loops_of_links_end(project, select):
    project.write("app/a.py")
    (project.root / "app" / "again").symlink_to(project.root / "app")
    (project.root / "app" / "up.py").symlink_to(project.root)
    assert select() == ["app/a.py"]


def test_links_to_files_are_files(project, select):
    project.write("app/a.py")
    (project.root / "link.py").symlink_to(project.root / "app" / "a.py")
    assert select() == ["app/a.py", "link.py"]


def test_missing_paths_are_problems(project):
    [problem] = select_files(["none"], Config(root=project.root)).problems
    assert (problem.path, problem.message) == ("none", "no such file or folder")


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_unreadable_folders_are_problems(project):
    project.write("closed/a.py").parent.chmod(0)
    [problem] = select_files(["."], Config(root=project.root)).problems
    assert problem.path == "closed"
