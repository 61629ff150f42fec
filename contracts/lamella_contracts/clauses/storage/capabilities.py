"""Clauses on declared capabilities, and on the refusal of others."""

from collections.abc import Callable
from functools import wraps
from typing import TypeVar

import pytest

from lamella.domain.embeddings.vector import EmbeddingModel
from lamella.domain.errors import CapabilityUnsupportedError
from lamella.ports.storage.diagnosis import Finding, Severity
from lamella.ports.storage.storage import Capability
from lamella_contracts.fixtures.project import Notebook

Self = TypeVar("Self")
Check = Callable[[Self, Notebook], None]


def needs(capability: Capability) -> Callable[[Check[Self]], Check[Self]]:
    """Return a decorator for clauses that need `capability`.

    For a storage that doesn't declare it, the clause checks instead that the storage refuses.
    """

    def decorate(check: Check[Self]) -> Check[Self]:
        @wraps(check)
        def check_or_refusal(self: Self, notebook: Notebook) -> None:
            if capability in notebook.storage.capabilities:
                check(self, notebook)
            else:
                _REFUSALS[capability](notebook)

        check_or_refusal.capability = capability  # type: ignore[attr-defined]
        return check_or_refusal

    return decorate


def _refuses_to_erase(notebook: Notebook) -> None:
    kept = notebook.save("kept")
    with pytest.raises(CapabilityUnsupportedError):
        notebook.erase(kept)
    assert notebook.get(kept) == kept
    if Capability.CONVERSATIONS in notebook.storage.capabilities:
        with pytest.raises(CapabilityUnsupportedError):
            notebook.storage.conversations(notebook.project.id).erase("session")


def _refuses_to_merge(notebook: Notebook) -> None:
    old, new = notebook.project, notebook.elsewhere("new").project
    with pytest.raises(CapabilityUnsupportedError):
        notebook.storage.registry.merge(old.id, new.id)
    with pytest.raises(CapabilityUnsupportedError):
        notebook.storage.registry.split(old.id)
    assert set(notebook.storage.registry.all()) == {old, new}


def _refuses_diagnosis(notebook: Notebook) -> None:
    with pytest.raises(CapabilityUnsupportedError):
        _ = notebook.storage.diagnosis


def _refuses_vectors(notebook: Notebook) -> None:
    with pytest.raises(CapabilityUnsupportedError):
        notebook.storage.vectors(notebook.project.id, EmbeddingModel("any", 3))


def _refuses_conversations(notebook: Notebook) -> None:
    for opened in (notebook.storage.conversations, notebook.storage.summaries):
        with pytest.raises(CapabilityUnsupportedError):
            opened(notebook.project.id)


def _refuses_ledger(notebook: Notebook) -> None:
    with pytest.raises(CapabilityUnsupportedError):
        notebook.storage.ledger(notebook.project.id)


def _refuses_activity(notebook: Notebook) -> None:
    with pytest.raises(CapabilityUnsupportedError):
        notebook.storage.activity(notebook.project.id)


def _forgets(notebook: Notebook) -> None:
    notebook.save("gone when closed")
    again = notebook.reopened()
    assert again.search.count(include_purged=True) == 0


_REFUSALS: dict[Capability, Callable[[Notebook], None]] = {
    Capability.DURABLE: _forgets,
    Capability.ERASE: _refuses_to_erase,
    Capability.MERGE: _refuses_to_merge,
    Capability.DIAGNOSE: _refuses_diagnosis,
    Capability.VECTORS: _refuses_vectors,
    Capability.CONVERSATIONS: _refuses_conversations,
    Capability.LEDGER: _refuses_ledger,
    Capability.ACTIVITY: _refuses_activity,
}


class CapabilityClauses:
    """The storage has the capabilities that it declares."""

    def test_capabilities_are_a_frozen_set(self, notebook: Notebook) -> None:
        """Capabilities are a list, strings of your own, or change while the storage is open."""
        declared = notebook.storage.capabilities
        assert isinstance(declared, frozenset)
        assert {type(each) for each in declared} <= {Capability}
        notebook.save("something")
        assert notebook.storage.capabilities == declared

    def test_closing_twice_is_harmless(self, notebook: Notebook) -> None:
        """The second `close` gives back what the first one gave back already."""
        notebook.save("something")
        notebook.storage.close()
        notebook.storage.close()

    @needs(Capability.DIAGNOSE)
    def test_a_healthy_storage_has_no_fault(self, notebook: Notebook) -> None:
        """Diagnosis gives no tuple of findings, leaves out what is well, or finds a fault in a new storage."""
        notebook.purge(notebook.save("something"))
        findings = notebook.storage.diagnosis.findings()
        assert isinstance(findings, tuple)
        assert {type(each) for each in findings} == {Finding}
        assert Severity.FAULT not in {each.severity for each in findings}
