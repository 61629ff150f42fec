"""Faults in access tokens."""

from attrs import evolve

from lamella.domain.access.grant import DEFAULT_TENANT
from lamella.domain.access.token import AccessToken
from lamella_adapters.memory.access_tokens import InMemoryAccessTokens
from lamella_contracts.mutants.broken_storage import DurableStorage, storage_mutants

MUTANTS = storage_mutants()


class Adding(InMemoryAccessTokens):
    """Adds a token other than the given one."""

    def add(self, token: AccessToken, digest: bytes) -> None:
        super().add(self.changed(token), digest)

    def changed(self, token: AccessToken) -> AccessToken:
        """Return the token to store."""
        return token


@MUTANTS.add(
    "scopes are not stored",
    "a_revoked_token_stays_and_says_so",
    "a_token_comes_back_as_it_was_added",
    "a_token_is_found_by_its_whole_digest",
    "each_tenant_has_tokens_of_its_own",
    "the_last_use_is_noted",
)
class LosesScopes(Adding):
    def changed(self, token: AccessToken) -> AccessToken:
        return evolve(token, scopes=frozenset())


@MUTANTS.add("tokens of the same time are in order of insertion", "tokens_are_in_order_of_creation")
class OrdersByAdding(InMemoryAccessTokens):
    def all(self, tenant: str) -> tuple[AccessToken, ...]:
        added = [each.id for each in self.tokens.values()]
        return tuple(sorted(super().all(tenant), key=lambda each: (each.created_at, added.index(each.id))))


@MUTANTS.add("tokens of other tenants are not counted", "it_is_known_whether_a_token_was_ever_made")
class CountsTheDefaultTenant(InMemoryAccessTokens):
    def exist(self) -> bool:
        return bool(self.all(DEFAULT_TENANT))


@MUTANTS.add("nothing is logged", "a_deleted_tenant_is_gone_and_the_others_stay", "who_lets_callers_in_is_logged")
class LogsNothing(InMemoryAccessTokens):
    def note(self, *event: str) -> None:
        """Forget the event."""


@MUTANTS.add("tokens are kept in memory only", "tokens_survive_a_restart")
class Forgetful(DurableStorage):
    """Declares durability, but loses tokens at a restart."""

    def restarted(self) -> None:
        self.access_tokens.tokens.clear()
