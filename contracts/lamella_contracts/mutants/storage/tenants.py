"""Faults in telling tenants apart."""

from lamella.ports.storage.storage import Storage
from lamella_contracts.mutants.broken_storage import BrokenStorage, Mutants

MUTANTS = Mutants()


@MUTANTS.add(
    "all tenants are one",
    trips={
        "tenants_share_no_project_and_no_memory",
        "a_tenant_is_found_again_by_its_name",
        "a_tenant_of_any_name_is_one",
    },
)
class OneTenant(BrokenStorage):
    def of_tenant(self, tenant: str) -> Storage:
        del tenant
        return self


@MUTANTS.add(
    "a tenant is new each time",
    trips={
        "a_tenant_is_found_again_by_its_name",
        "a_tenant_of_any_name_is_one",
        "a_storage_is_that_of_its_own_tenant",
    },
)
class NewTenants(BrokenStorage):
    def of_tenant(self, tenant: str) -> Storage:
        self.tenants = {}
        return super().of_tenant(tenant)


@MUTANTS.add("names of tenants are folded", trips={"a_tenant_of_any_name_is_one"})
class FoldsNames(BrokenStorage):
    def of_tenant(self, tenant: str) -> Storage:
        return super().of_tenant(tenant.strip().lower())


@MUTANTS.add("a tenant does not know its name", trips={"a_tenant_is_found_again_by_its_name"})
class Nameless(BrokenStorage):
    def of_tenant(self, tenant: str) -> Storage:
        storage = super().of_tenant(tenant)
        if isinstance(storage, Nameless) and storage is not self:
            storage.tenant = "nameless"
        return storage
