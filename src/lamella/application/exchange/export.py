"""Export of memories and conversations."""

from collections.abc import Collection, Iterator, Sequence
from itertools import chain

from attrs import define, evolve, field, frozen

from lamella.application.exchange.project_mapping import repository_of
from lamella.application.projects.resolver import ProjectResolver
from lamella.domain.call import Call
from lamella.domain.conversations.message import MessageDraft
from lamella.domain.exchange.arrival import Arrival
from lamella.domain.exchange.records import EXPORTED_ACTIONS, Audited, Record, Said, SessionName
from lamella.domain.ledger.commits import request_of_learned
from lamella.domain.memories.kind import Kind
from lamella.domain.memories.observation import Observation
from lamella.domain.memories.query import Filters
from lamella.domain.projects.identity import is_repository, without_places
from lamella.domain.projects.project import Project
from lamella.domain.text.marks import Erased, memory_mark, session_mark
from lamella.domain.transactions.catalogue import Catalogue
from lamella.domain.validation import instance_of
from lamella.ports.storage.conversations import Conversations
from lamella.ports.storage.observations import ObservationStorage
from lamella.ports.storage.storage import Capability, Storage
from lamella.ports.system import Clock
from lamella.ports.working_tree import WorkingTree

_PAGE = 500
"""Number of observations and messages to read at a time."""


@frozen(kw_only=True)
class ExportRequest:
    """Selection of projects and memories to export.

    Attributes:
        every_project: True to export all projects; False to export the project of the call.
        filters: Conditions on memories. `session`, `since` and `until` apply to messages too.
        kinds: Export only these kinds of memories; empty for all.
        source: Export only memories with this source.
        include_purged: True to include purged memories.
        include_messages: True to include conversations.
        placeless: True for an export to other machines of the user. Locations of projects are left out, and marks
            of erased data (see `domain.text.marks`) are added.
    """

    every_project: bool = field(default=False, validator=instance_of(bool))
    filters: Filters = field(factory=Filters, validator=instance_of(Filters))
    kinds: frozenset[Kind] = field(default=frozenset(), validator=instance_of(frozenset | set, "a set of kinds"))
    source: str | None = field(default=None, validator=instance_of(str | None, "a text"))
    include_purged: bool = field(default=True, validator=instance_of(bool))
    include_messages: bool = field(default=False, validator=instance_of(bool))
    placeless: bool = field(default=False, validator=instance_of(bool))

    @property
    def whole(self) -> bool:
        """True if all memories of a project are exported."""
        narrowed = self.source or self.filters.session or self.filters.path or self.filters.since
        return self.include_purged and not narrowed and self.kinds in (frozenset(), frozenset(Kind))

    def passes(self, observation: Observation, path: str | None) -> bool:
        """Return True if an observation is exported.

        Args:
            observation: Observation to check.
            path: File or folder that the observation must concern, relative to the root; None for any.
        """
        since, session = self.filters.since, self.filters.session
        return (
            (self.include_purged or not observation.purged)
            and (not self.kinds or observation.kind in self.kinds)
            and self.source in (None, observation.source)
            and session in (None, observation.session)
            and (since is None or observation.occurred_at >= since)
            and (path is None or any(_is_about(change.path, path) for change in observation.changes))
        )


