"""Measure, limit and delete tenants."""

from attrs import define, evolve

from lamella.domain.access.errors import UnknownTenantError
from lamella.domain.access.quota import TenantSize
from lamella.domain.errors import AdvisedError
from lamella.ports.storage.storage import Storage


@define
class MeasureTenant:
    """Measure one tenant."""

    storage: Storage

    def __call__(self, name: str) -> TenantSize:
        """Return the size of a tenant.

        Raises:
            UnknownTenantError: The tenant doesn't exist.
            CapabilityUnsupportedError: The storage supports only one tenant.
            StorageError: The storage failed, or its login may not administer tenants.
        """
        found = next((each for each in self.storage.tenants() if each.name == name), None)
        if found is None:
            raise UnknownTenantError(asked=name)
        return found


@define
class LimitTenant:
    """Set the quota of one tenant."""

    storage: Storage

    def __call__(self, name: str, **bounds: int | None) -> TenantSize:
        """Change limits in a tenant's quota, and return its size with the new quota.

        The tenant need not exist yet.

        Args:
            name: Name of the tenant.
            **bounds: Attributes of `Quota` to change; None removes the limit.

        Raises:
            InvalidValueError: The name is invalid.
            CapabilityUnsupportedError: The storage supports only one tenant.
            StorageError: The storage failed, or its login may not administer tenants.
        """
        size = {each.name: each for each in self.storage.tenants()}.get(name, TenantSize(name))
        bounded = evolve(size, quota=evolve(size.quota, **bounds))
        self.storage.limit_tenant(name, bounded.quota)
        return bounded


@define
class DeleteTenant:
    """Delete a tenant with all its data."""

    storage: Storage
    measure_tenant: MeasureTenant

    def __call__(self, name: str) -> TenantSize:
        """Delete a tenant. Return its size before the deletion. The storage's own tenant logs the deletion.

        Raises:
            AdvisedError: The tenant is the storage's own tenant.
            UnknownTenantError: The tenant doesn't exist.
            CapabilityUnsupportedError: The storage supports only one tenant.
            StorageError: The storage failed, or its login may not administer tenants.
        """
        deleted = self.measure_tenant(name)
        if name == self.storage.tenant:
            raise AdvisedError(
                reason="The tenant of LAMELLA_STORAGE can't be deleted: its own log records deletions of tenants.",
                advice="To delete this tenant, name another one in LAMELLA_STORAGE: ?tenant=NAME",
            )
        self.storage.delete_tenant(name)
        return deleted
