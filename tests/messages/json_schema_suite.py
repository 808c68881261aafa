"""The official JSON Schema test suite, taken from the source distribution of jsonschema.

It is no part of this project: pip downloads it once into pytest's cache folder. A copy elsewhere
can be named with the environment variable JSON_SCHEMA_TEST_SUITE.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SOURCE = "jsonschema==4.26.0"
DRAFTS = ("draft4", "draft6", "draft7", "draft2019-09", "draft2020-12")
DIALECTS = {
    "draft4": "http://json-schema.org/draft-04/schema#",
    "draft6": "http://json-schema.org/draft-06/schema#",
    "draft7": "http://json-schema.org/draft-07/schema#",
    "draft2019-09": "https://json-schema.org/draft/2019-09/schema",
    "draft2020-12": "https://json-schema.org/draft/2020-12/schema",
}
_REMOTE_BASE = "http://localhost:1234/"


@dataclass(frozen=True)
class SuiteCase:
    """One schema of the suite with the instances that it accepts and rejects."""

    name: str
    schema: Any
    tests: list[dict[str, Any]]


class Unreachable(Exception):
    """The suite is neither here nor to be had."""


def find_suite(cache: Path) -> Path:
    """Return the folder with `tests` and `remotes`, downloading it into `cache` when needed."""
    given = os.environ.get("JSON_SCHEMA_TEST_SUITE")
    if given:
        return Path(given)
    target = cache / SOURCE.replace("==", "-")
    if not (target / "tests").is_dir():
        _extract(_download(cache), target)
    return target


def _download(cache: Path) -> Path:
    pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
    wanted = ["--no-deps", "--no-binary", "jsonschema", "--dest", str(cache), SOURCE]
    try:
        done = subprocess.run([*pip, *wanted], capture_output=True, text=True, timeout=240)
    except (OSError, subprocess.TimeoutExpired) as error:
        raise Unreachable(str(error)) from error
    archives = sorted(cache.glob("jsonschema-*.tar.gz"))
    if done.returncode or not archives:
        raise Unreachable((done.stderr.strip() or "pip found nothing").splitlines()[-1])
    return archives[-1]


def _extract(archive: Path, target: Path) -> None:
    with tarfile.open(archive) as tar:
        for member in tar.getmembers():
            path = Path(*Path(member.name).parts[1:])
            if member.isfile() and path.parts[:1] == ("json",) and path.suffix == ".json":
                place = target / Path(*path.parts[1:])
                place.parent.mkdir(parents=True, exist_ok=True)
                content = tar.extractfile(member)
                assert content is not None
                place.write_bytes(content.read())


def cases(suite: Path, draft: str) -> Iterator[SuiteCase]:
    """Yield the required cases of `draft`."""
    for file in sorted((suite / "tests" / draft).glob("*.json")):
        for case in json.loads(file.read_text(encoding="utf-8")):
            name = f"{draft}/{file.stem}: {case['description']}"
            yield SuiteCase(name, _with_dialect(case["schema"], draft), case["tests"])


def remotes(suite: Path, draft: str) -> Iterator[tuple[str, Any]]:
    """Yield URI and contents of the schemas that the cases of `draft` refer to."""
    root = suite / "remotes"
    for file in sorted(root.rglob("*.json")):
        relative = file.relative_to(root)
        folder = relative.parts[0]
        if _is_foreign(folder):
            continue
        schema = json.loads(file.read_text(encoding="utf-8"))
        # A draft may refer to the schemas of another one, which follow their own dialect.
        yield _REMOTE_BASE + relative.as_posix(), _with_dialect(schema, folder, draft)


def _is_foreign(folder: str) -> bool:
    return folder.startswith(("draft", "v")) and folder not in DIALECTS and "." not in folder


def _with_dialect(schema: Any, *drafts: str) -> Any:
    if isinstance(schema, dict) and "$schema" not in schema:
        dialect = next(DIALECTS[draft] for draft in drafts if draft in DIALECTS)
        return {"$schema": dialect, **schema}
    return schema
