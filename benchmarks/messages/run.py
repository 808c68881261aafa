"""Messages a second against the envelope, beside other validators that are installed.

    python benchmarks/messages/run.py [COUNT]

Every contestant reads the same file of JSON Lines on one core. Counted is processor time, so that a
busy machine changes little; start-up (imports, compiling the schema) counts for commands only.
ajv is found as the command `ajv`: `npm install ajv-cli ajv-formats`, and node_modules/.bin on PATH.
"""

from __future__ import annotations

import gc
import json
import re
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from contractlint.bundled import bundled

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE))

from generate import write  # noqa: E402

ENVELOPE = bundled("schemas") / "envelope.schema.json"
SLOW_SAMPLE = 2_000
ROUNDS = 3

Judge = Callable[[Any], bool]


def contractlint_rate(path: Path, count: int) -> float:
    from contractlint.messages.run import Tally, run
    from contractlint.messages.settings import Wishes, make_settings

    settings = make_settings(path.parent, {}, Wishes())

    def once() -> None:
        tally = Tally()
        for _ in run([str(path)], settings, tally):
            pass
        assert (tally.messages, tally.findings) == (count, count // 100), tally

    return count / _best(once)


def library_rate(path: Path, count: int, judge: Judge) -> float:
    def once() -> None:
        with path.open("rb") as lines:
            invalid = sum(not judge(json.loads(line)) for line in lines)
        assert invalid == count // 100, invalid

    return count / _best(once)


def _best(once: Callable[[], None]) -> float:
    times = []
    for _ in range(ROUNDS):
        started = time.process_time()
        once()
        times.append(time.process_time() - started)
    return min(times)


def parsing_only() -> Judge:
    remaining = iter(range(10**12))
    return lambda message: next(remaining) % 100 != 99


def plain_jsonschema() -> Judge:
    from jsonschema import Draft202012Validator, FormatChecker

    checker = FormatChecker()
    checker.checks("date-time")(_is_date_time)
    schema = json.loads(ENVELOPE.read_text())
    return Draft202012Validator(schema, format_checker=checker).is_valid


def plain_jsonschema_rs() -> Judge:
    import jsonschema_rs

    schema = json.loads(ENVELOPE.read_text())
    return jsonschema_rs.validator_for(schema, validate_formats=True).is_valid


def fastjsonschema() -> Judge:
    import fastjsonschema

    schema = json.loads(ENVELOPE.read_text())
    # It knows drafts up to 7, which call this keyword otherwise.
    schema["dependencies"] = schema.pop("dependentRequired")
    schema["$schema"] = "http://json-schema.org/draft-07/schema#"
    validate = fastjsonschema.compile(schema)

    def judge(message: Any) -> bool:
        try:
            validate(message)
        except fastjsonschema.JsonSchemaException:
            return False
        return True

    return judge


def _is_date_time(value: Any) -> bool:
    return not isinstance(value, str) or (value[10:11] == "T" and value[-1:] == "Z")


def command_rate(
    command: list[str], named: Callable[[Path], list[str]], count_valid: str, folder: Path
) -> float | None:
    """Time a command that takes one file a message, on a sample.

    `named` turns the folder of the messages into arguments; `count_valid` is a pattern for what the
    command prints about each file that is (valid), or about each that is not (invalid).
    """
    if shutil.which(command[0]) is None:
        return None
    started = _children_time()
    ran = subprocess.run([*command, *named(folder)], capture_output=True, text=True, check=False)
    used = _children_time() - started
    told = len(set(re.findall(count_valid, ran.stdout, re.MULTILINE)))
    invalid = SLOW_SAMPLE // 100
    assert told in (invalid, SLOW_SAMPLE - invalid), f"{command[0]}: {ran.stdout}{ran.stderr}"
    return SLOW_SAMPLE / used


def one_file_a_message(path: Path, folder: Path) -> None:
    """Write the first messages of `path` as files into `folder`."""
    folder.mkdir()
    with path.open(encoding="utf-8") as lines:
        for number, line in zip(range(SLOW_SAMPLE), lines, strict=False):
            (folder / f"{number}.json").write_text(line, encoding="utf-8")


def _children_time() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


LIBRARIES: dict[str, Callable[[], Judge]] = {
    "json.loads alone": parsing_only,
    "jsonschema-rs, bare": plain_jsonschema_rs,
    "jsonschema": plain_jsonschema,
    "fastjsonschema": fastjsonschema,
}


CHECK_JSONSCHEMA = (
    ["check-jsonschema", "--schemafile", str(ENVELOPE)],
    lambda folder: sorted(map(str, folder.iterdir())),
    r"^ *(\S+\.json)::",
)
# The envelope has a keyword of its own, which ajv would not accept otherwise.
AJV = (
    ["ajv", "validate", "--spec=draft2020", "--strict=false", "-c=ajv-formats", f"-s={ENVELOPE}"],
    lambda folder: ["-d", f"{folder}/*.json"],
    r"^(\S+\.json) valid$",
)


def main(count: int) -> None:
    # As the command does, and the same for all: messages are trees, without cycles to look for.
    gc.set_threshold(100_000)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "messages.jsonl"
        write(path, count)
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        _show("contractlint messages", contractlint_rate(path, count))
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before
        _show("  peak memory grown by, KiB", grown)
        for name, make in LIBRARIES.items():
            try:
                _show(name, library_rate(path, count, make()))
            except ImportError:
                _show(name, None)
        files = Path(folder) / "files"
        one_file_a_message(path, files)
        _show("check-jsonschema", command_rate(*CHECK_JSONSCHEMA, files))
        _show("ajv", command_rate(*AJV, files))


def _show(name: str, rate: float | None) -> None:
    print(f"{name:<28}", "not installed" if rate is None else f"{rate:>12,.0f}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
