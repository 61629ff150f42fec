"""Taking over past conversations from what a client has recorded of them."""

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from attrs import define, evolve, field

from lamella.application.projects import ProjectResolver
from lamella.domain.conversation import Batch, kept
from lamella.domain.errors import TranscriptsUnreadableError
from lamella.domain.redaction import redact, without_private
from lamella.ports.conversations import Conversations
from lamella.ports.transcripts import Source, Transcripts


@define
class Imported:
    """What an import has done so far.

    `size` and `read` are in bytes: of all sources, and of what has been read of them, now or before. `skipped`
    counts the records that are no messages, by the reason. `waiting` counts the sources whose last record is still
    being written. `unreadable` says why a source could not be read.
    """

    sources: int = 0
    size: int = 0
    read: int = 0
    messages: int = 0
    redacted: int = 0
    waiting: int = 0
    skipped: Counter[str] = field(factory=Counter)
    unreadable: list[str] = field(factory=list)


@define
class ImportTranscripts:
    """Brings the conversations of a project up to what its client has recorded; what is there already stays."""

    projects: ProjectResolver
    transcripts: Callable[[Path | None], Transcripts]

    def __call__(
        self, path: Path | None = None, *, project: str | None = None, dry_run: bool = False
    ) -> Iterator[Imported]:
        """Reads what is new and stores it, batch by batch; gives the same account again after each of them.

        From `path`, a file or folder, all conversations are taken over; without it, from where the client keeps
        its own, those that took place in the project. Secrets and what is marked as private are taken out before
        anything is written. A `dry_run` only counts. Broken off and repeated it goes on where it was.

        Raises:
            TranscriptsUnreadableError: there is nothing to read at all.
            CapabilityUnsupportedError: the storage keeps no conversations.
            UnknownProjectError: there is no such project.
            StorageError: something could not be stored.
        """
        transcripts = self.transcripts(path)
        sources = [each for each in transcripts.sources() if path or self._took_place_here(each, project)]
        account = Imported(sources=len(sources), size=sum(source.size for source in sources))
        yield account
        if not sources:
            return
        here = self.projects.here(project) if dry_run else self.projects.made_here(project)
        conversations = here.conversations()
        counted: set[str] = set()
        for source in sources:
            before = account.read
            try:
                for batch, new in _batches(transcripts, source, conversations.position(source.id)):
                    self._take(batch, account, conversations if new and not dry_run else None, counted)
                    account.read = before + batch.read
                    yield account
            except TranscriptsUnreadableError as error:
                account.unreadable.append(str(error))
            account.read = before + source.size
            yield account

    def _took_place_here(self, source: Source, project: str | None) -> bool:
        """Whether the conversation of a source took place in the project, wherever a merge may have moved that."""
        return source.directory is not None and self.projects.belongs_here(source.directory, project)

    def _take(
        self, batch: Batch, account: Imported, conversations: Conversations | None, counted: set[str]
    ) -> None:
        """Stores a batch, or counts those of its messages that stood in none that was `counted` before."""
        clean, secrets = _without_secrets(batch)
        keys = {draft.key for draft in clean.drafts} - counted
        counted |= keys
        account.messages += len(keys) if conversations is None else conversations.add(clean)
        account.redacted += secrets
        account.waiting += batch.waiting
        account.skipped.update(batch.skipped)


def _batches(transcripts: Transcripts, source: Source, position: str) -> Iterator[tuple[Batch, bool]]:
    """The batches of `source` after `position`, and whether there is anything new in them."""
    complete = False
    while not complete:
        batch = transcripts.read(source, position)
        yield batch, batch.position != position
        complete, position = batch.complete, batch.position


def _without_secrets(batch: Batch) -> tuple[Batch, int]:
    secrets = 0

    def clean(text: str) -> str:
        nonlocal secrets
        redacted = redact(without_private(text))
        secrets += redacted.secrets
        return redacted.text

    drafts = tuple(evolve(draft, text=kept(draft.role, clean(draft.text))) for draft in batch.drafts)
    names = {id: clean(name) for id, name in batch.names.items()}
    return evolve(batch, drafts=drafts, names=names), secrets
