"""Clauses on keeping the projects of a storage apart."""

from collections.abc import Callable
from functools import partial

import pytest

from lamella.domain.errors import UnknownProjectError
from lamella.domain.memories.observation import Draft
from lamella.ports.storage.feed import Mark
from lamella.ports.storage.storage import Capability
from lamella_contracts.fixtures.project import START, ProjectFixture, signed
from lamella_contracts.fixtures.vectors import MODEL


class ScopeClauses:
    """A project's scope reads and writes its own memories only."""

    def test_an_unknown_project_is_refused(self, project: ProjectFixture) -> None:
        """A scope is opened for any name, and a misspelt project collects unreachable memories."""
        storage = project.storage
        scopes: list[tuple[Callable[[str], object], Capability | None]] = [
            (storage.observations, None),
            (storage.search, None),
            (storage.conversations, Capability.CONVERSATIONS),
            (storage.ledger, Capability.LEDGER),
            (storage.activity, Capability.ACTIVITY),
            (storage.audit, Capability.AUDIT),
            (partial(storage.vectors, model=MODEL), Capability.VECTORS),
        ]
        if Capability.FEED in storage.capabilities:
            scopes.append((partial(storage.feed.after, mark=Mark(), limit=1), None))
        for opened, capability in scopes:
            if capability is None or capability in storage.capabilities:
                with pytest.raises(UnknownProjectError):
                    opened("no-such-project")

    def test_scopes_of_one_project_share_its_memories(self, project: ProjectFixture) -> None:
        """Each scope caches its reads privately."""
        one, two = project.observations, project.observations
        saved = one.add(Draft(content="shared"), id=project.new_id(), now=START).observation
        assert (one.get_all([saved.id]), two.get_all([saved.id])) == ({saved.id: saved}, {saved.id: saved})
        two.purge([saved.id], by=signed(START))
        assert one.get_all([saved.id])[saved.id].purged
