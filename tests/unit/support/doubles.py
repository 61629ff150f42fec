"""A desk: all use cases over in-memory stand-ins."""

import re
from collections.abc import Callable, Iterator, Mapping
from datetime import timedelta
from functools import cache
from inspect import signature
from operator import attrgetter
from pathlib import Path
from typing import Any, Generic, TypeVar
from uuid import UUID

from attrs import define, evolve, field, frozen

from lamella.application.audit.log import ShowLog
from lamella.application.audit.undo import Undo
from lamella.application.capture.drain_spool import DrainSpool
from lamella.application.conversations.erase_conversation import EraseConversation
from lamella.application.conversations.find import RecallMessages
from lamella.application.conversations.import_transcripts import ImportTranscripts
from lamella.application.conversations.read_conversation import ReadConversation
from lamella.application.conversations.show_message import ShowMessage
from lamella.application.conversations.summarise_session import SummariseSession
from lamella.application.embeddings.background_worker import Embedding
from lamella.application.embeddings.query_vector import Meaning
from lamella.application.ledger.check_edit import CheckEdit
from lamella.application.ledger.file_history import ShowFileHistory
from lamella.application.ledger.find_unreported import FindUnreported
from lamella.application.ledger.learn_from_git import LearnHistory
from lamella.application.ledger.record_change import RecordChanges
from lamella.application.memories.get import GetObservations
from lamella.application.memories.purge_restore_erase import EraseMemories, PurgeMemories, RestoreMemories
from lamella.application.memories.save import SaveMemory, SaveRequest
from lamella.application.memories.save_outcome import SaveOutcome
from lamella.application.memories.timeline import ShowTimeline
from lamella.application.projects.context import ProjectContext
from lamella.application.projects.resolver import ProjectResolver
from lamella.application.search.hybrid import HybridSearch
from lamella.application.search.recall import RecallMemories, RecallRequest
from lamella.application.search.review import ReviewMemories
from lamella.application.search.search import SearchMemories
from lamella.application.search.similar import SearchByMeaning
from lamella.domain.call import Call
from lamella.domain.conversations.message import Batch, MessageDraft, Role
from lamella.domain.memories.observation import Observation
from lamella.domain.memories.query import Selector
from lamella.domain.projects.project import Project
from lamella.domain.replies.views import Detail
from lamella.ports.history import CodeHistory
from lamella.ports.shared_folder import SharedFolders
from lamella.ports.storage.observations import ObservationStorage
from lamella.ports.storage.storage import Storage
from lamella.ports.transcripts import Transcripts
from lamella_adapters.memory import InMemoryStorage
from lamella_adapters.shared_folder.folders import RecordedFolders
from tests.unit.capture.spools import InMemorySpool
from tests.unit.support.stand_ins import CountingBy, CountingIds, FixedClock, FolderTree, NamedMachine, ToldHistory

HOME = Path("/home/ada/lovelace")
"""Location of every desk."""

CALL = Call(directory=HOME, session="session-1")
"""Call of every desk, until it is elsewhere."""

NOTHING_SHARED = RecordedFolders(Path("/nowhere"))
NOTHING_SAVED = "No memories saved in this project yet."


def everything(here: ProjectContext) -> list[Observation]:
    """Return all observations of a project, purged ones too, in order of id."""
    return [hit.observation for hit in here.observations.starting_with([""], limit=500)[""]]


_Made = TypeVar("_Made")


@frozen
class UseCase(Generic[_Made]):
    """A use case over what the desk has at that moment."""

    kind: Callable[..., _Made]

    def __get__(self, desk: "Desk", _: type["Desk"]) -> _Made:
        return desk.make(self.kind)


_PARTS: Mapping[str, Callable[["Desk"], object]] = {
    "working_tree": attrgetter("tree"),
    "search": attrgetter("searching"),
    "tokenizer": lambda desk: CountingBy(desk.count),
    "meaning": lambda desk: Meaning(desk.embedding),
    "hybrid": lambda desk: HybridSearch(Meaning(desk.embedding)),
}
"""What use cases call otherwise than the desk."""


@cache
def _needs(kind: Callable[..., object]) -> tuple[str, ...]:
    return tuple(each.name for each in signature(kind).parameters.values() if each.default is each.empty)


