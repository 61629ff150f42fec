"""A real history and what the adapter reads of it."""

from lamella.domain.memories.observation import CodeChange
from lamella.ports.history import Commit
from lamella_adapters.git.history import GitHistory
from tests.end_to_end.git.git_repository import Repository
from tests.waiting import HANG_SECONDS

HISTORY = GitHistory(patience=HANG_SECONDS)


def told(repository: Repository, limit: int = 500) -> list[Commit]:
    ids = HISTORY.commits(repository.root, limit=limit)
    return list(HISTORY.read(repository.root, ids))


def changed(repository: Repository) -> tuple[CodeChange, ...]:
    """The changes of the latest commit."""
    return told(repository)[-1].changes
