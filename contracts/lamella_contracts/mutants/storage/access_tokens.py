"""Faults in access tokens."""

from datetime import datetime
from uuid import UUID

from attrs import evolve

from lamella.domain.access.grant import DEFAULT_TENANT, Scope
from lamella.domain.access.token import AccessToken
from lamella.domain.text.printing import one_line
from lamella.ports.storage.storage import Capability
from lamella_adapters.memory.access_tokens import InMemoryAccessTokens
from lamella_contracts.contracts import AccessTokensContract
from lamella_contracts.mutants.broken_storage import DurableStorage, Mutant, Mutants, without
from lamella_contracts.mutants.fault import naming_clauses

WHOLE = "a_token_comes_back_as_it_was_added"
ORDER = "tokens_are_in_order_of_creation"
FOUND = "a_token_is_found_by_its_whole_digest"
REVOKED = "a_revoked_token_stays_and_says_so"
UNKNOWN = "an_unknown_token_is_not_revoked"
USED = "the_last_use_is_noted"
TENANTS = "each_tenant_has_tokens_of_its_own"
EVER = "it_is_known_whether_a_token_was_ever_made"
RESTART = "tokens_survive_a_restart"

MUTANTS = Mutants()


class Adding(InMemoryAccessTokens):
    """Adds a token other than the given one."""

    def add(self, token: AccessToken, digest: bytes) -> None:
        super().add(self.changed(token), digest)

    def changed(self, token: AccessToken) -> AccessToken:
        """Return the token that is stored."""
        return token


@MUTANTS.add("scopes are lost", trips={WHOLE, FOUND, REVOKED, UNKNOWN, USED, TENANTS})
class LosesScopes(Adding):
    def changed(self, token: AccessToken) -> AccessToken:
        return evolve(token, scopes=frozenset())


@MUTANTS.add("an administrator only writes", trips={WHOLE})
class Degrades(Adding):
    def changed(self, token: AccessToken) -> AccessToken:
        return evolve(token, scopes=token.scopes - {Scope.ADMIN})


@MUTANTS.add("the project is one line", trips={WHOLE})
class Trims(Adding):
    def changed(self, token: AccessToken) -> AccessToken:
        return evolve(token, project=token.project and one_line(token.project))


@MUTANTS.add("expiry loses microseconds", trips={WHOLE, FOUND})
class RoundsExpiry(Adding):
    def changed(self, token: AccessToken) -> AccessToken:
        return evolve(token, expires_at=token.expires_at and token.expires_at.replace(microsecond=0))


@MUTANTS.add("the author is lost", trips={WHOLE})
class LosesTheAuthor(Adding):
    def changed(self, token: AccessToken) -> AccessToken:
        return evolve(token, author=None)


@MUTANTS.add("a token is new, whatever became of it", trips={WHOLE, FOUND})
class BeginsAnew(Adding):
    def changed(self, token: AccessToken) -> AccessToken:
        return evolve(token, revoked_at=None)


@MUTANTS.add("all tokens are of the default tenant", trips={TENANTS})
class OneTenant(Adding):
    def changed(self, token: AccessToken) -> AccessToken:
        return evolve(token, tenant=DEFAULT_TENANT)


@MUTANTS.add("tokens are in order of names", trips={WHOLE, ORDER})
class OrdersByName(InMemoryAccessTokens):
    def all(self, tenant: str) -> tuple[AccessToken, ...]:
        return tuple(sorted(super().all(tenant), key=lambda each: each.name))


@MUTANTS.add("tokens are in order of adding", trips={ORDER})
class OrdersByAdding(InMemoryAccessTokens):
    def all(self, tenant: str) -> tuple[AccessToken, ...]:
        added = [each.id for each in self.tokens.values()]
        return tuple(sorted(super().all(tenant), key=lambda each: (each.created_at, added.index(each.id))))


@MUTANTS.add("the beginning of a digest will do", trips={FOUND})
class FindsByBeginning(InMemoryAccessTokens):
    def find(self, digest: bytes) -> AccessToken | None:
        return next((each for known, each in self.tokens.items() if known.startswith(digest[:8] or b"-")), None)


@MUTANTS.add("refused tokens are not found", trips={WHOLE, FOUND, REVOKED})
class HidesRevoked(InMemoryAccessTokens):
    def find(self, digest: bytes) -> AccessToken | None:
        found = super().find(digest)
        return None if found is None or found.revoked_at else found


