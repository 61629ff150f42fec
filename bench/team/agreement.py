"""Check that PostgreSQL and SQLite give the same answers, so that their times can be compared."""

from collections.abc import Sequence
from contextlib import ExitStack, closing

from bench.support.workload import Language
from bench.team.population import Home
from lamella.domain.memories.query import ByText, RecallQuery

_QUESTIONS = 20


def require_same(homes: Sequence[Home]) -> None:
    """Ask the same questions on PostgreSQL and SQLite, in projects of all sizes.

    Raises:
        SystemExit: The engines return different memories or scores.
    """
    language = Language(5)
    with ExitStack() as stack:
        storages = [stack.enter_context(closing(home.opened())) for home in homes]
        for size in set(homes[0].sizes):
            place = homes[0].sizes.index(size)
            for _ in range(_QUESTIONS):
                query = RecallQuery(selector=ByText(language.five_terms()))
                answers = [
                    [(hit.observation.id, hit.score) for hit in storage.search(home.projects[place]).find(query)]
                    for storage, home in zip(storages, homes, strict=True)
                ]
                if any(answer != answers[0] for answer in answers):
                    raise SystemExit(f"{query.selector} has other answers in a project of {size:,} memories.")
