"""Messages a second against the envelope, beside other validators that are installed.

    python benchmarks/messages/run.py [COUNT]

Every contestant reads the same file of JSON Lines on one core. Counted is processor time, so that a
busy machine changes little; start-up (imports, compiling the schema) counts for commands only.
"""

from __future__ import annotations

import json
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


def command_rate(command: list[str], path: Path, folder: Path) -> float | None:
    """Time a command that takes one file a message, on a sample."""
    if shutil.which(command[0]) is None:
        return None
    files = []
    for number, line in enumerate(path.open(encoding="utf-8")):
        if number == SLOW_SAMPLE:
            break
        files.append(folder / f"{number}.json")
        files[-1].write_text(line, encoding="utf-8")
    started = _children_time()
    subprocess.run([*command, *map(str, files)], capture_output=True, check=False)
    return SLOW_SAMPLE / (_children_time() - started)


def _children_time() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


LIBRARIES: dict[str, Callable[[], Judge]] = {
    "json.loads alone": parsing_only,
    "jsonschema-rs, bare": plain_jsonschema_rs,
    "jsonschema": plain_jsonschema,
    "fastjsonschema": fastjsonschema,
}


def main(count: int) -> None:
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
        schema = ["--schemafile", str(ENVELOPE)]
        _show("check-jsonschema", command_rate(["check-jsonschema", *schema], path, Path(folder)))
        ajv = ["ajv", "validate", "--spec=draft2020", "-s", str(ENVELOPE)]
        _show("ajv", command_rate(ajv, path, Path(folder)))


def _show(name: str, rate: float | None) -> None:
    print(f"{name:<28}", "not installed" if rate is None else f"{rate:>12,.0f}", flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 100_000)
