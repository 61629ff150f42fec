"""Clauses on declared capabilities, and on the refusal of calls without the required capability."""

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar

import pytest
from attrs import evolve

from lamella.domain.embeddings.vector import EmbeddingModel
from lamella.domain.errors import CapabilityUnsupportedError
from lamella.ports.storage.diagnosis import Finding, Severity, Space
from lamella.ports.storage.storage import Capability
from lamella_contracts.fixtures.project import ProjectFixture, signed

Self = TypeVar("Self")
Clauses = TypeVar("Clauses", bound=type)
Check = Callable[[Self, Any], None]


def needs(capability: Capability) -> Callable[[Check[Self]], Check[Self]]:
    """Return a decorator for clauses on `capability`.

    If the storage doesn't declare the capability, the clause checks instead that the storage refuses the call.
    """

    def decorate(check: Check[Self]) -> Check[Self]:
        @wraps(check)
        def check_or_refusal(self: Self, *given: Any, **named: Any) -> None:
            (subject,) = (*given, *named.values())
            project = getattr(subject, "project", subject)
            if capability in project.storage.capabilities:
                check(self, subject)
            else:
                _REFUSALS[capability](project)

        check_or_refusal.capability = capability  # type: ignore[attr-defined]
        return check_or_refusal

    return decorate


def every_clause_needs(capability: Capability) -> Callable[[Clauses], Clauses]:
    """Return a decorator for classes of clauses on `capability`."""

    def decorate(clauses: Clauses) -> Clauses:
        for name, check in list(vars(clauses).items()):
            if name.startswith("test_"):
                setattr(clauses, name, needs(capability)(check))
        return clauses

    return decorate


def _refuses_to_erase(project: ProjectFixture) -> None:
    kept = project.save("kept")
    with pytest.raises(CapabilityUnsupportedError):
        project.erase(kept)
    assert project.get(kept) == kept
    if Capability.CONVERSATIONS in project.storage.capabilities:
        with pytest.raises(CapabilityUnsupportedError):
            project.storage.conversations(project.id).erase("session")


def _refuses_to_merge(project: ProjectFixture) -> None:
    old, new = project.registered, project.other("new").registered
    with pytest.raises(CapabilityUnsupportedError):
        project.storage.registry.merge(old.id, new.id, by=signed())
    with pytest.raises(CapabilityUnsupportedError):
        project.storage.registry.split(old.id, by=signed())
    assert set(project.storage.registry.all()) == {old, new}


def _refused(*opened: Callable[[ProjectFixture], object]) -> Callable[[ProjectFixture], None]:
    """Return a check that the storage refuses all of these calls."""

    def refuses(project: ProjectFixture) -> None:
        for each in opened:
            with pytest.raises(CapabilityUnsupportedError):
                each(project)

    return refuses


def _goes_by_the_key(project: ProjectFixture) -> None:
    found = project.storage.registry.living_at(evolve(project.location, repository="repository:any"))
    assert found is not None
    assert found.id == project.id


def _promises_less(project: ProjectFixture) -> None:
    """Check nothing, for capabilities without a method that could refuse a call."""


def _forgets(project: ProjectFixture) -> None:
    project.save("gone when closed")
    again = project.reopened()
    assert again.search.count(include_purged=True) == 0


_REFUSALS: dict[Capability, Callable[[ProjectFixture], None]] = {
    Capability.DURABLE: _forgets,
    Capability.ERASE: _refuses_to_erase,
    Capability.ERASE_BYTES: _promises_less,
    Capability.EXACT_RANKING: _promises_less,
    Capability.MERGE: _refuses_to_merge,
    Capability.DIAGNOSE: _refused(lambda project: project.storage.diagnosis),
    Capability.BACKUP: _refused(lambda project: project.storage.backups),
    Capability.VECTORS: _refused(lambda project: project.storage.vectors(project.id, EmbeddingModel("any", 3))),
    Capability.CONVERSATIONS: _refused(lambda project: project.storage.conversations(project.id)),
    Capability.LEDGER: _refused(lambda project: project.storage.ledger(project.id)),
    Capability.ACTIVITY: _refused(lambda project: project.storage.activity(project.id)),
    Capability.AUDIT: _refused(lambda project: project.storage.audit(project.id)),
    Capability.ACCESS_TOKENS: _refused(lambda project: project.storage.access_tokens),
    Capability.FEED: _refused(lambda project: project.storage.feed),
    Capability.SHARED: _goes_by_the_key,
    Capability.TENANTS: _refused(lambda project: project.storage.of_tenant(f"not {project.storage.tenant}")),
}


class CapabilityClauses:
    """The storage has its declared capabilities."""

    def test_capabilities_are_a_frozen_set(self, project: ProjectFixture) -> None:
        """Fails if `capabilities` isn't a frozenset of `Capability`, or changes while the storage is open.

        Also fails if `capabilities` has ERASE_BYTES without ERASE.
        """
        declared = project.storage.capabilities
        assert isinstance(declared, frozenset)
        assert {type(each) for each in declared} <= {Capability}
        assert Capability.ERASE in declared or Capability.ERASE_BYTES not in declared
        project.save("something")
        assert project.storage.capabilities == declared

    def test_closing_twice_is_harmless(self, project: ProjectFixture) -> None:
        """Fails if a second `close` raises, for example because it releases a resource again."""
        project.save("something")
        project.storage.close()
        project.storage.close()

    @needs(Capability.DIAGNOSE)
    def test_a_healthy_storage_has_no_fault(self, project: ProjectFixture) -> None:
        """Fails if the diagnosis of a new storage finds a fault.

        Also fails if the diagnosis isn't a tuple of findings, or is empty: a passed check is a finding, too.
        """
        project.purge(project.save("something"))
        findings = project.storage.diagnosis.findings()
        assert isinstance(findings, tuple)
        assert {type(each) for each in findings} == {Finding}
        assert Severity.FAULT not in {each.severity for each in findings}

    @needs(Capability.DIAGNOSE)
    def test_space_is_told_by_kind(self, project: ProjectFixture) -> None:
        """Fails if a size is negative, or is listed under a name that isn't a `Space`."""
        project.save("something")
        space = project.storage.diagnosis.space(project.id)
        assert {type(each) for each in space} <= {Space}
        assert all(isinstance(size, int) and size >= 0 for size in space.values())
