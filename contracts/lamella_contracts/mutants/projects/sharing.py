"""Faults in projects of several machines, and of several tenants."""

from datetime import datetime

from attrs import evolve

from lamella.domain.projects.project import Location, Project
from lamella.domain.transactions.plan import Plan
from lamella.ports.storage.storage import Capability, Storage
from lamella_adapters.memory.storage import InMemoryRegistry
from lamella_contracts.mutants.broken_storage import BrokenStorage, declaring, storage_mutants
from lamella_contracts.mutants.threads import Meeting

MUTANTS = storage_mutants()


SHARED = declaring(frozenset(Capability) - {Capability.DURABLE})


class ClonesMakeTwice(InMemoryRegistry):
    """Treats each of several simultaneous machines as the first."""

    def __init__(self) -> None:
        super().__init__()
        self.meeting = Meeting()

    def at(self, location: Location, *, now: datetime) -> Project:
        thread = self.meeting.wait()
        made = location if thread == 0 else evolve(location, repository=f"{location.repository} {thread}")
        return super().at(made, now=now)


MUTANTS.add("concurrent clones make several projects", "clones_that_meet_make_one_project")(
    SHARED, ClonesMakeTwice
)


@MUTANTS.add(
    "tenants share one database",
    "a_tenant_is_found_again_by_its_name",
    "a_tenant_of_any_name_is_one",
    "a_deleted_tenant_is_gone_and_the_others_stay",
    "a_used_up_quota_refuses_more_memories_and_nothing_else",
    "tenants_share_no_project_and_no_memory",
)
class OneTenant(BrokenStorage):
    def of_tenant(self, tenant: str) -> Storage:
        del tenant
        return self


@MUTANTS.add("quotas are not obeyed", "a_used_up_quota_refuses_more_memories_and_nothing_else")
class Unbounded(InMemoryRegistry):
    def admit(self, plan: Plan) -> None:
        """Admit it."""
