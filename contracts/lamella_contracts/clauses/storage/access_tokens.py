"""Clauses on access tokens, and on tenants, which share a storage but no memories."""

from datetime import datetime
from hashlib import sha256
from typing import Any

import pytest
from attrs import evolve

from lamella.domain.access.event import TENANT_DELETED, TOKEN_MADE, TOKEN_REVOKED
from lamella.domain.access.grant import DEFAULT_TENANT, Scope
from lamella.domain.access.quota import Quota
from lamella.domain.access.token import MAX_NAME_CHARACTERS, AccessToken
from lamella.domain.errors import CapabilityUnsupportedError, QuotaExceededError
from lamella.domain.text.printing import MAX_KEY_CHARACTERS
from lamella.ports.storage.storage import Capability
from lamella_contracts.clauses.storage.capabilities import every_clause_needs, needs
from lamella_contracts.fixtures.project import LONG_KEY, MICROSECOND, MINUTE, START, ZONES, ProjectFixture

_OTHER = LONG_KEY[:MAX_KEY_CHARACTERS]
"""The longest name of a tenant."""


def _digest(name: str) -> bytes:
    return sha256(name.encode()).digest()


def _add(project: ProjectFixture, name: str, /, *, at: datetime = START, **fields: Any) -> AccessToken:
    """Add a token. Its digest is the digest of its name."""
    scopes = fields.pop("scopes", Scope.READ.held)
    token = AccessToken(**{"id": project.new_id(), **fields}, name=name, scopes=scopes, created_at=at)
    project.storage.access_tokens.add(token, _digest(name))
    return token


def _has_tenants(project: ProjectFixture) -> bool:
    """Add a token of another tenant, and return True if the storage supports tenants.

    If it supports no tenants, check that adding this token raises, and return False.
    """
    if Capability.TENANTS not in project.storage.capabilities:
        with pytest.raises(CapabilityUnsupportedError):
            _add(project, "there", tenant=_OTHER)
        return False
    _add(project, "there", tenant=_OTHER)
    return True


