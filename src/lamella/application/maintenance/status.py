"""Show the content of a project, and the activity of hooks in it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta

from attrs import define, evolve, field, frozen

from lamella.application.projects.context import ProjectContext
from lamella.application.projects.moved import advice
from lamella.application.projects.resolver import ProjectResolver
from lamella.domain.audit.activity import by_session
from lamella.domain.call import Call
from lamella.domain.embeddings.vector import EmbeddingModel
from lamella.domain.memories.observation import Kind
from lamella.domain.projects.project import Project
from lamella.domain.transactions.look import Look
from lamella.ports.hook_copy import HookCopy
from lamella.ports.shared_folder import SharedFolderError, SharedFolders
from lamella.ports.spool import Spool, SpoolState
from lamella.ports.storage.activity import Activity, ActivityKind
from lamella.ports.storage.diagnosis import Space
from lamella.ports.storage.storage import Capability
from lamella.ports.storage.vectors import Coverage
from lamella.ports.system import Clock

WEEK = timedelta(days=7)
"""Time span of the displayed activity."""

LATEST_SESSIONS = 5
"""Maximum number of sessions with displayed activity."""


@frozen(kw_only=True)
class Tally:
    """Numbers of items since midnight, in the last seven days, and in total."""

    today: int = 0
    week: int = 0
    total: int = 0


@frozen(kw_only=True)
class Given:
    """Texts given by hooks to one session in the last seven days.

    Attributes:
        session: Id of the session; None for all sessions without an id.
        name: Name of the session, if known.
        times: Number of texts.
        tokens: Total size of all texts, in tokens.
        latest: Time of the last text.
    """

    session: str | None
    name: str | None
    times: int
    tokens: int
    latest: datetime


@frozen(kw_only=True)
class BackedUp:
    """Copies of a project.

    Attributes:
        copies: Number of copies.
        size: Total size in bytes.
        latest: Time of the latest copy, if any.
        trouble: Error of the latest attempt to copy any project; None if the attempt succeeded.
    """

    copies: int = 0
    size: int = 0
    latest: datetime | None = None
    trouble: str | None = None


@frozen(kw_only=True)
class Status:
    """Content of a project, location of the storage, and activity of hooks.

    Attributes:
        project: The project; None if it has no memories yet.
        place: Location of the storage, for display.
        live: Numbers of live memories, keyed by kind.
        purged: Numbers of purged memories, keyed by kind.
        sessions: Number of conversations.
        messages: Counts of messages.
        captured: Counts of automatically captured memories, keyed by kind.
        times: Number of texts given by hooks to conversations in the last seven days.
        tokens: Total size of these texts, in tokens.
        given: Texts given to each of the latest sessions, latest first.
        skipped: Numbers of skipped captures and texts in the last seven days, keyed by reason.
        spool: State of the spool, shared by all projects.
        hooked: True if a hook has ever run.
        embedder: Name of the embedder, if configured.
        lacks_embedder: True if search by meaning would work with an embedder.
        vectors: Embedding model and its progress; None if nothing was embedded yet.
        hook_reads: True if hooks can show memories, because they can read the storage or a copy of it.
        copied_at: Time when the hooks' copy was last compared with the storage. None before the first comparison,
            and if hooks read the storage itself.
        space: Bytes, keyed by kind of content; empty if unknown.
        backups: Copies of the project; None if the storage doesn't make copies.
        shared: Shared folder, relative to the root of the working tree; None if the project isn't shared.
        shared_waiting: Number of memories to purge after the user confirms. Above 0 if all files of the shared
            folder are gone.
        keeps_conversations: True if conversations are captured.
        moved: Sentence about a project that was most likely moved to this folder; empty if no project was moved.
    """

    project: Project | None
    place: str
    live: Mapping[Kind, int]
    purged: Mapping[Kind, int]
    sessions: int
    messages: Tally
    captured: Mapping[Kind, Tally]
    times: int
    tokens: int
    given: tuple[Given, ...]
    skipped: Mapping[str, int]
    spool: SpoolState
    hooked: bool
    embedder: str | None
    lacks_embedder: bool = False
    vectors: tuple[EmbeddingModel, Coverage] | None = None
    hook_reads: bool = True
    copied_at: datetime | None = None
    space: Mapping[Space, int] = field(factory=dict)
    backups: BackedUp | None = None
    shared: str | None = None
    shared_waiting: int = 0
    keeps_conversations: bool = True
    moved: str = ""


@define
class ShowStatus:
    """Show the status of a project, without creating it or draining the spool.

    Attributes:
        place: Location of the storage, for display.
        embedder: Name of the embedder, if configured.
        lacks_embedder: True if search by meaning would work with an embedder.
        hook_reads: True if hooks can read the storage or a copy of it.
        hook_copy: Copy for hooks; None if they read the storage itself.
        keeps_conversations: True if conversations are captured.
    """

    projects: ProjectResolver
    clock: Clock
    spool: Spool
    shared_folder: SharedFolders
    place: str
    embedder: str | None = None
    lacks_embedder: bool = False
    hook_reads: bool = True
    hook_copy: HookCopy | None = None
    keeps_conversations: bool = True

    def __call__(self, call: Call) -> Status:
        """Return the current status of a project.

        Raises:
            UnknownProjectError: The project doesn't exist.
            StorageError: The storage can't be read.
        """
        here, now = self.projects.find(evolve(call, even_off=True)), self.clock.now()
        midnight = now.astimezone(call.zone).replace(hour=0, minute=0, second=0, microsecond=0)
        today, week = midnight.astimezone(UTC), now - WEEK
        keeps_messages = here.keeps(Capability.CONVERSATIONS)
        sessions = here.conversations().sessions() if keeps_messages else ()
        kinds = here.search.kinds(since=(today, week))
        of_today, of_week = kinds.since
        messages_today, messages_week = (
            here.conversations().counts(since=(today, week)) if keeps_messages else (0, 0)
        )
        done = here.activity().since(week) if here.keeps(Capability.ACTIVITY) else ()
        by_hooks = [each for each in done if each.kind is not ActivityKind.RECALLED]
        injected = [each for each in by_hooks if each.kind is ActivityKind.INJECTED]
        skipped = Counter(each.about for each in done if each.kind is ActivityKind.SKIPPED)
        spool = self.spool.state()
        shared, waiting = self._shared(here)
        return Status(
            project=here.project,
            place=self.place,
            live=kinds.live,
            purged=kinds.purged,
            sessions=len(sessions),
            messages=Tally(
                today=messages_today, week=messages_week, total=sum(each.messages for each in sessions)
            ),
            captured={
                kind: Tally(today=of_today.get(kind, 0), week=of_week.get(kind, 0), total=kinds.live.get(kind, 0))
                for kind in (Kind.CHANGE, Kind.SUMMARY)
            },
            times=len(injected),
            tokens=sum(each.tokens for each in injected),
            given=_given(injected, {each.id: each.name for each in sessions}),
            skipped=dict(skipped.most_common()),
            spool=spool,
            hooked=spool.hooked or bool(by_hooks) or spool.waiting > 0,
            embedder=self.embedder,
            lacks_embedder=self.lacks_embedder,
            vectors=_vectors(here),
            hook_reads=self.hook_reads,
            copied_at=None if self.hook_copy is None else self.hook_copy.refreshed(),
            space=self._space(here),
            backups=self._backups(here),
            shared=shared,
            shared_waiting=waiting,
            keeps_conversations=self.keeps_conversations,
            moved=advice(self.projects, call),
        )

    def _space(self, here: ProjectContext) -> Mapping[Space, int]:
        if here.project is None or not here.keeps(Capability.DIAGNOSE):
            return {}
        return self.projects.storage.diagnosis.space(here.project.id)

    def _backups(self, here: ProjectContext) -> BackedUp | None:
        if here.project is None or not here.keeps(Capability.BACKUP):
            return None
        backups = self.projects.storage.backups
        mine = [each for each in backups.copies() if each.project == here.project.id]
        return BackedUp(
            copies=len(mine),
            size=sum(each.size for each in mine),
            latest=mine[-1].at if mine else None,
            trouble=backups.trouble(),
        )

    def _shared(self, here: ProjectContext) -> tuple[str | None, int]:
        """Return the shared folder, and the number of memories to purge after the user confirms."""
        try:
            share = None if here.project is None else self.shared_folder.of(here.project.id)
        except SharedFolderError:
            return "a folder whose record cannot be read", 0
        return (None, 0) if share is None else (share.folder, share.waiting)


def _vectors(here: ProjectContext) -> tuple[EmbeddingModel, Coverage] | None:
    if here.project is None or not here.keeps(Capability.VECTORS):
        return None
    model = here.observations.look(Look(model=True)).model
    return None if model is None else (model, here.vectors(model).coverage())


def _given(injected: Sequence[Activity], names: Mapping[str | None, str]) -> tuple[Given, ...]:
    """Return the texts given to the latest sessions; `injected` is in chronological order."""
    return tuple(
        Given(session=id, name=names.get(id), times=times, tokens=tokens, latest=latest)
        for id, _, latest, _, times, tokens, _ in by_session(injected)[:LATEST_SESSIONS]
    )
