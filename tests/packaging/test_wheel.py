"""The wheel carries rules and schemas, and works in an environment of its own in another folder."""

import json
import os
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    target = tmp_path_factory.mktemp("dist")
    command = [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", target, ROOT]
    subprocess.run(command, check=True, capture_output=True)
    [built] = target.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def contractlint(wheel, tmp_path_factory):
    """The installed command. Dependencies are borrowed from the environment of the tests."""
    home = tmp_path_factory.mktemp("venv")
    venv.create(home, with_pip=True)
    scripts = home / ("Scripts" if os.name == "nt" else "bin")
    install = [scripts / "python", "-m", "pip", "install", "--quiet", "--no-deps", wheel]
    subprocess.run(install, check=True, capture_output=True)
    ask = "import sysconfig; print(sysconfig.get_path('purelib'))"
    packages = subprocess.check_output([scripts / "python", "-c", ask], text=True).strip()
    borrowed = [path for path in sys.path if path.endswith("site-packages")]
    Path(packages, "borrowed.pth").write_text("\n".join(borrowed) + "\n", encoding="utf-8")
    return scripts / "contractlint"


def run(contractlint, folder, *arguments):
    command = [contractlint, *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_rules_and_schemas_are_inside(wheel):
    names = set(zipfile.ZipFile(wheel).namelist())
    for folder in ("rules", "schemas"):
        here = {f"contractlint/_bundled/{path.relative_to(ROOT)}" for path in files(ROOT / folder)}
        assert here
        assert here <= names
    assert "contractlint/py.typed" in names
    assert not [name for name in names if name.startswith(("tests/", "docs/", "rules/"))]


def files(folder):
    return [path for path in folder.rglob("*") if path.suffix in {".toml", ".json"}]


def test_it_is_the_wheel_that_runs(contractlint, tmp_path):
    code = "import contractlint, contractlint.bundled as b; print(b.bundled('rules'))"
    python = contractlint.with_name("python")
    ran = subprocess.run([python, "-c", code], cwd=tmp_path, capture_output=True, text=True)
    assert "_bundled" in ran.stdout
    assert str(ROOT) not in ran.stdout


def test_commands_run_from_another_folder(contractlint, tmp_path):
    (tmp_path / "app.py").write_text("x = 1  # contractlint: ignore\n", encoding="utf-8")
    (tmp_path / "contractlint.toml").write_text("select = ['ALL']\n", encoding="utf-8")
    ran = run(contractlint, tmp_path, "check", "--output-format", "json")
    assert ran.returncode == 1, ran.stderr
    codes = [finding["code"] for finding in json.loads(ran.stdout)["findings"]]
    assert codes == ["CL901", "CL902"]
    assert run(contractlint, tmp_path, "explain", "CL101").returncode == 0
    assert run(contractlint, tmp_path, "--version").stdout.startswith("contractlint, version ")
