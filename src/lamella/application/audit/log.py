"""Show the changes of memories with their authors and times."""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from heapq import merge
from itertools import chain
from uuid import UUID

from attrs import define, evolve, field, frozen

from lamella.application.projects.context import ProjectContext
from lamella.application.projects.resolver import ProjectResolver
from lamella.domain.audit.entry import AuditEntry, entry_name
from lamella.domain.audit.undoing import undone_by
from lamella.domain.call import Call
from lamella.domain.memories.observation import Observation
from lamella.ports.storage.observations import ObservationStorage

DEFAULT_ENTRIES = 20
"""Default number of entries in a log."""

_BATCH = 500
"""Number of memories to read at a time."""


@frozen
class Logged:
    """Entry of the audit trail, with the numbers of related entries.

    Attributes:
        entry: The entry.
        everywhere: True if the entry is about global memories.
        undoes: Number of the entry that this entry undoes. None if this entry isn't an undo, or if the undone
            entry isn't in the trail.
        undone_by: Number of the entry that has undone this entry. None without an undo in effect.
        titles: Titles of the entry's memories, keyed by memory id. Empty if no titles were requested. Memories
            outside of the project are left out.
        arrived_purged: Memories of `titles` that an import added in the purged state.
    """

    entry: AuditEntry
    everywhere: bool = False
    undoes: int | None = None
    undone_by: int | None = None
    titles: Mapping[UUID, str] = field(factory=dict)
    arrived_purged: frozenset[UUID] = frozenset()

    @property
    def name(self) -> str:
        """Display name of the entry, for commands and pages."""
        return self.named(self.entry.number)

    def named(self, number: int) -> str:
        """Return the display name of entry `number`, which is in the same trail as this entry."""
        return entry_name(number, everywhere=self.everywhere)


@define
class ShowLog:
    """List the changes of a project's memories and of global memories."""

    projects: ProjectResolver

    def __call__(
        self,
        call: Call,
        *,
        limit: int = DEFAULT_ENTRIES,
        memory: UUID | None = None,
        names: int | None = None,
        titles: int = 0,
    ) -> tuple[Logged, ...]:
        """Return the latest changes, newest first.

        Args:
            call: Context of the call.
            limit: Maximum number of changes.
            memory: Return only changes of this memory.
            names: Maximum length of an entry's lists of added, purged and restored memories; None for no maximum.
            titles: Maximum number of titles to return for each of these lists.

        Raises:
            CapabilityUnsupportedError: The storage keeps no audit trail.
        """
        shown: list[Logged] = []
        sought: set[UUID] = set()
        numbers: dict[UUID, int] = {}
        places = places_of(self.projects, call)
        trails = (
            map(partial(Logged, everywhere=everywhere), here.audit().all(memory=memory, names=names))
            for everywhere, here in places.items()
        )
        # Entries are newest first, so an undo comes before the entry that it undoes.
        for each in merge(*trails, key=lambda each: each.entry.by.at, reverse=True):
            entry = each.entry
            numbers[entry.id] = entry.number
            if len(shown) < limit:
                shown.append(each)
                sought |= {entry.by.undoes} if entry.by.undoes else set()
            sought.discard(entry.id)
            if len(shown) >= limit and not sought:
                break
        undone = undone_by(each.entry for each in shown)
        named = {
            everywhere: _named(here, (each.entry for each in shown if each.everywhere is everywhere), titles)
            for everywhere, here in places.items()
        }
        found = {everywhere: {id: said.title for id, said in each.items()} for everywhere, each in named.items()}
        return tuple(
            evolve(
                each,
                undoes=numbers.get(each.entry.by.undoes) if each.entry.by.undoes else None,
                undone_by=undone.get(each.entry.id),
                titles=found[each.everywhere],
                arrived_purged=frozenset(_arrived_purged(each.entry, named[each.everywhere], titles)),
            )
            for each in shown
        )

    def titles(self, call: Call, ids: Iterable[UUID], *, everywhere: bool = False) -> Mapping[UUID, str]:
        """Return titles, keyed by memory id. Memories outside of the project are left out.

        If `everywhere` is true, look up global memories instead of the project's.
        """
        observations = places_of(self.projects, call)[everywhere].observations
        return {each.id: each.title for each in some_of(observations, ids)}


def places_of(projects: ProjectResolver, call: Call) -> Mapping[bool, ProjectContext]:
    """Return the call's project, under the key False.

    If global memories are shown, also return their project, under the key True.
    """
    here = projects.find(call)
    return {False: here} if (everywhere := here.everywhere) is None else {False: here, True: everywhere}


def some_of(observations: ObservationStorage, ids: Iterable[UUID]) -> Iterator[Observation]:
    """Yield the observations that exist among `ids`. Reads some hundreds at a time."""
    asked = list(dict.fromkeys(ids))
    for start in range(0, len(asked), _BATCH):
        yield from observations.get_all(asked[start : start + _BATCH]).values()


def _named(here: ProjectContext, entries: Iterable[AuditEntry], most: int) -> Mapping[UUID, Observation]:
    named = (each[:most] for entry in entries for each in (entry.added, entry.purged, entry.restored))
    return {each.id: each for each in some_of(here.observations, chain.from_iterable(named))}


def _arrived_purged(entry: AuditEntry, named: Mapping[UUID, Observation], most: int) -> Iterator[UUID]:
    for id in entry.added[:most]:
        if id in named and (at := named[id].purged_at) is not None and at < entry.by.at:
            yield id