@define
class Desk:
    """All use cases over one storage, called from one folder. Each save is a minute after the previous one."""

    count: Callable[[str], int] = len
    storage: Storage = field(factory=InMemoryStorage)
    clock: FixedClock = field(factory=FixedClock)
    ids: CountingIds = field(factory=CountingIds)
    tree: FolderTree = field(factory=FolderTree)
    machine: NamedMachine = field(factory=NamedMachine)
    spool: InMemorySpool = field(factory=InMemorySpool)
    call: Call = CALL
    embedding: Embedding | None = None
    shows_everywhere: bool = True
    shared_folder: SharedFolders = NOTHING_SHARED

    searching = UseCase(SearchMemories)
    search_by_meaning = UseCase(SearchByMeaning)
    recalling = UseCase(RecallMemories)
    review = UseCase(ReviewMemories)
    purge = UseCase(PurgeMemories)
    get = UseCase(GetObservations)
    timeline = UseCase(ShowTimeline)
    recall_messages = UseCase(RecallMessages)
    show_message = UseCase(ShowMessage)
    record = UseCase(RecordChanges)
    check = UseCase(CheckEdit)
    file_history = UseCase(ShowFileHistory)
    restore = UseCase(RestoreMemories)
    log = UseCase(ShowLog)
    undo = UseCase(Undo)
    erase = UseCase(EraseMemories)
    erase_conversation = UseCase(EraseConversation)
    read_conversation = UseCase(ReadConversation)
    save_memory = UseCase(SaveMemory)

    def at(self, **changes: Any) -> "Desk":
        return evolve(self, call=evolve(self.call, **changes))

    def make(self, kind: Callable[..., _Made], **more: object) -> _Made:
        """Make a use case over what the desk has, and `more`."""
        for name in set(_needs(kind)) - set(more):
            more[name] = _PARTS[name](self) if name in _PARTS else getattr(self, name)
        return kind(**more)

    @property
    def projects(self) -> ProjectResolver:
        return ProjectResolver(
            storage=self.storage,
            working_tree=self.tree,
            clock=self.clock,
            machine=self.machine,
            open_empty=InMemoryStorage,
            shows_everywhere=self.shows_everywhere,
        )

    @property
    def here(self) -> ProjectContext:
        return self.projects.find(self.call)

    @property
    def made_here(self) -> ProjectContext:
        return self.projects.find_or_create(self.call)

    @property
    def project(self) -> Project:
        project = self.made_here.project
        assert project is not None
        return project

    @property
    def observations(self) -> ObservationStorage:
        return self.made_here.observations

    @property
    def everything(self) -> list[Observation]:
        return everything(self.made_here)

    def kept(self, id: UUID) -> Observation:
        return self.observations.get_all([id])[id]

    def draining(
        self, transcripts: Callable[[Path | None], Transcripts], history: CodeHistory | None = None
    ) -> DrainSpool:
        """Return a use case to drain the spool, with the conversations that `transcripts` returns for a path."""
        return self.make(
            DrainSpool,
            transcripts=lambda _client, path: transcripts(path),
            record_changes=self.record,
            find_unreported=self.make(FindUnreported, history=history or ToldHistory()),
            import_transcripts=self.importing(transcripts),
            summarise_session=self.make(SummariseSession),
        )

    def importing(self, transcripts: Callable[[Path | None], Transcripts]) -> ImportTranscripts:
        """Return a use case to import what `transcripts` returns for a path."""
        return self.make(ImportTranscripts, transcripts=lambda _client, path: transcripts(path))

    def said(
        self, *texts: str, session: str = "session-1", role: Role = Role.HUMAN, name: str | None = None
    ) -> list[int]:
        """Add messages at intervals of a minute, and return their numbers."""
        conversations = self.made_here.conversations()
        before = conversations.numbers(session)
        drafts = []
        for number, text in enumerate(texts):
            self.clock.advance(timedelta(minutes=1))
            key = f"{session} {len(before) + number}"
            drafts.append(MessageDraft(key=key, session=session, role=role, text=text, at=self.clock.moment))
        names = {session: name} if name else {}
        conversations.add(Batch(source="said", position="", drafts=tuple(drafts), names=names))
        return list(conversations.numbers(session)[len(before) :])

    def learning(self, history: CodeHistory) -> LearnHistory:
        return self.make(LearnHistory, history=history)

    def saving(self, request: SaveRequest) -> SaveOutcome:
        self.clock.advance(timedelta(minutes=1))
        return self.save_memory(self.call, request)

    def save(self, text: str, **given: Any) -> Observation:
        return self.saving(SaveRequest(text=text, **given)).observation

    def recall(self, selector: Selector, detail: Detail = Detail.COMPACT, **more: Any) -> str:
        """Return the reply to a question without filters."""
        return self.recalling(self.call, RecallRequest(selector=selector, detail=detail, **more))

    def shown(self, selector: Selector, detail: Detail = Detail.COMPACT, *, limit: int = 10) -> list[str]:
        """Return the lines of a reply without its footer."""
        return self.recall(selector, detail, limit=limit).rpartition("\n---\n")[0].split("\n")


def titles(desk: Desk, request: RecallRequest | None = None) -> list[str]:
    """Return the titles in a compact reply, in order; by default the latest memories."""
    body = desk.recalling(desk.call, request or RecallRequest()).rpartition("\n---\n")[0]
    return [line.split(" | ")[1] for line in body.split("\n") if line.startswith("[")]


def desk_with(*texts: str) -> Desk:
    """Return a desk with these texts saved at intervals of a minute."""
    desk = Desk()
    for text in texts:
        desk.save(text)
    return desk


def pages(desk: Desk, request: RecallRequest) -> Iterator[str]:
    """Return all pages of an answer, by following its cursors."""
    cursor: str | None = ""
    while cursor is not None:
        page = desk.recalling(desk.call, evolve(request, cursor=cursor or None))
        yield page
        following = re.search(r" \| next: (\S+)", page.rpartition("\n---\n")[2])
        cursor = following[1] if following else None
