"""Faults in declarations, closing and restarts, in access tokens, and in the feed of changes."""

from attrs import evolve

from lamella.domain.access.grant import DEFAULT_TENANT
from lamella.domain.access.token import AccessToken
from lamella.domain.errors import UnknownProjectError
from lamella.ports.storage.feed import Change, FeedState, Mark
from lamella.ports.storage.storage import Capability
from lamella_adapters.memory.access_tokens import InMemoryAccessTokens
from lamella_adapters.memory.feed import InMemoryFeed
from lamella_contracts.mutants.broken_storage import (
    BrokenStorage,
    DurableStorage,
    declaring,
    storage_mutants,
    without,
)

MUTANTS = storage_mutants()
_UNREFUSED = {
    Capability.ERASE: ("what_is_erased_is_gone",),
    Capability.MERGE: ("a_merge_moves_memories",),
    Capability.DIAGNOSE: ("a_healthy_storage_has_no_fault", "space_is_told_by_kind"),
    Capability.FEED: ("the_feed_brings_what_has_changed",),
    Capability.VECTORS: ("a_vector_is_replaced",),
    Capability.CONVERSATIONS: ("known_keys_are_told",),
    Capability.LEDGER: ("a_history_is_latest_first",),
    Capability.ACTIVITY: ("activity_is_told_oldest_first",),
    Capability.AUDIT: ("the_trail_is_read_in_pages",),
    Capability.ACCESS_TOKENS: ("the_last_use_is_noted",),
}

for _capability, _clauses in _UNREFUSED.items():
    MUTANTS.add(f"{_capability.name} is neither declared nor refused", *_clauses)(without(_capability))


class Adding(InMemoryAccessTokens):
    """Changes each token before it is stored."""

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


@MUTANTS.add(
    "the mark of the feed is ignored",
    "the_feed_brings_what_has_changed",
    "the_feed_follows_merges",
    "the_feed_is_read_in_pages",
)
class BringsAll(InMemoryFeed):
    def after(self, project: str, mark: Mark, *, limit: int) -> tuple[Change, ...]:
        del mark
        return super().after(project, Mark(), limit=limit)


@MUTANTS.add("the feed omits requests", "the_feed_brings_arrivals_whole")
class WithoutRequests(InMemoryFeed):
    def after(self, project: str, mark: Mark, *, limit: int) -> tuple[Change, ...]:
        changes = super().after(project, mark, limit=limit)
        return tuple(evolve(each, arrival=evolve(each.arrival, request=None)) for each in changes)


@MUTANTS.add("an erase keeps the revision", "a_state_changes_with_each_change")
class OverlooksErasing(InMemoryFeed):
    """Takes the revision from the latest change in its feed, so that an erase doesn't change it."""

    def state(self, home: str) -> FeedState | None:
        found = super().state(home)
        marks = [each.mark.revision for each in super().after(home, Mark(), limit=10**6)]
        return None if found is None else evolve(found, revision=max(marks, default=0))


@MUTANTS.add("an unknown project has an empty feed", "an_unknown_project_is_refused")
class EmptyForTheUnknown(InMemoryFeed):
    def after(self, project: str, mark: Mark, *, limit: int) -> tuple[Change, ...]:
        try:
            return super().after(project, mark, limit=limit)
        except UnknownProjectError:
            return ()


@MUTANTS.add("closing twice fails", "closing_twice_is_harmless")
class ClosesOnce(BrokenStorage):
    closed = False

    def close(self) -> None:
        if self.closed:
            raise RuntimeError("already closed")
        self.closed = True


@MUTANTS.add("maintenance never ends", "maintenance_ends_and_changes_no_answer")
class NeverMaintained(BrokenStorage):
    def maintain(self) -> bool:
        return True


@MUTANTS.add(
    "everything is kept in memory only",
    "facts_survive_a_restart",
    "projects_survive_a_restart",
    "search_survives_a_restart",
)
class LosesAll(DurableStorage):
    def restarted(self) -> None:
        self.registry = self.parts.registry()


MUTANTS.add("DURABLE is not declared", "facts_survive_a_restart")(declaring(frozenset(), DurableStorage))
MUTANTS.add("ERASE_BYTES is declared without ERASE", "capabilities_are_a_frozen_set")(without(Capability.ERASE))
MUTANTS.add(
    "sound durable storage",
    "facts_survive_a_restart",
    "search_survives_a_restart",
    "projects_survive_a_restart",
    "vectors_survive_a_restart",
    sound=True,
)(DurableStorage)
