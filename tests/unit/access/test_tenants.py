import pytest

from lamella.application.access.tenants import DeleteTenant, MeasureTenant
from lamella.domain.access.errors import UnknownTenantError
from lamella.domain.access.quota import TenantSize
from lamella.domain.errors import AdvisedError
from lamella_adapters.memory import InMemoryStorage
from lamella_contracts.fixtures.project import START, location_named


def test_every_tenant_but_that_of_the_storage_is_deleted_by_its_name() -> None:
    storage = InMemoryStorage()
    for name in ("acme", storage.tenant):
        storage.of_tenant(name).registry.at(location_named("shop"), now=START)
    measure = MeasureTenant(storage)
    delete = DeleteTenant(storage, measure)
    with pytest.raises(AdvisedError, match=r"\?tenant=NAME"):
        delete(storage.tenant)
    assert delete("acme") == TenantSize(name="acme", projects=1, memories=0)
    with pytest.raises(UnknownTenantError, match=r"no tenant 'acme'. List tenants with: lamella tenant list"):
        delete("acme")
    assert measure(storage.tenant).projects == 1
