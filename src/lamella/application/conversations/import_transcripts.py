"""Import past conversations from the transcripts of a client."""

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from attrs import define, evolve, field

from lamella.application.projects.resolver import ProjectResolver
from lamella.domain.call import Call
from lamella.domain.conversations.errors import ConversationsNotSharedError
from lamella.domain.conversations.message import Batch, MessageDraft, Role, kept
from lamella.domain.errors import MemoryOffError, TranscriptsUnreadableError
from lamella.domain.privacy.redaction import cleaned
from lamella.domain.projects.project import Project
from lamella.domain.transactions.look import Look
from lamella.ports.storage.conversations import Conversations
from lamella.ports.transcripts import CLAUDE_CODE, OpenTranscripts, Source, Transcripts


@define
class Imported:
    """Progress and result of an import.

    Attributes:
        sources: Number of sources.
        size: Total size of all sources in bytes.
        read: Number of bytes already read, including earlier imports.
        messages: Number of new messages.
        roles: Numbers of new messages, keyed by role.
        projects: Numbers of new messages, keyed by project name.
        redacted: Number of redacted secrets in new text.
        titles: Number of conversation titles found.
        waiting: Number of sources whose last record is incomplete, because the client is still writing it.
        skipped: Numbers of records without a message, keyed by reason.
        unreadable: Errors of unreadable sources.
        with_messages: Number of sources with at least one message, imported now or earlier.
        unplaced: Number of sources skipped because the directory of their conversations is unknown.
        off: Number of sources skipped because memory is off in their projects.
        changed: Numbers of stored messages whose text has changed in the transcripts, keyed by conversation name.
    """

    sources: int = 0
    size: int = 0
    read: int = 0
    messages: int = 0
    roles: Counter[Role] = field(factory=Counter)
    projects: Counter[str] = field(factory=Counter)
    redacted: int = 0
    titles: int = 0
    waiting: int = 0
    skipped: Counter[str] = field(factory=Counter)
    unreadable: list[str] = field(factory=list)
    with_messages: int = 0
    unplaced: int = 0
    off: int = 0
    changed: Counter[str] = field(factory=Counter)


_NO_MESSAGE = TranscriptsUnreadableError(
    reason="The file contains no message of a conversation.",
    advice="Check the file, and the program that wrote it.",
)


@define
class ImportTranscripts:
    """Import the recorded conversations of a client. Existing messages aren't changed."""

    projects: ProjectResolver
    transcripts: OpenTranscripts
    keeps_conversations: bool = True

    def __call__(
        self,
        call: Call,
        path: Path | None = None,
        *,
        client: str = CLAUDE_CODE,
        every_project: bool = False,
        dry_run: bool = False,
    ) -> Iterator[Imported]:
        """Import new messages, batch by batch. Yield the updated account after each batch.

        Text is redacted before anything is written. An interrupted import resumes at its position.

        Args:
            call: Context of the call.
            path: File or folder with conversations, which are all imported. If None, the client's own folder is
                read, and only conversations of the project are imported.
            client: Name under which the client's transcripts are registered.
            every_project: True to import the conversations of all directories, each into the project of its
                directory. Conversations without a directory are skipped.
            dry_run: True to only count.

        Raises:
            ConversationsNotSharedError: The storage is shared with other machines, and sharing of conversations is
                off.
            TranscriptsUnreadableError: No source can be read.
            CapabilityUnsupportedError: The storage keeps no conversations.
            UnknownProjectError: The project doesn't exist.
            MemoryOffError: Memory is off in the only project.
            InvalidValueError: The client is unknown.
            StorageError: The storage failed.
        """
        if not self.keeps_conversations:
            raise ConversationsNotSharedError
        call = evolve(call, client=client)
        transcripts = self.transcripts(client, path)
        there = transcripts.sources()
        if every_project:
            places = _by_directory(call, there)
        else:
            places = {call: there if path else self._recorded_here(call, there)}
        chosen = [source for sources in places.values() for source in sources]
        account = Imported(
            sources=len(chosen),
            size=sum(source.size for source in chosen),
            unplaced=0 if path and not every_project else sum(source.directory is None for source in there),
        )
        yield account
        for where, sources in places.items():
            try:
                if sources:
                    named = path is not None
                    yield from self._import(where, transcripts, sources, account, named=named, dry_run=dry_run)
            except MemoryOffError:
                if not every_project:
                    raise
                account.off += len(sources)
                account.read += sum(source.size for source in sources)

    def _import(
        self,
        call: Call,
        transcripts: Transcripts,
        sources: Sequence[Source],
        account: Imported,
        *,
        named: bool,
        dry_run: bool,
    ) -> Iterator[Imported]:
        """Import sources into the project of `call`.

        If the user has `named` the path, a file without messages may belong to another program, so no position in
        it is stored. If the only source has no messages, `account` gets an error.
        """
        here = self.projects.find(call) if dry_run else self.projects.find_or_create(call)
        project = (here.project or self.projects.location(call)).name
        conversations = here.conversations()
        counted: set[str] | None = set() if dry_run else None
        for source in sources:
            before, position = account.read, conversations.position(source.id)
            has_messages = bool(position) or not named
            try:
                for batch, new in _batches(transcripts, source, position):
                    has_messages = has_messages or _tells(batch)
                    if new and has_messages:
                        said = _said(batch, here.project, call.client)
                        account.projects[project] += _take(said, account, conversations, counted)
                    elif new and account.sources > 1:
                        account.skipped.update(batch.skipped)
                    account.waiting += batch.waiting and has_messages
                    account.read = before + batch.read
                    yield account
                account.with_messages += has_messages
                if not has_messages and account.sources == 1:
                    account.unreadable.append(str(_NO_MESSAGE))
            except TranscriptsUnreadableError as error:
                account.unreadable.append(str(error))
                account.with_messages += has_messages and account.read > before
            account.read = before + source.size
            yield account

    def _recorded_here(self, call: Call, sources: Sequence[Source]) -> Sequence[Source]:
        """Return the sources with conversations of the project. Conversations of merged projects are included."""
        # Group by directory first. Finding the project of a directory takes disk access, and directories are few.
        directories = {each.directory for each in sources if each.directory is not None}
        here = {each for each in directories if self.projects.belongs_here(call, each)}
        return [each for each in sources if each.directory in here]