@MUTANTS.add("refused tokens are not listed", trips={WHOLE, REVOKED})
class ListsValidOnes(InMemoryAccessTokens):
    def all(self, tenant: str) -> tuple[AccessToken, ...]:
        return tuple(each for each in super().all(tenant) if each.revoked_at is None)


@MUTANTS.add("a revocation is only said", trips={REVOKED})
class SaysRevoked(InMemoryAccessTokens):
    def revoke(self, id: UUID, *, tenant: str, now: datetime) -> AccessToken | None:
        before = dict(self.tokens)
        revoked = super().revoke(id, tenant=tenant, now=now)
        self.tokens.update(before)
        return revoked


@MUTANTS.add("a revocation deletes", trips={REVOKED})
class Deletes(InMemoryAccessTokens):
    def revoke(self, id: UUID, *, tenant: str, now: datetime) -> AccessToken | None:
        revoked = super().revoke(id, tenant=tenant, now=now)
        self.tokens = {digest: each for digest, each in self.tokens.items() if each != revoked}
        return revoked


@MUTANTS.add("a second revocation counts", trips={REVOKED})
class RevokesAnew(InMemoryAccessTokens):
    def revoke(self, id: UUID, *, tenant: str, now: datetime) -> AccessToken | None:
        return self._change(id, tenant, lambda token: evolve(token, revoked_at=now))


@MUTANTS.add("a revocation is of all", trips={REVOKED, UNKNOWN, TENANTS})
class RevokesAll(InMemoryAccessTokens):
    def revoke(self, id: UUID, *, tenant: str, now: datetime) -> AccessToken | None:
        self.tokens = {digest: evolve(each, revoked_at=now) for digest, each in self.tokens.items()}
        return super().revoke(id, tenant=tenant, now=now)


@MUTANTS.add("an unknown token is the first one", trips={UNKNOWN})
class RevokesAnother(InMemoryAccessTokens):
    def revoke(self, id: UUID, *, tenant: str, now: datetime) -> AccessToken | None:
        known = [each.id for each in self.tokens.values()]
        first = id if id in known or not known else known[0]
        return super().revoke(first, tenant=tenant, now=now)


@MUTANTS.add("uses are not noted", trips={USED})
class NotesNothing(InMemoryAccessTokens):
    def note_use(self, id: UUID, *, tenant: str, now: datetime) -> None:
        """Note nothing."""


@MUTANTS.add("an earlier use replaces a later one", trips={USED})
class NotesAnyUse(InMemoryAccessTokens):
    def note_use(self, id: UUID, *, tenant: str, now: datetime) -> None:
        self._change(id, tenant, lambda token: evolve(token, used_at=now))


@MUTANTS.add("any tenant revokes any token", trips={TENANTS})
class RevokesAnywhere(InMemoryAccessTokens):
    def revoke(self, id: UUID, *, tenant: str, now: datetime) -> AccessToken | None:
        owner = next((each.tenant for each in self.tokens.values() if each.id == id), tenant)
        return super().revoke(id, tenant=owner, now=now)


@MUTANTS.add("any tenant lists any token", trips={TENANTS})
class ListsAll(InMemoryAccessTokens):
    def all(self, tenant: str) -> tuple[AccessToken, ...]:
        every = {tenant, *(each.tenant for each in self.tokens.values())}
        return tuple(token for each in sorted(every) for token in InMemoryAccessTokens.all(self, each))


@MUTANTS.add("tokens of other tenants do not count", trips={EVER})
class CountsTheDefaultTenant(InMemoryAccessTokens):
    def exist(self) -> bool:
        return bool(self.all(DEFAULT_TENANT))


@MUTANTS.add("there are tokens from the start", trips={EVER})
class AlwaysThere(InMemoryAccessTokens):
    def exist(self) -> bool:
        return True


@MUTANTS.add("each opening begins anew", trips={RESTART})
class Forgetful(DurableStorage):
    """Says that it keeps tokens, and begins anew each time."""

    def restarted(self) -> None:
        self.access_tokens.tokens.clear()


MUTANTS += (
    Mutant(
        fault="access tokens are not declared",
        refuses=True,
        storage=without(Capability.ACCESS_TOKENS),
        trips=naming_clauses(AccessTokensContract),
    ),
)