@every_clause_needs(Capability.ACCESS_TOKENS)
class AccessTokenClauses:
    """A storage finds access tokens by digest."""

    def test_a_token_comes_back_as_it_was_added(self, project: ProjectFixture) -> None:
        """Fails if a field is lost or truncated, a time loses its microseconds or zone, or None becomes ""."""
        tokens = project.storage.access_tokens
        west, east = ZONES
        whole = _add(
            project,
            "\U0001f680" * MAX_NAME_CHARACTERS,
            scopes=Scope.ADMIN.held,
            project='it\'s \\ "mine"\n' * 100,
            author="Ada \u202e %s {} ?1",
            expires_at=(START + MINUTE + MICROSECOND).astimezone(west),
            used_at=START.astimezone(east),
            revoked_at=START + 2 * MINUTE,
        )
        bare = _add(project, "bare", at=START.astimezone(east) + MICROSECOND, scopes=frozenset())
        assert tokens.all(DEFAULT_TENANT) == (whole, bare)
        assert (tokens.find(_digest(whole.name)), tokens.find(_digest("bare"))) == (whole, bare)

    def test_tokens_are_in_order_of_creation(self, project: ProjectFixture) -> None:
        """Fails if tokens are ordered by insertion or by name.

        Also fails if tokens created at the same time are not ordered by id.
        """
        first, second, third = sorted(project.new_id() for _ in range(3))
        _add(project, "b", id=third, at=START + MICROSECOND)
        _add(project, "d", id=first, at=START + MINUTE)
        _add(project, "c", id=second, at=START + MICROSECOND)
        _add(project, "e")
        tokens = project.storage.access_tokens.all(DEFAULT_TENANT)
        assert [each.name for each in tokens] == ["e", "c", "b", "d"]

    def test_a_token_is_found_by_its_whole_digest(self, project: ProjectFixture) -> None:
        """Fails if a token is found by part of its digest, by its digest as text, or by an empty digest."""
        tokens = project.storage.access_tokens
        assert tokens.find(_digest("a")) is None
        token = _add(project, "a", revoked_at=START, expires_at=START)
        digest = _digest("a")
        assert tokens.find(digest) == token
        for other in (digest[:-1], digest[:-1] + bytes([digest[-1] ^ 1]), bytes([digest[0] ^ 1]) + digest[1:]):
            assert tokens.find(other) is None
        assert [tokens.find(each) for each in (b"", b"%", bytes(32), digest.hex().encode())] == [None] * 4

    def test_a_revoked_token_stays_and_says_so(self, project: ProjectFixture) -> None:
        """Fails if a revoked token is deleted, or if a later revocation replaces the time of the first.

        Also fails if revoking or using an unknown token changes another token.
        """
        tokens = project.storage.access_tokens
        token, other = _add(project, "a"), _add(project, "b")
        revoked = evolve(token, revoked_at=START + MINUTE)
        for minutes in (3, 1, 2):
            tokens.revoke(token.id, tenant=DEFAULT_TENANT, now=START + minutes * MINUTE)
        assert tokens.revoke(token.id, tenant=DEFAULT_TENANT, now=START + 2 * MINUTE) == revoked
        unknown = project.new_id()
        assert tokens.revoke(unknown, tenant=DEFAULT_TENANT, now=START) is None
        tokens.note_use(unknown, tenant=DEFAULT_TENANT, now=START)
        assert [tokens.find(_digest(name)) for name in "ab"] == [revoked, other]
        assert set(tokens.all(DEFAULT_TENANT)) == {revoked, other}

    def test_the_last_use_is_noted(self, project: ProjectFixture) -> None:
        """Fails if a use is not recorded, is recorded for another token, or replaces the time of a later use."""
        tokens = project.storage.access_tokens
        token, other = _add(project, "a"), _add(project, "b")
        for minutes, noted in ((1, 1), (3, 3), (2, 3)):
            tokens.note_use(token.id, tenant=DEFAULT_TENANT, now=START + minutes * MINUTE)
            found = tokens.find(_digest("a"))
            assert found is not None
            assert found.used_at == START + noted * MINUTE
            assert (found.revoked_at, found.created_at) == (None, START)
        assert tokens.find(_digest("b")) == other

    def test_each_tenant_has_tokens_of_its_own(self, project: ProjectFixture) -> None:
        """Fails if tokens of another tenant are listed, revoked, or marked as used.

        Also fails if a storage without tenants accepts a token of another tenant.
        """
        tokens = project.storage.access_tokens
        here = _add(project, "here")
        if not _has_tenants(project):
            assert tokens.find(_digest("there")) is None
            assert (tokens.all(_OTHER), tokens.all(DEFAULT_TENANT)) == ((), (here,))
            return
        there = tokens.find(_digest("there"))
        assert there is not None
        assert there.tenant == _OTHER
        assert (tokens.all(DEFAULT_TENANT), tokens.all(_OTHER), tokens.all("unknown")) == ((here,), (there,), ())
        assert tokens.revoke(there.id, tenant=DEFAULT_TENANT, now=START) is None
        assert tokens.revoke(here.id, tenant=_OTHER, now=START) is None
        tokens.note_use(there.id, tenant=DEFAULT_TENANT, now=START)
        assert (tokens.find(_digest("here")), tokens.find(_digest("there"))) == (here, there)
        revoked = tokens.revoke(there.id, tenant=_OTHER, now=START)
        assert revoked is not None
        assert (revoked.tenant, revoked.revoked_at) == (_OTHER, START)
        assert tokens.find(_digest("here")) == here

    def test_who_lets_callers_in_is_logged(self, project: ProjectFixture) -> None:
        """Fails if creating or revoking a token is not logged.

        Also fails if a use, or a revocation without effect, is logged.
        """
        tokens = project.storage.access_tokens
        token, other = _add(project, "a"), _add(project, "b")
        for minutes in (1, 2):
            tokens.revoke(token.id, tenant=DEFAULT_TENANT, now=START + minutes * MINUTE)
        tokens.note_use(other.id, tenant=DEFAULT_TENANT, now=START)
        events = tokens.events(DEFAULT_TENANT, limit=9)
        told = [(TOKEN_REVOKED, token), (TOKEN_MADE, other), (TOKEN_MADE, token)]
        assert [(each.action, each.about) for each in events] == [(action, of.label) for action, of in told]
        assert all(each.by and each.origin for each in events)
        assert (tokens.events(DEFAULT_TENANT, limit=1), tokens.events(_OTHER, limit=9)) == (events[:1], ())

    def test_it_is_known_whether_a_token_was_ever_made(self, project: ProjectFixture) -> None:
        """Fails if an empty storage reports tokens.

        Also fails if revoked tokens, or tokens of other tenants, don't count.
        """
        tokens = project.storage.access_tokens
        assert not tokens.exist()
        if not _has_tenants(project):
            token = _add(project, "a", expires_at=START)
            tokens.revoke(token.id, tenant=DEFAULT_TENANT, now=START)
        assert tokens.exist()

    @needs(Capability.DURABLE)
    def test_tokens_survive_a_restart(self, project: ProjectFixture) -> None:
        """Fails if tokens or their revocations are only in memory."""
        token, other = _add(project, "a"), _add(project, "b")
        project.storage.access_tokens.revoke(token.id, tenant=DEFAULT_TENANT, now=START)
        tokens = project.reopened().storage.access_tokens
        found = tokens.find(_digest("a"))
        assert found is not None
        assert found.revoked_at == START
        assert tokens.find(_digest("b")) == other
        assert tokens.exist()


