"""Faults in access tokens."""

from attrs import evolve

from lamella.domain.access.grant import DEFAULT_TENANT
from lamella.domain.access.token import AccessToken
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


@MUTANTS.add("tokens are in order of adding", trips={ORDER})
class OrdersByAdding(InMemoryAccessTokens):
    def all(self, tenant: str) -> tuple[AccessToken, ...]:
        added = [each.id for each in self.tokens.values()]
        return tuple(sorted(super().all(tenant), key=lambda each: (each.created_at, added.index(each.id))))


@MUTANTS.add("tokens of other tenants do not count", trips={EVER})
class CountsTheDefaultTenant(InMemoryAccessTokens):
    def exist(self) -> bool:
        return bool(self.all(DEFAULT_TENANT))


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