@define
class ExportMemories:
    """Export projects with all their data, in a stable order."""

    storage: Storage
    projects: ProjectResolver
    working_tree: WorkingTree
    clock: Clock

    def __call__(self, call: Call, request: ExportRequest) -> Iterator[Record]:
        """Yield all projects. Then yield the memories, audit entries, session names and messages of each project.

        Merged projects come after all other projects. Memories saved during the export may be missing.

        Raises:
            UnknownProjectError: `call.project` is unknown.
            AmbiguousProjectError: `call.project` is the name of several projects.
            PathOutsideProjectError: The path is outside the project.
            StorageError: The storage failed.
        """
        request = evolve(request, filters=request.filters.completed(self.clock.now()))
        path = request.filters.path
        if path is not None:
            path = self.working_tree.relative(self.projects.root(call), path)
        every = self.storage.registry.all()
        chosen = every if request.every_project else self._of(call, every)
        ordered = _in_order(chosen)
        yield from map(without_places, ordered) if request.placeless else self._with_repositories(ordered, every)
        for project in sorted(chosen, key=lambda each: each.id):
            if project.moved_to is None:
                erased = self.storage.observations(project.id).erased() if request.placeless else frozenset()
                yield from self._memories(project, request, path, erased)
                if request.whole and Capability.AUDIT in self.storage.capabilities:
                    yield from self._entries(project)
                if request.include_messages and Capability.CONVERSATIONS in self.storage.capabilities:
                    yield from self._messages(project, request.filters, erased)
                if erased:
                    yield Erased(project.id, erased)

    def _of(self, call: Call, every: Sequence[Project]) -> Sequence[Project]:
        """Return the project of a call, and all projects merged into it."""
        here = self.projects.find(call).project
        if here is None:
            return ()
        successors = Catalogue.of(every).successors
        return [each for each in every if successors[each.id] == here.id]

    def _with_repositories(self, projects: Sequence[Project], every: Sequence[Project]) -> Iterator[Project]:
        """Yield projects with the aliases of their repositories.

        Other clones of a repository find its project by the alias. If a repository has several clones on this
        machine, only the project of the first clone gets the alias.
        """
        taken = {alias for each in every for alias in each.aliases if is_repository(alias)}
        found: dict[str, str] = {}
        for project in sorted(every, key=lambda each: (each.created_at, each.id)):
            alias = None if project.moved_to else repository_of(project, self.working_tree)
            if alias is not None and alias not in taken:
                taken.add(alias)
                found[project.id] = alias
        for project in projects:
            more = found.get(project.id)
            yield evolve(project, aliases=tuple(sorted({*project.aliases, *([more] if more else [])})))

    def _memories(
        self, project: Project, request: ExportRequest, path: str | None, erased: frozenset[bytes]
    ) -> Iterator[Arrival]:
        for page in pages_of(self.storage.observations(project.id)):
            for arrival in page:
                gone = erased and memory_mark(arrival.observation.id) in erased
                if not gone and request.passes(arrival.observation, path):
                    yield arrival

    def _entries(self, project: Project) -> Iterator[Audited]:
        trail, before = self.storage.audit(project.id), None
        found: list[Audited] = []
        while page := trail.entries(before=before, limit=_PAGE):
            about_memories = [each for each in page if each.action in EXPORTED_ACTIONS]
            found += [Audited(project.id, evolve(each, number=0)) for each in about_memories]
            before = page[-1].number
        yield from reversed(found)

    def _messages(
        self, project: Project, filters: Filters, erased: frozenset[bytes]
    ) -> Iterator[SessionName | Said]:
        def passes(session: str) -> bool:
            return filters.session in (None, session) and not (erased and session_mark(session) in erased)

        conversations = self.storage.conversations(project.id)
        for session, name in conversations.names().items():
            if passes(session):
                yield SessionName(project.id, session, name)
        for draft in chain.from_iterable(messages_of(conversations)):
            recent = filters.since is None or draft.at >= filters.since
            if recent and passes(draft.session):
                yield Said(project.id, draft)


def pages_of(observations: ObservationStorage) -> Iterator[Sequence[Arrival]]:
    """Yield all observations of a project in exported form, some hundreds at a time."""
    after = 0
    while page := observations.page(after=after, limit=_PAGE):
        yield [
            each if each.request else evolve(each, request=request_of_learned(each.observation)) for each in page
        ]
        after = page[-1].observation.sequence


def messages_of(conversations: Conversations) -> Iterator[Collection[MessageDraft]]:
    """Yield all messages of a project, some hundreds at a time."""
    after = 0
    while page := conversations.page(after=after, limit=_PAGE):
        yield page.values()
        after = max(page)


def _in_order(projects: Sequence[Project]) -> Sequence[Project]:
    """Return unmerged projects in order of id, and then merged projects.

    In a chain of merges, the project that was merged first comes first, so that an import can repeat the merges.
    """
    known = {each.id: each for each in projects}

    def depth(project: Project) -> int:
        return 0 if project.moved_to not in known else 1 + depth(known[project.moved_to])

    return sorted(projects, key=lambda each: (each.moved_to is not None, -depth(each), each.id))


def _is_about(changed: str, path: str) -> bool:
    return path in (".", changed) or changed.startswith(f"{path}/")