def _of_tenant(project: ProjectFixture, tenant: str) -> ProjectFixture:
    """Return the project of another tenant at the same location."""
    storage = project.storage.of_tenant(tenant)
    return ProjectFixture(project.open, storage, project.location, project.folder)


class TenantClauses:
    """Tenants of one storage share no data."""

    @needs(Capability.TENANTS)
    def test_tenants_share_no_project_and_no_memory(self, project: ProjectFixture) -> None:
        """Fails if a tenant lists projects or finds memories of another tenant.

        Also fails if a draft isn't saved, because another tenant has a memory with the same text.
        """
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
        """Fails if a tenant is empty after it was opened again, or opened through another tenant."""
        saved = _of_tenant(project, "other").save("zebra")
        for again in (project.storage, project.storage.of_tenant("third")):
            found = again.of_tenant("other")
            assert found.tenant == "other"
            assert found.observations(project.id).get_all([saved.id]) == {saved.id: saved}
            assert found.capabilities == project.storage.capabilities

    @needs(Capability.TENANTS)
    def test_a_tenant_of_any_name_is_one(self, project: ProjectFixture) -> None:
        """Fails if names are truncated, case-folded or split, so that two tenants share their memories."""
        names = ("Ada", "ada", "ada ", "a/b", "a", "b'; --", "\u00e4", "x" * 60 + "1", "x" * 60 + "2")
        for name in names:
            _of_tenant(project, name).save(f"memory of {name}")
        for name in names:
            here = _of_tenant(project, name)
            assert [hit.observation.content for hit in here.find("memory")] == [f"memory of {name}"]

    @needs(Capability.TENANTS)
    @needs(Capability.ACCESS_TOKENS)
    def test_a_deleted_tenant_is_gone_and_the_others_stay(self, project: ProjectFixture) -> None:
        """Fails if a deleted tenant leaves data behind, or if memories of another tenant are deleted, too.

        Also fails if a tenant isn't listed, or if its deletion isn't logged.
        """
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
        """Fails if a quota is not enforced, counts only one project, or can't be raised.

        Also fails if a quota blocks reading or purging, or affects another tenant.
        """
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
        more = _of_tenant(project, "other").other("more")
        assert more.save("okapi", id=project.new_id())
        with pytest.raises(QuotaExceededError, match="3 memories"):
            more.save("zebra", id=project.new_id())

    def test_a_storage_is_that_of_its_own_tenant(self, project: ProjectFixture) -> None:
        """Fails if opening the storage's own tenant by name returns another tenant."""
        saved = project.save("zebra")
        own = project.storage.of_tenant(project.storage.tenant)
        assert own.observations(project.id).get_all([saved.id]) == {saved.id: saved}
        elsewhere = evolve(project.location, key="/elsewhere", name="elsewhere")
        made = own.registry.at(elsewhere, now=START)
        assert project.storage.registry.living_at(elsewhere) == made
