"""Faults in telling tenants apart."""

from lamella.ports.storage.storage import Storage
from lamella_contracts.mutants.broken_storage import BrokenStorage, storage_mutants

MUTANTS = storage_mutants()


@MUTANTS.add(
    "tenants share one database",
    "a_tenant_is_found_again_by_its_name",
    "a_tenant_of_any_name_is_one",
    "tenants_share_no_project_and_no_memory",
)
class OneTenant(BrokenStorage):
    def of_tenant(self, tenant: str) -> Storage:
        del tenant
        return self
