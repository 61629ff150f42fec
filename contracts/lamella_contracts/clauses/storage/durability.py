"""Clauses on closing and reopening a storage, and on failing disks."""

import pytest

from lamella.domain.errors import StorageError
from lamella.ports.storage.storage import Capability
from lamella_contracts.clauses.storage.capabilities import every_clause_needs
from lamella_contracts.clauses.storage.concurrency import in_processes
from lamella_contracts.fixtures.project import START, ProjectFixture, location_named
from lamella_contracts.fixtures.unsynced import fail_to_sync


@every_clause_needs(Capability.DURABLE)
class DurabilityClauses:
    """Saved observations survive a restart."""

    def test_search_survives_a_restart(self, project: ProjectFixture) -> None:
        """The index or its statistics are built in memory and not built again."""
        for content in ("zebra crossing", "zebra", "horse"):
            project.save(content, session="s")
        project.purge(project.save("purged zebra", session="s"))
        before = project.find("zebra", include_purged=True)
        assert project.reopened().find("zebra", include_purged=True) == before

    def test_projects_survive_a_restart(self, project: ProjectFixture) -> None:
        """The registry or a switch is kept in memory only, or projects are recreated from files."""
        project.storage.registry.switch(project.other("there").id, on=False, now=START)
        before = project.storage.registry.all()
        again = project.reopened()
        assert again.storage.registry.all() == before
        assert again.storage.registry.at(location_named("there"), now=START) in before

    def test_a_save_that_cannot_be_synced_fails(self, project: ProjectFixture) -> None:
        """A save is acknowledged before it is on the disk, or a failing disk raises the driver's error."""
        if Capability.SHARED in project.storage.capabilities:
            pytest.skip("the disk is that of a server")

        def save() -> str:
            again = project.reopened()
            again.save("synced")
            if not fail_to_sync():
                return "no syncs can be made to fail here"
            with pytest.raises(StorageError):
                again.save("not synced")
            return ""

        (unable,) = in_processes(project, [save])
        if unable:
            pytest.skip(unable)
