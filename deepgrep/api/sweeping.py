"""Stored queries over many versions, as `deepgrep.open` is for one."""

from __future__ import annotations

import io
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, TextIO

from deepgrep.api.arguments import checked_jobs, ignore, meant_queries
from deepgrep.api.opening import open_store
from deepgrep.api.places import TORCH, open_trees
from deepgrep.indexing import Progress

if TYPE_CHECKING:
    from deepgrep.questions.stored import StoredQuery
    from deepgrep.questions.sweep import SweepAnswer
    from deepgrep.sources import SourceTree


def sweep(
    queries: Iterable[str | StoredQuery],
    versions: str | Sequence[str],
    *,
    sources: Sequence[str | Path] = (),
    packages: Sequence[str] = (),
    scheduler: str | None = None,
    cache_dir: str | Path | None = None,
    jobs: int | None = None,
    warn: Callable[[str], None] | None = None,
    progress: TextIO | None = None,
) -> SweepAnswer:
    """Answer stored queries on several versions of torch.

        >>> answer = deepgrep.sweep(["fx-tracing-flag-block-mask"], "2.10..2.13")
        >>> [version.name for version in answer.versions], [one.verdict for one in answer.queries[0].answers]

    Args:
        queries: names, files and folders, as on the command line, or queries that were read.
        versions: each as `deepgrep.open` takes it for torch, several with commas between, or a range such as
            `2.5..2.15`: of each minor version, the newest patch release.
        sources: what to analyze beside each of them, as of `deepgrep.open`.
        packages: the same.
        scheduler: the address of a Dask cluster's scheduler, to work there; None for this machine.
        cache_dir: as of `deepgrep.open`.
        jobs: as of `deepgrep.open`.
        warn: as of `deepgrep.open`.
        progress: as of `deepgrep.open`.

    Raises:
        DeepgrepError: a query or version means nothing, or the work cannot go on. A version that cannot be had is part
            of the answer.
    """
    from deepgrep.api.many_versions import Sweep, answer_on, workers_here, workers_on
    from deepgrep.sources.releases import released_versions
    from deepgrep.sources.version_range import listed_versions

    jobs = checked_jobs(jobs)
    asked = meant_queries(queries)
    tell = warn or ignore
    shown = Progress(progress or io.StringIO())
    names = listed_versions(
        [versions] if isinstance(versions, str) else versions, lambda: released_versions(TORCH, tell)
    )
    workers = workers_here(jobs) if scheduler is None else workers_on(scheduler)
    with open_store(cache_dir, tell) as store, workers as working:

        def read(name: str) -> list[SourceTree]:
            return open_trees(sources, packages, name, None, store, tell, shown)

        return answer_on(names, Sweep(asked, read, store, working, tell, shown))
