"""Clauses on tenants: they share a storage, but no memory."""

import pytest
from attrs import evolve

from lamella.domain.access.event import TENANT_DELETED
from lamella.domain.access.grant import Scope
from lamella.domain.access.quota import Quota
from lamella.domain.access.token import AccessToken
from lamella.domain.errors import QuotaExceededError
from lamella.ports.storage.storage import Capability
from lamella_contracts.clauses.storage.capabilities import needs
from lamella_contracts.fixtures.project import START, ProjectFixture


def _of_tenant(project: ProjectFixture, tenant: str) -> ProjectFixture:
    """Return the project at the same place, as another tenant has it."""
    storage = project.storage.of_tenant(tenant)
    return ProjectFixture(project.open, storage, project.location, project.folder)


class TenantClauses:
    """Tenants share nothing."""

    @needs(Capability.TENANTS)
    def test_tenants_share_no_project_and_no_memory(self, project: ProjectFixture) -> None:
        """One tenant lists projects, reads memories or takes drafts for duplicates of another."""
        project.save("zebra")
        assert project.storage.of_tenant("new").registry.all() == ()
        there = _of_tenant(project, "other")
        assert there.id == project.id
        assert (there.find("zebra"), there.search.count()) == ((), 0)
        saved = there.save("zebra", id=project.fresh().new_id())
        assert [hit.observation for hit in there.find("zebra")] == [saved]
        assert len(project.find("zebra")) == 1
        assert not project.knows(saved)
        there.purge(saved)
        assert len(project.find("zebra")) == 1

    @needs(Capability.TENANTS)
    def test_a_tenant_is_found_again_by_its_name(self, project: ProjectFixture) -> None:
        """A tenant changes with each opening, or after another tenant's call."""
        saved = _of_tenant(project, "other").save("zebra")
        for again in (project.storage, project.storage.of_tenant("third")):
            found = again.of_tenant("other")
            assert found.tenant == "other"
            assert found.observations(project.id).get_all([saved.id]) == {saved.id: saved}
            assert found.capabilities == project.storage.capabilities

    @needs(Capability.TENANTS)
    def test_a_tenant_of_any_name_is_one(self, project: ProjectFixture) -> None:
        """Names are cut, folded or split, and two of them share a tenant."""
        names = ("Ada", "ada", "ada ", "a/b", "a", "b'; --", "\u00e4", "x" * 60 + "1", "x" * 60 + "2")
        for name in names:
            _of_tenant(project, name).save(f"memory of {name}")
        for name in names:
            here = _of_tenant(project, name)
            assert [hit.observation.content for hit in here.find("memory")] == [f"memory of {name}"]

    @needs(Capability.TENANTS)
    @needs(Capability.ACCESS_TOKENS)
    def test_a_deleted_tenant_is_gone_and_the_others_stay(self, project: ProjectFixture) -> None:
        """A tenant is not listed, is deleted with memories of another, keeps something, or nobody learns of it."""
        storage, saved, there = project.storage, project.save("zebra"), _of_tenant(project, "other")
        there.save("zebra", id=project.new_id())
        there.purge(there.save("horse", id=project.new_id()))
        token = AccessToken(
            id=project.new_id(), tenant="other", name="t", scopes=Scope.READ.held, created_at=START
        )
        storage.access_tokens.add(token, bytes(32))
        sizes = [(each.name, each.projects, each.memories, each.tokens) for each in storage.tenants()]
        assert sizes == [(storage.tenant, 1, 1, 0), ("other", 1, 2, 1)]
        storage.delete_tenant("other")
        assert [each.name for each in storage.tenants()] == [storage.tenant]
        assert storage.of_tenant("other").registry.all() == ()
        tokens = storage.access_tokens
        assert (tokens.find(bytes(32)), tokens.events("other", limit=9)) == (None, ())
        (event,) = tokens.events(storage.tenant, limit=9)
        assert (event.action, event.about) == (TENANT_DELETED, "other")
        assert project.find("zebra")[0].observation == saved

    @needs(Capability.TENANTS)
    def test_a_used_up_quota_refuses_more_memories_and_nothing_else(self, project: ProjectFixture) -> None:
        """A quota is not obeyed, keeps readers or another tenant out, or can't be raised."""
        quota = Quota(memories=9, saves=2)
        project.storage.limit_tenant("other", quota)
        there = _of_tenant(project, "other")
        saved = [there.save(text, id=project.new_id()) for text in ("zebra", "horse")]
        with pytest.raises(QuotaExceededError, match="'other' has used up its quota of 2 saves a day"):
            there.save("okapi", id=project.new_id())
        there.purge(saved[1])
        assert [hit.observation for hit in there.find("zebra")] == saved[:1]
        assert project.save("okapi")
        size = there.storage.known_size()
        assert size
        assert (size.name, size.memories, size.saves, size.quota) == ("other", 2, 2, quota)
        project.storage.limit_tenant("other", Quota(memories=3))
        assert _of_tenant(project, "other").save("okapi", id=project.new_id())

    def test_a_storage_is_that_of_its_own_tenant(self, project: ProjectFixture) -> None:
        """The storage's own tenant, opened by name, is another one."""
        saved = project.save("zebra")
        own = project.storage.of_tenant(project.storage.tenant)
        assert own.observations(project.id).get_all([saved.id]) == {saved.id: saved}
        elsewhere = evolve(project.location, key="/elsewhere", name="elsewhere")
        made = own.registry.at(elsewhere, now=START)
        assert project.storage.registry.living_at(elsewhere) == made
