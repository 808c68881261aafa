"""Functions that publish: in tests/cases/producers, a line to be found ends with `# <- CODE`."""

import re
from pathlib import Path

import pytest

from contractlint.engine import EngineSettings, check_source
from contractlint.messages.envelope import EnvelopeField

PAIRS = sorted((Path(__file__).parent.parent / "cases" / "producers").glob("*/*"))
MARK = re.compile(r"# <- (CL\d+)$")
CODES = frozenset({"CL101", "CL104", "CL201", "CL203", "CL401", "CL601"})
# Roles as `[messages.roles]` maps them. Cases of CL203 come from projects without an envelope.
ENVELOPE = tuple(
    EnvelopeField(role, ((name,),), required=True)
    for role, name in (("id", "id"), ("kind", "kind"), ("schema-version", "schema_version"))
)


def marked(path):
    lines = path.read_text(encoding="utf-8").splitlines()
    rows = ((number, MARK.search(line)) for number, line in enumerate(lines, 1))
    return [(number, mark[1]) for number, mark in rows if mark]


def check(path):
    envelope = ENVELOPE if path.parent.parent.name == "envelope-field-missing" else ()
    settings = EngineSettings(CODES, {}, (), (), {}, (), envelope)
    return check_source(str(path), path.read_bytes(), settings, str(path.parent))


def found(path):
    result = check(path)
    assert not result.problems
    return [(finding.line, finding.code) for finding in result.findings]


def _name(path):
    return f"{path.parent.name}/{path.name}"


@pytest.mark.parametrize("pair", PAIRS, ids=_name)
def test_the_fault_is_found_where_it_is(pair):
    assert marked(pair / "bad.py")
    assert found(pair / "bad.py") == marked(pair / "bad.py")


@pytest.mark.parametrize("pair", PAIRS, ids=_name)
def test_the_mended_is_silent(pair):
    assert marked(pair / "good.py") == []
    assert found(pair / "good.py") == []


@pytest.mark.parametrize("pair", PAIRS, ids=_name)
def test_a_function_that_publishes_is_no_handler(pair):
    handlers = {one.name for one in check(pair / "bad.py").handlers}
    assert all(name.rpartition(".")[2].startswith("on_") for name in handlers)


def test_a_test_is_no_producer(tmp_path):
    """What a test commits before it calls says nothing of the order in production."""
    source = (
        "import pika\nimport psycopg\n\ndb = psycopg.connect('')\n\n\n"
        "def {name}(channel: pika.channel.Channel):\n"
        "    with db.transaction():\n        db.execute('UPDATE orders SET paid = true')\n"
        "    channel.basic_publish('events', 'paid', b'')\n"
    )
    settings = EngineSettings(frozenset({"CL501"}), {}, (), (), {}, ())

    def found(name: str) -> int:
        file = tmp_path / "shop.py"
        file.write_text(source.format(name=name), encoding="utf-8")
        return len(check_source(str(file), file.read_bytes(), settings, str(tmp_path)).findings)

    assert (found("pay"), found("test_pay")) == (1, 0)
