"""Clauses on broken connections, lost answers, killed processes, reopening, and failing disks."""

import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from itertools import count
from multiprocessing import Pipe
from typing import TypeVar
from uuid import uuid4

import pytest

from lamella.domain.errors import OutcomeUnknownError, StorageBusyError, StorageError
from lamella.domain.memories.observation import Draft
from lamella.domain.memories.query import Recent
from lamella.ports.storage.observations import Added
from lamella.ports.storage.storage import Capability, Storage
from lamella_contracts.clauses.storage.capabilities import every_clause_needs, needs
from lamella_contracts.clauses.storage.concurrency import in_processes
from lamella_contracts.fixtures.project import START, ProjectFixture, location_named
from lamella_contracts.fixtures.unsynced import fail_to_sync
from lamella_contracts.hooks import StorageHooks

ATTEMPTS = 10
"""Maximum number of calls that may fail after a broken connection: a pool may have several such connections."""

_READING_SECONDS = 5
"""Seconds to wait for a read by another process during a sync."""

_SAVES = 20
"""Number of acknowledged saves before the process is killed."""

_CHILD = """
from lamella_contracts.clauses.storage.connection import save_for_ever
{opening}
save_for_ever(storage)
"""

T = TypeVar("T")


def save_for_ever(storage: Storage) -> None:
    """Save memories one by one and print the id of each, until the process is killed."""
    project = storage.registry.at(location_named("project"), now=START)
    for number in count():
        draft = Draft(content=f"memory {number}")
        saved = storage.observations(project.id).add(draft, id=uuid4(), now=START)
        print(saved.observation.id.hex, flush=True)  # noqa: T201 - the clause reads it


def _at_last(call: Callable[[], T]) -> T:
    """Repeat a call until the storage works again, and return its answer."""
    for _ in range(ATTEMPTS - 1):
        try:
            return call()
        except StorageError:
            continue
    return call()


class ConnectionClauses(StorageHooks):
    """A storage reports a lost connection and recovers from it. A commit survives the end of its process."""

    def test_a_broken_connection_is_a_storage_error(self, project: ProjectFixture) -> None:
        """Fails if the driver's own exception is raised.

        Also fails if an unreachable server is reported as busy, or as a lost answer.
        """
        self.break_connection(project.storage)
        with pytest.raises(StorageError) as raised:
            project.search.count()
        assert not isinstance(raised.value, StorageBusyError | OutcomeUnknownError)

    def test_a_storage_recovers_from_a_broken_connection(self, project: ProjectFixture) -> None:
        """Fails if a broken connection is used again.

        Also fails if a failed call changes something, or if a retried save is stored twice.
        """
        kept = project.save("kept")
        self.break_connection(project.storage)
        with pytest.raises(StorageError):
            project.purge(kept)
        saved = _at_last(lambda: project.add(Draft(content="saved", request="call-1"))).observation
        assert [_at_last(partial(project.get, each)) for each in (kept, saved)] == [kept, saved]
        assert project.search.count(include_purged=True) == 2

    def test_a_lost_answer_is_told(self, project: ProjectFixture) -> None:
        """Fails if a connection lost during the commit is reported as if nothing was saved."""
        self.lose_answer(project.storage)
        with pytest.raises(OutcomeUnknownError):
            project.add(Draft(content="saved or not", request="call-1"))

    def test_a_retry_after_a_lost_answer_saves_once(self, project: ProjectFixture) -> None:
        """Fails if a retry duplicates or loses the memory.

        The request id must be stored in the transaction that saves the memory.
        """
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
        """Fails if a save is acknowledged before it is durable, so that it is lost when the process is killed."""
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


@every_clause_needs(Capability.DURABLE)
class DurabilityClauses:
    """Saved observations survive a restart."""

    def test_search_survives_a_restart(self, project: ProjectFixture) -> None:
        """Fails if the index or its statistics are only in memory, and aren't rebuilt."""
        for content in ("zebra crossing", "zebra", "horse"):
            project.save(content, session="s")
        project.purge(project.save("purged zebra", session="s"))
        before = project.find("zebra", include_purged=True)
        assert project.reopened().find("zebra", include_purged=True) == before

    def test_projects_survive_a_restart(self, project: ProjectFixture) -> None:
        """Fails if projects, or their periods with memory switched off, are only in memory."""
        project.storage.registry.switch(project.other("there").id, on=False, now=START)
        before = project.storage.registry.all()
        again = project.reopened()
        assert again.storage.registry.all() == before
        assert again.storage.registry.at(location_named("there"), now=START) in before

    def test_a_save_that_cannot_be_synced_fails(self, project: ProjectFixture) -> None:
        """Fails if a save is acknowledged before it is on disk, or if another process finds it before that.

        Also fails if a failing disk raises the driver's own exception.
        """
        if Capability.SHARED in project.storage.capabilities:
            pytest.skip("the disk is that of a server")
        writing, reading = Pipe()

        def look() -> None:
            writing.send(True)
            # A reader may wait for the writer.
            if writing.poll(_READING_SECONDS):
                writing.recv()

        def save() -> bool:
            again = project.reopened()
            try:
                again.save("synced")
                able = fail_to_sync(look)
                if able:
                    with pytest.raises(StorageError):
                        again.save("not synced")
                return able
            finally:
                writing.send(False)

        def read() -> set[str]:
            again, found = project.reopened(), set[str]()
            while reading.recv():
                with suppress(StorageError):
                    found.update(again.contents(Recent()))
                reading.send(True)
            return found

        able, found = in_processes(project, [save, read])
        if not able:
            pytest.skip("no syncs can be made to fail here")
        assert "not synced" not in found
