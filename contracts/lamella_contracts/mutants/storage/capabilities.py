"""Faults in declarations, closing and restarts, in access tokens, and in the feed of changes."""

from attrs import evolve

from lamella.domain.access.grant import DEFAULT_TENANT
from lamella.domain.access.token import AccessToken
from lamella.domain.errors import UnknownProjectError
from lamella.ports.storage.feed import Change, FeedState, Mark
from lamella.ports.storage.storage import Capability
from lamella_adapters.memory.access_tokens import InMemoryAccessTokens
from lamella_adapters.memory.feed import InMemoryFeed
from lamella_contracts.mutants import broken_storage

MUTANTS = broken_storage.storage_mutants()
_PROMISES = {Capability.DURABLE, Capability.ERASE_BYTES, Capability.EXACT_RANKING, Capability.SHARED}
"""Capabilities that only guarantee a quality. A storage without such a capability refuses no call."""

for _capability in frozenset(Capability) - _PROMISES - {Capability.BACKUP, Capability.TENANTS}:
    MUTANTS.add(f"{_capability.name} is neither declared nor refused")(broken_storage.without(_capability))


@MUTANTS.add("scopes are not stored")
class LosesScopes(InMemoryAccessTokens):
    def add(self, token: AccessToken, digest: bytes) -> None:
        super().add(evolve(token, scopes=frozenset()), digest)


@MUTANTS.add("tokens of the same time are in order of insertion")
class OrdersByAdding(InMemoryAccessTokens):
    def all(self, tenant: str) -> tuple[AccessToken, ...]:
        added = [each.id for each in self.tokens.values()]
        return tuple(sorted(super().all(tenant), key=lambda each: (each.created_at, added.index(each.id))))


@MUTANTS.add("tokens of other tenants are not counted")
class CountsTheDefaultTenant(InMemoryAccessTokens):
    def exist(self) -> bool:
        return bool(self.all(DEFAULT_TENANT))


@MUTANTS.add("nothing is logged")
class LogsNothing(InMemoryAccessTokens):
    def note(self, *event: str) -> None:
        """Ignore the event, without logging it."""


@MUTANTS.add("tokens are kept in memory only")
class Forgetful(broken_storage.DurableStorage):
    """Storage that declares durability, but loses tokens at a restart."""

    def restarted(self) -> None:
        self.access_tokens.tokens.clear()


@MUTANTS.add("the mark of the feed is ignored")
class BringsAll(InMemoryFeed):
    def after(self, project: str, mark: Mark, *, limit: int) -> tuple[Change, ...]:
        del mark
        return super().after(project, Mark(), limit=limit)


@MUTANTS.add("the feed omits requests")
class WithoutRequests(InMemoryFeed):
    def after(self, project: str, mark: Mark, *, limit: int) -> tuple[Change, ...]:
        changes = super().after(project, mark, limit=limit)
        return tuple(evolve(each, arrival=evolve(each.arrival, request=None)) for each in changes)


@MUTANTS.add("an erase keeps the revision")
class OverlooksErasing(InMemoryFeed):
    """Feed that takes the revision from its latest change, so that an erase doesn't change the revision."""

    def state(self, home: str) -> FeedState | None:
        found = super().state(home)
        marks = [each.mark.revision for each in super().after(home, Mark(), limit=10**6)]
        return None if found is None else evolve(found, revision=max(marks, default=0))


@MUTANTS.add("an unknown project has an empty feed")
class EmptyForTheUnknown(InMemoryFeed):
    def after(self, project: str, mark: Mark, *, limit: int) -> tuple[Change, ...]:
        try:
            return super().after(project, mark, limit=limit)
        except UnknownProjectError:
            return ()


@MUTANTS.add("closing twice fails")
class ClosesOnce(broken_storage.BrokenStorage):
    closed = False

    def close(self) -> None:
        if self.closed:
            raise RuntimeError("already closed")
        self.closed = True


@MUTANTS.add("maintenance never ends")
class NeverMaintained(broken_storage.BrokenStorage):
    def maintain(self) -> bool:
        return True


@MUTANTS.add("everything is kept in memory only")
class LosesAll(broken_storage.DurableStorage):
    def restarted(self) -> None:
        self.registry = self.parts.registry()


MUTANTS.add("DURABLE is not declared")(broken_storage.declaring(frozenset(), broken_storage.DurableStorage))
MUTANTS.add("ERASE_BYTES is declared without ERASE")(broken_storage.without(Capability.ERASE))
MUTANTS.add("sound durable storage", sound=True)(broken_storage.DurableStorage)
