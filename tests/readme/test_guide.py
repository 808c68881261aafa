"""The guide's code is what its text says: each step mends a fault, the last one leaves none."""

import json
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
GUIDE = (ROOT / "docs" / "guide.md").read_text(encoding="utf-8")
STEPS = ROOT / "examples" / "steps"
MENDED = dict(re.findall(r"^## Step (\d):.*\n\n\*Mends (CL\d+)\.\*", GUIDE, re.MULTILINE))


@pytest.fixture
def codes(check, monkeypatch):
    """Return the codes found in the handler after a step."""
    monkeypatch.chdir(ROOT)

    def codes(step: int) -> set[str]:
        ran = check("--no-cache", str(STEPS / f"step_{step}.py"))
        assert ran.errors == []
        return {code for _, _, code in ran.found}

    return codes


def test_the_guide_mends_something_in_most_steps():
    assert sorted(MENDED) == ["1", "2", "3", "4"]


@pytest.mark.parametrize("step", sorted(MENDED))
def test_a_step_mends_what_it_names(codes, step):
    assert MENDED[step] in codes(int(step) - 1)
    assert MENDED[step] not in codes(int(step))


def test_nothing_is_left_at_the_end(codes):
    assert codes(6) == set()


def test_no_row_of_the_crash_table_harms(run, monkeypatch):
    monkeypatch.chdir(ROOT)
    ran = run("handlers", "--crash", "--format", "json", "examples/steps/step_6.py")
    [handler] = json.loads(ran.out)["handlers"]
    assert {row["outcome"] for row in handler["crash"]} == {"safe", "suppressed", "done"}


def test_every_piece_of_code_stands_in_a_step():
    """The pieces shown in between are cut from the files that are checked."""
    sources = "\n".join(path.read_text(encoding="utf-8") for path in STEPS.glob("*.py"))
    pieces = re.findall(r"^```python\n(    .*?)^```", GUIDE, re.DOTALL | re.MULTILINE)
    assert len(pieces) == 5
    assert [piece for piece in pieces if piece not in sources] == []
