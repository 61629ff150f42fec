"""The model of agreement clauses stays right whatever is planted in the in-memory adapter."""

from pathlib import Path

import pytest
from attrs import evolve

from lamella.domain.memories.observation import Draft
from lamella.domain.transactions.look import Facts, Look
from lamella_adapters.memory import InMemoryStorage
from lamella_adapters.memory.transaction import InMemoryTransaction
from lamella_contracts.fixtures.model import ModelStorage
from lamella_contracts.fixtures.project import ProjectFixture, location_named


def test_a_fault_in_the_adapter_is_none_in_the_model(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    whole = InMemoryTransaction.look

    def forgets(self: InMemoryTransaction, look: Look) -> Facts:
        return evolve(whole(self, look), same=())

    monkeypatch.setattr(InMemoryTransaction, "look", forgets)
    saved = []
    for storage in (InMemoryStorage, ModelStorage):
        project = ProjectFixture(storage, storage(), location_named("project"), tmp_path)
        saved.append([project.add(Draft(content="said")).added.value for _ in range(2)])
    assert saved == [["new", "new"], ["new", "already saved"]]
