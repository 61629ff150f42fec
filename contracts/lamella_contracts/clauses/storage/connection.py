"""Clauses on connections that break, on answers that are lost, and on processes that are killed."""

import subprocess
import sys
from collections.abc import Callable
from functools import partial
from itertools import count
from typing import TypeVar
from uuid import uuid4

import pytest

from lamella.domain.errors import OutcomeUnknownError, StorageBusyError, StorageError
from lamella.domain.memories.observation import Draft
from lamella.ports.storage.observations import Added
from lamella.ports.storage.storage import Capability, Storage
from lamella_contracts.clauses.storage.capabilities import needs
from lamella_contracts.fixtures.project import START, ProjectFixture, location_named
from lamella_contracts.hooks import StorageHooks

ATTEMPTS = 10
"""Calls that may fail after a connection broke, such as one for each of the pool."""

_SAVES = 20
"""Saves that a process has acknowledged when it is killed."""

_CHILD = """
from lamella_contracts.clauses.storage.connection import save_for_ever
{opening}
save_for_ever(storage)
"""

T = TypeVar("T")


def save_for_ever(storage: Storage) -> None:
    """Save memories one by one, and print the id of each when it is saved. Run in a process that is killed."""
    project = storage.registry.at(location_named("project"), now=START)
    for number in count():
        draft = Draft(content=f"memory {number}")
        saved = storage.observations(project.id).add(draft, id=uuid4(), now=START)
        print(saved.observation.id.hex, flush=True)  # noqa: T201 - read by the clause


def _at_last(call: Callable[[], T]) -> T:
    """Return the answer of a call that is repeated while the storage can't do its work."""
    for _ in range(ATTEMPTS - 1):
        try:
            return call()
        except StorageError:
            continue
    return call()


class ConnectionClauses(StorageHooks):
    """A storage says what a lost connection means, and recovers. Its commits outlive their process."""

    def test_a_broken_connection_is_a_storage_error(self, project: ProjectFixture) -> None:
        """An exception of the driver leaks, or a server that can't be reached is called busy or a lost outcome."""
        self.break_connection(project.storage)
        with pytest.raises(StorageError) as raised:
            project.search.count()
        assert not isinstance(raised.value, StorageBusyError | OutcomeUnknownError)

    def test_a_storage_recovers_from_a_broken_connection(self, project: ProjectFixture) -> None:
        """A broken connection goes back into the pool, a failed call changes something, or a save is doubled."""
        kept = project.save("kept")
        self.break_connection(project.storage)
        with pytest.raises(StorageError):
            project.purge(kept)
        saved = _at_last(lambda: project.add(Draft(content="saved", request="call-1"))).observation
        assert [_at_last(partial(project.get, each)) for each in (kept, saved)] == [kept, saved]
        assert project.search.count(include_purged=True) == 2

    def test_a_lost_answer_is_told(self, project: ProjectFixture) -> None:
        """A connection that breaks at a commit is told like one that broke before: "nothing was saved"."""
        self.lose_answer(project.storage)
        with pytest.raises(OutcomeUnknownError):
            project.add(Draft(content="saved or not", request="call-1"))

    def test_a_retry_after_a_lost_answer_saves_once(self, project: ProjectFixture) -> None:
        """The request is not stored with what it saved, in one transaction, and a retry doubles or loses it."""
        draft = Draft(content="saved or not", request="call-1")
        self.lose_answer(project.storage)
        with pytest.raises(StorageError):
            project.add(draft)
        first = _at_last(lambda: project.add(draft))
        assert first.added in (Added.NEW, Added.RETRY)
        assert project.add(draft).added is Added.RETRY
        assert project.contents("saved") == [draft.content]

    @needs(Capability.DURABLE)
    def test_commits_outlive_a_killed_process(self, project: ProjectFixture) -> None:
        """A save is acknowledged before it is durable, and is lost when its process is killed."""
        code = _CHILD.format(opening=self.opening_code(project.folder))
        with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) as child:  # noqa: S603 - the author's own code
            assert child.stdout is not None
            acknowledged = [child.stdout.readline() for _ in range(_SAVES)]
            child.kill()
            acknowledged += child.stdout.readlines()
        ids = {line.strip() for line in acknowledged if line.endswith("\n")}
        assert len(ids) >= _SAVES
        again = project.reopened()
        found = again.observations.starting_with([""], limit=len(ids) + 100)[""]
        stored = {hit.observation.id.hex: hit.observation for hit in found}
        assert ids - set(stored) == set()
        assert again.save("after").sequence > max(each.sequence for each in stored.values())
