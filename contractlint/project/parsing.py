"""Files that have to be parsed: from the cache, or through worker processes."""

from __future__ import annotations

from collections.abc import Sequence

from contractlint.engine import EngineSettings, FileResult
from contractlint.project.cache import Cache, cache_key
from contractlint.project.config import Config
from contractlint.project.workers import Task, default_jobs, run_tasks


def parse_files(
    sources: Sequence[tuple[str, bytes]],
    settings: EngineSettings,
    config: Config,
    jobs: int | None,
    use_cache: bool,
) -> list[FileResult]:
    """Return the results of files given as (printed path, content), in the order of the files."""
    cache = Cache(config.root, cache_key(settings, config.root)) if use_cache else None
    known = {path: cache.get(path, source) for path, source in sources} if cache else {}
    results = {path: result for path, result in known.items() if result is not None}
    tasks = [Task(path, source) for path, source in sources if path not in results]
    outcomes = run_tasks(
        tasks, settings, str(config.root), jobs or default_jobs(), config.time_limit
    )
    for outcome in outcomes:
        results[outcome.task.path] = outcome.result
        if cache and outcome.final:
            cache.put(outcome.task.path, outcome.task.source, outcome.result)
    if cache:
        cache.save()
    return [results[path] for path, _ in sources]