def _by_directory(call: Call, sources: Sequence[Source]) -> dict[Call, Sequence[Source]]:
    """Return the sources grouped by directory. Each key is a call in the directory of its sources."""
    places: dict[Call, list[Source]] = {}
    for each in sources:
        if each.directory is not None:
            where = evolve(call, directory=each.directory, project=None, default_project=None, location=None)
            places.setdefault(where, []).append(each)
    return dict(places)


def _batches(transcripts: Transcripts, source: Source, position: str) -> Iterator[tuple[Batch, bool]]:
    """Yield each batch of `source` after `position`, and True if anything in the batch is new."""
    complete = False
    while not complete:
        batch = transcripts.read(source, position)
        yield batch, batch.position != position
        complete, position = batch.complete, batch.position


def _tells(batch: Batch) -> bool:
    """Return True if a batch shows that its file is a transcript.

    The batch must have a part of a conversation, or nothing but an incomplete record.
    """
    begins = batch.waiting and not batch.skipped
    return bool(batch.drafts or batch.names or batch.titles or batch.ends or begins)


def _said(batch: Batch, project: Project | None, client: str | None) -> Batch:
    """Set the client of a batch, and drop messages from periods with memory switched off."""
    said = (each for each in batch.drafts if project is None or not project.was_off(each.at))
    return evolve(batch, drafts=tuple(evolve(each, client=client) for each in said))


def _take(batch: Batch, account: Imported, conversations: Conversations, counted: set[str] | None) -> int:
    """Store the new messages of a batch. In a dry run, only add their keys to `counted`.

    Returns:
        The number of new messages.
    """
    known = conversations.known([draft.key for draft in batch.drafts])
    stored = [each for each in batch.drafts if each.key in known]
    account.changed.update(changed_messages(stored, conversations))
    known |= counted or set()
    new: dict[str, MessageDraft] = {}
    for draft in batch.drafts:
        if draft.key not in known:
            new.setdefault(draft.key, draft)
    clean, secrets = without_secrets(evolve(batch, drafts=tuple(new.values())), conversations)
    if counted is None:
        added = conversations.add(clean)
    else:
        added = len(new)
        counted.update(new)
    account.messages += added
    account.roles.update(draft.role for draft in new.values())
    account.redacted += secrets
    account.titles += len(batch.titles)
    account.skipped.update(batch.skipped)
    return added


def changed_messages(drafts: Sequence[MessageDraft], conversations: Conversations) -> Iterator[str]:
    """For each of `drafts` whose text differs from the stored message, yield the name of its conversation."""
    # Stored texts are redacted and truncated. So compare a stored text with the redacted and truncated draft, but
    # also with the unchanged draft: in an export of lamella, texts are redacted and truncated already.
    texts = {each.key: (each.text, kept(each.role, cleaned(each.text).text)) for each in drafts}
    for session in dict.fromkeys(each.session for each in drafts):
        keys = conversations.look(Look(messages_of=session)).messages
        numbers = [number for number, key in keys.items() if key in texts]
        for each in conversations.messages(numbers):
            if each.text not in texts[keys[each.number]]:
                yield conversations.sessions(session)[0].name


def without_secrets(batch: Batch, conversations: Conversations) -> tuple[Batch, int]:
    """Redact a batch. Return the redacted batch, and the number of secrets.

    Secrets in session names and titles don't count if these are already stored.
    """
    texts = [cleaned(draft.text) for draft in batch.drafts]
    names = {id: cleaned(name) for id, name in batch.names.items()}
    titles = {record: cleaned(title) for record, title in batch.titles.items()}
    stored: dict[str, str] = {}
    if any(each.secrets for each in (*names.values(), *titles.values())):
        stored = {each.id: each.name for each in conversations.sessions()}
    new = [name for id, name in names.items() if name.text != stored.get(id)]
    new += [title for title in titles.values() if title.text not in stored.values()]
    drafts = tuple(
        evolve(draft, text=kept(draft.role, redacted.text))
        for draft, redacted in zip(batch.drafts, texts, strict=True)
    )
    clean = evolve(
        batch,
        drafts=drafts,
        names={id: name.text for id, name in names.items()},
        titles={record: title.text for record, title in titles.items()},
    )
    return clean, sum(redacted.secrets for redacted in (*texts, *new))
