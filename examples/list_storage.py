"""A storage that keeps everything in lists and declares no capabilities: the example of `contracts/README.md`."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from itertools import islice
from threading import RLock
from typing import TypeVar
from uuid import UUID

from attrs import define, evolve, field

from lamella.domain.errors import CapabilityUnsupportedError, UnknownProjectError
from lamella.domain.exchange.arrival import Arrival
from lamella.domain.memories.filtering import passes
from lamella.domain.memories.ids import short_id
from lamella.domain.memories.observation import Observation
from lamella.domain.memories.query import ByText, ByTitle, Filters, Hit, Match, RecallQuery
from lamella.domain.memories.timeline import Neighbours, TimelineQuery
from lamella.domain.projects.project import Project
from lamella.domain.search import indexing
from lamella.domain.search.indexing import IndexedText
from lamella.domain.search.weights import kind_weight
from lamella.domain.text.printing import canonical, stored_key
from lamella.domain.text.words import Word, query_words
from lamella.domain.transactions.catalogue import Catalogue, ProjectLook
from lamella.domain.transactions.look import SIMILAR, Facts, Look, Same, Status
from lamella.domain.transactions.plan import Insert, Plan, SetStatus
from lamella.domain.transactions.registry import KeepOff, LeadTo, MakeProject, RegistryPlan
from lamella.ports.storage.observations import ObservationStorage
from lamella.ports.storage.projects import ProjectRegistry
from lamella.ports.storage.search import KindCounts, ObservationSearch
from lamella.ports.storage.storage import Capability, Storage
from lamella_adapters.fts5 import bm25
from lamella_adapters.fts5.scores import Rows

T = TypeVar("T")


class ListRegistry(ProjectRegistry):
    """Registry of the projects, with the rows of each project."""

    def __init__(self) -> None:
        self.lock = RLock()
        self.projects: dict[str, Project] = {}
        self.rows: dict[str, list[Insert]] = {}

    def look(self, look: ProjectLook) -> Catalogue:  # noqa: ARG002 - returning all projects is allowed
        with self.lock:
            return Catalogue.of(self.projects.values())

    def transact(self, look: ProjectLook, decide: Callable[[Catalogue], tuple[RegistryPlan, T]]) -> T:
        with self.lock:
            plan, outcome = decide(self.look(look))
            for write in plan:
                self.write(write)
            return outcome

    def write(self, write: MakeProject | LeadTo | KeepOff) -> None:
        if isinstance(write, MakeProject):
            made = write.project
            self.projects.setdefault(made.id, evolve(made, aliases=tuple(map(stored_key, made.aliases))))
            self.rows.setdefault(made.id, [])
        elif isinstance(write, LeadTo):
            known = self.projects[write.project]
            taken = {alias for each in self.projects.values() for alias in each.aliases}
            aliases = {*known.aliases, *(each for each in write.aliases if each not in taken)}
            self.projects[known.id] = evolve(known, aliases=tuple(sorted(aliases)))
        else:
            self.projects[write.project.id] = write.project


@define(eq=False)
class ListStorage(Storage):
    """Projects and their memories, in the lists of this process."""

    registry: ListRegistry = field(factory=ListRegistry)
    capabilities = frozenset[Capability]()

    def observations(self, project: str) -> "Memories":
        if project not in self.registry.projects:
            raise UnknownProjectError(asked=project)
        return Memories(project, self.registry)

    search = observations

    def close(self) -> None:
        pass


class Memories(ObservationStorage, ObservationSearch):
    """The memories of one project: a list, in order of insertion."""

    def __init__(self, project: str, registry: ListRegistry) -> None:
        self.project, self.projects = project, registry.projects
        self.rows, self.lock = registry.rows[project], registry.lock

    def look(self, look: Look) -> Facts:
        with self.lock:
            every = {row.observation.id: row.observation for row in self.rows}
            return Facts(
                project=self.project,
                sequence=max((saved.sequence for saved in every.values()), default=0),
                latest=max((saved.occurred_at for saved in every.values()), default=None),
                statuses={
                    id: Status(every[id].purged, every[id].origin, every[id].replaced_by)
                    for id in look.ids
                    if id in every
                },
                observations={id: every[id] for id in look.observations if id in every},
                same=tuple(
                    Same(row.observation, row.request) for row in self.rows if row.fingerprint == look.fingerprint
                ),
                starting=self.starting(look),
                similar=self.similar(look.similar) if look.similar else {},
                off_since=self.projects[self.project].off_since if look.off else None,
            )

    def transact(self, look: Look, decide: Callable[[Facts], tuple[Plan, T]]) -> T:
        if look.erasing:
            raise CapabilityUnsupportedError(capability=Capability.ERASE)
        with self.lock:
            plan, outcome = decide(self.look(look))
            for write in plan:
                if isinstance(write, Insert):
                    self.rows.append(write)
                elif isinstance(write, SetStatus):
                    self.set_status(write)
            return outcome

    def set_status(self, write: SetStatus) -> None:
        at = write.at if write.purged else None
        for number, row in enumerate(self.rows):
            if row.observation.id in write.ids:
                said = evolve(row.observation, purged_at=at, updated_at=write.at, replaced_by=write.replaced_by)
                self.rows[number] = evolve(row, observation=said)

    def page(self, *, after: int = 0, limit: int) -> tuple[Arrival, ...]:
        with self.lock:
            later = [row for row in self.rows if row.observation.sequence > after]
        return tuple(Arrival(observation=row.observation, request=row.request) for row in later[:limit])

    def starting(self, look: Look) -> Mapping[str, tuple[Hit, ...]]:
        every = sorted(self.oldest_first(), key=lambda saved: saved.id)
        found = {prefix: [saved for saved in every if saved.id.hex.startswith(prefix)] for prefix in look.prefixes}
        return {prefix: self.hits(saved[: look.each], Match.ID) for prefix, saved in found.items()}

    def similar(self, words: Sequence[str]) -> Mapping[UUID, str]:
        first, *others = (set(bm25.tokens(word)) for word in words)
        found = {}
        for saved in (saved for saved in self.oldest_first() if saved.kind == "note" and not saved.purged):
            held = set(bm25.tokens(saved.content))
            if first <= held and any(each <= held for each in others):
                found[saved.id] = saved.content
        return dict(list(found.items())[-SIMILAR:])

    def hits(self, observations: Iterable[Observation], match: Match) -> tuple[Hit, ...]:
        every = [saved.id for saved in self.oldest_first()]
        ids = ((saved, short_id(saved.id, every)) for saved in observations)
        return tuple(Hit(observation=saved, short_id=id, match=match) for saved, id in ids)

    def oldest_first(self) -> list[Observation]:
        with self.lock:
            saved = [row.observation for row in self.rows]
        return sorted(saved, key=lambda one: (one.occurred_at, one.sequence))

    def kinds(self, *, since: Sequence[datetime] = ()) -> KindCounts:
        return KindCounts.of(self.oldest_first(), since)

    def around(self, query: TimelineQuery) -> Neighbours:
        return Neighbours.of(self.oldest_first(), query, self.hits)

    def find(self, query: RecallQuery) -> tuple[Hit, ...]:
        newest_first = self.oldest_first()[::-1]
        live = [saved for saved in newest_first if not saved.purged]
        match query.selector:
            case ByText(text=text):
                words = query_words(text)
                hits = self.ranked(words, live, query.filters)
                if query.include_purged:
                    hits += self.ranked(words, [saved for saved in newest_first if saved.purged], query.filters)
                return tuple(hits[: query.limit])
            case ByTitle(part=part):
                kind, wanted = Match.TITLE, canonical(part)
            case _:
                kind, wanted = Match.RECENT, ""
        asked = kind is Match.TITLE or query.filters.path is not None
        found = [
            saved
            for saved in (newest_first if query.include_purged else live)
            if passes(saved, query.filters) and wanted in canonical(saved.title) and (asked or not saved.learned)
        ]
        return self.hits(found, kind)[: query.limit]

    def ranked(self, words: Sequence[Word], newest_first: Sequence[Observation], filters: Filters) -> list[Hit]:
        """Return the observations that contain any of the words. Statistics come from all given observations."""
        texts = indexed(newest_first)
        plan, scores = Rows.of({id: text.columns for id, text in texts.items()}).ranked(words)
        holders = [saved for saved in newest_first if saved.id in scores and passes(saved, filters)]
        hits = []
        for hit in self.hits(holders, Match.WORDS):
            saved = hit.observation
            others = (saved.title, texts[saved.id].hidden_forms, indexing.heading(saved))
            score = scores[saved.id] * kind_weight(saved.kind)
            if found := plan.hit(saved, others, short_id=hit.short_id, score=score):
                hits.append((score, found))
        return [hit for _, hit in sorted(hits, key=lambda one: (-one[0], -one[1].observation.sequence))]


def indexed(newest_first: Sequence[Observation]) -> dict[UUID, IndexedText]:
    """Return the indexed text of each observation, by id."""
    texts = {}
    for place, saved in enumerate(newest_first):
        before = (
            other
            for other in newest_first[place + 1 :]
            if not saved.purged and saved.session is not None and other.session == saved.session
        )
        texts[saved.id] = indexing.indexed_text(saved, islice(before, indexing.CONTEXT_OBSERVATIONS))
    return texts
