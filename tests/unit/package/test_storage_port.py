"""Number of methods that a storage adapter has to write."""

from collections.abc import Callable
from datetime import UTC, datetime
from importlib import import_module
from pkgutil import iter_modules

import pytest

import lamella.ports.storage as storage_ports
from lamella.domain.access.quota import Quota  # noqa: F401 - for the table
from lamella.domain.audit.entry import Signature
from lamella.domain.embeddings.vector import EmbeddingModel  # noqa: F401 - for the table
from lamella.domain.errors import CapabilityUnsupportedError
from lamella.domain.transactions.catalogue import Catalogue, ProjectLook
from lamella.domain.transactions.registry import RegistryPlan
from lamella.ports.storage.backups import OpenBackup, Restored
from lamella.ports.storage.observations import ObservationStorage
from lamella.ports.storage.projects import ProjectRegistry, T
from lamella.ports.storage.search import ObservationSearch
from lamella.ports.storage.storage import Capability, Storage
from lamella.ports.storage.waiting import call_started, one_call
from lamella_adapters.memory.storage import InMemoryRegistry, InMemoryStorage
from tests.unit.support.tables import cases

PORTS: tuple[type, ...] = (Storage, ProjectRegistry, ObservationStorage, ObservationSearch)


def test_a_storage_that_declares_nothing_has_few_methods_to_write() -> None:
    names = [
        name for port in PORTS for name in vars(port) if getattr(vars(port)[name], "__isabstractmethod__", False)
    ]
    assert len(names) <= 16


class Bare(Storage):
    """Declares nothing, and writes no more than it has to."""

    capabilities = frozenset()
    registry = InMemoryRegistry()

    def observations(self, project: str) -> ObservationStorage:
        raise AssertionError(project)

    def search(self, project: str) -> ObservationSearch:
        raise AssertionError(project)

    def close(self) -> None:
        raise AssertionError


@cases
def test_a_part_that_is_not_written_refuses(part: Callable[[Storage], object], capability: Capability) -> None:
    with pytest.raises(CapabilityUnsupportedError) as refused:
        part(Bare())
    assert refused.value.capability == capability


def test_a_storage_without_tenants_has_no_quota() -> None:
    assert Bare().known_size() is None


class Unmerging(ProjectRegistry):
    """Finds nothing, and writes no more than it has to."""

    def look(self, look: ProjectLook) -> Catalogue:
        raise AssertionError(look)

    def transact(self, look: ProjectLook, decide: Callable[[Catalogue], tuple[RegistryPlan, T]]) -> T:
        raise AssertionError(look, decide)


def test_a_registry_that_moves_nothing_refuses_merges_and_splits() -> None:
    by = Signature(at=datetime.now(UTC), actor="user")
    with pytest.raises(CapabilityUnsupportedError, match=Capability.MERGE):
        Unmerging().merge("a", "b", by=by)
    with pytest.raises(CapabilityUnsupportedError, match=Capability.MERGE):
        Unmerging().split("a", by=by)


def test_a_storage_that_repairs_nothing_says_so() -> None:
    diagnosis = InMemoryStorage().diagnosis
    (finding,) = diagnosis.findings()
    assert diagnosis.repair(finding) == "There is nothing to repair: storage."


def test_an_open_backup_restores_by_the_function_that_it_was_given() -> None:
    restored = (Restored(project="a", name="a", memories=1, aside=None),)
    assert OpenBackup(previews=(), restoring=lambda: restored).restore() == restored


def test_a_storage_without_tenants_is_that_of_one() -> None:
    bare = Bare()
    assert (bare.tenant, bare.of_tenant("default") is bare, bare.pool()) == ("default", True, {})


def test_only_what_is_done_in_a_call_has_its_start() -> None:
    assert call_started.get() is None
    with one_call():
        started = call_started.get()
        assert started is not None
        assert call_started.get() == started
    assert call_started.get() is None


def test_a_storage_that_declares_everything_has_some_forty_methods_to_write() -> None:
    modules = [
        import_module(f"{storage_ports.__name__}.{each.name}") for each in iter_modules(storage_ports.__path__)
    ]
    names = {
        f"{part.__name__}.{name}"
        for module in modules
        for part in vars(module).values()
        if isinstance(part, type) and part.__module__.startswith(storage_ports.__name__)
        for name, value in vars(part).items()
        if getattr(value, "__isabstractmethod__", False)
    }
    assert len(names) <= 40
