"""The contracts, each composed of clauses by theme."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from lamella.ports.embedder import Embedder
from lamella.ports.hook_reads import HookReads
from lamella.ports.tokenizer import Tokenizer
from lamella.ports.transcripts import Transcripts
from lamella_contracts.clauses import activity, audit, exchange, hook_reads, memories, transactions
from lamella_contracts.clauses.conversations.messages import MessageClauses
from lamella_contracts.clauses.conversations.moves import ConversationMovingClauses, TitleClauses
from lamella_contracts.clauses.conversations.search import MessageSearchClauses
from lamella_contracts.clauses.conversations.transcripts import TranscriptsClauses
from lamella_contracts.clauses.embeddings.embedder import EmbedderClauses
from lamella_contracts.clauses.embeddings.nearest import NearnessClauses
from lamella_contracts.clauses.embeddings.vector_index import EmbeddingClauses
from lamella_contracts.clauses.ledger.agreement import LedgerAgreementClauses
from lamella_contracts.clauses.ledger.history import LedgerClauses
from lamella_contracts.clauses.ledger.recording import AgeingClauses, LedgerFactClauses, RecordingClauses
from lamella_contracts.clauses.projects.merging import MovingClauses
from lamella_contracts.clauses.projects.registry import RegistryClauses, ScopeClauses, SharingClauses
from lamella_contracts.clauses.search import agreement, context, filtering, finding, matching, ranking
from lamella_contracts.clauses.storage import access_tokens, backups, capabilities, concurrency, connection, feed
from lamella_contracts.clauses.storage.hostile_text import HostileTextClauses
from lamella_contracts.clauses.storage.state_machine import HistoryClauses
from lamella_contracts.clauses.tokenizer import TokenizerClauses
from lamella_contracts.contract import Contract, opened
from lamella_contracts.fixtures.conversations import ConversationFixture
from lamella_contracts.fixtures.hook_reads import HookReadsFixture
from lamella_contracts.fixtures.project import ProjectFixture, location_named
from lamella_contracts.fixtures.transcripts import TranscriptsFixture
from lamella_contracts.hooks import StorageHooks


class StorageContract(StorageHooks, Contract):
    """Base of all contracts for storages."""

    @contextmanager
    def subject(self, folder: Path) -> Iterator[Any]:
        """Open a storage in `folder`, yield an empty project of it, and close it afterwards."""
        reopen = partial(self.open_storage, folder)
        project = ProjectFixture(reopen, reopen(), location_named("project"), folder)
        try:
            yield project
        finally:
            self.close_storage(project.storage)

    project = pytest.fixture(opened)


class ObservationStorageContract(
    HistoryClauses,
    connection.ConnectionClauses,
    concurrency.ConcurrencyClauses,
    connection.DurabilityClauses,
    ScopeClauses,
    feed.FeedClauses,
    exchange.ImportClauses,
    memories.ErasingClauses,
    memories.LookUpClauses,
    HostileTextClauses,
    transactions.WriteClauses,
    transactions.FactClauses,
    capabilities.CapabilityClauses,
    StorageContract,
):
    """Contract for the observations of a storage."""


class ObservationSearchContract(
    agreement.AgreementClauses,
    finding.TimelineClauses,
    context.PurgedSearchClauses,
    context.ContextClauses,
    matching.MatchingClauses,
    matching.PlanningClauses,
    matching.WordClauses,
    ranking.RankingClauses,
    filtering.FilteringClauses,
    finding.FindingClauses,
    StorageContract,
):
    """Contract for searches of a storage's observations."""


class ConversationsContract(
    ConversationMovingClauses, MessageSearchClauses, TitleClauses, MessageClauses, StorageContract
):
    """Contract for the conversations of a storage."""

    @contextmanager
    def subject(self, folder: Path) -> Iterator[Any]:
        """Open a storage in `folder`, yield the conversations of one of its projects, and close it afterwards."""
        with super().subject(folder) as project:
            yield ConversationFixture(project)

    chat = pytest.fixture(opened)


class CodeLedgerContract(
    LedgerAgreementClauses, AgeingClauses, LedgerClauses, RecordingClauses, LedgerFactClauses, StorageContract
):
    """Contract for the code ledger of a storage."""


class ActivityLogContract(activity.ActivityClauses, StorageContract):
    """Contract for the activity log of a storage."""


class AuditTrailContract(audit.AuditClauses, StorageContract):
    """Contract for the audit trail of a storage."""


class BackupsContract(backups.BackupClauses, StorageContract):
    """Contract for the backups of a storage."""


class AccessTokensContract(access_tokens.AccessTokenClauses, StorageContract):
    """Contract for the access tokens of a storage."""


class VectorIndexContract(NearnessClauses, EmbeddingClauses, StorageContract):
    """Contract for the vectors of a storage."""


class ProjectRegistryContract(
    access_tokens.TenantClauses, SharingClauses, MovingClauses, RegistryClauses, StorageContract
):
    """Contract for the projects of a storage."""


STORAGE_CONTRACTS: tuple[type[StorageContract], ...] = (
    ObservationStorageContract,
    ObservationSearchContract,
    ProjectRegistryContract,
    VectorIndexContract,
    ConversationsContract,
    CodeLedgerContract,
    ActivityLogContract,
    AuditTrailContract,
    BackupsContract,
    AccessTokensContract,
)
"""Contracts of storages. Subclasses need only `open_storage`."""


class HookReadsContract(hook_reads.HookReadsClauses, StorageContract):
    """Contract for reads by hooks.

    Example:
        >>> class TestMyHookReads(HookReadsContract):
        ...     def open_storage(self, tmp_path):
        ...         return MyStorage(tmp_path)
        ...     def open_hook_reads(self, tmp_path):
        ...         return MyHookReads(tmp_path)
    """

    def open_hook_reads(self, tmp_path: Path) -> HookReads | None:
        """Open the reads of the storage in `tmp_path`, as a hook does; subclasses define this."""
        raise NotImplementedError(f"{type(self).__name__} must define open_hook_reads(self, tmp_path).")

    @contextmanager
    def subject(self, folder: Path) -> Iterator[HookReadsFixture]:
        """Open a storage in `folder`, yield the reads of one of its empty projects, and close it afterwards."""
        with super().subject(folder) as project:
            yield HookReadsFixture(project, lambda: self.open_hook_reads(folder))

    hooks = pytest.fixture(opened)


class TranscriptsContract(TranscriptsClauses, Contract):
    r"""Contract for a reader of a client's recorded conversations.

    Example:
        >>> class TestMyTranscripts(TranscriptsContract):
        ...     def open_transcripts(self, folder):
        ...         return MyTranscripts(folder)
        ...     def record_session(self, folder, session, texts):
        ...         (folder / f"{session}.txt").write_text("\n".join(texts))
    """

    def open_transcripts(self, folder: Path) -> Transcripts:
        """Open the transcripts below the given folder; subclasses define this."""
        raise NotImplementedError(f"{type(self).__name__} must define open_transcripts(self, folder).")

    def record_session(self, folder: Path, session: str, texts: Sequence[str]) -> None:
        """Record a session below a folder as the client does; subclasses define this.

        Args:
            folder: The folder given to `open_transcripts`.
            session: Id of the session. If the session already has a recording, append to the recording if `texts`
                begin with the recorded texts. Otherwise, replace the recording.
            texts: The messages of a human and an assistant, in turn. The human begins.
        """
        raise NotImplementedError(
            f"{type(self).__name__} must define record_session(self, folder, session, texts)."
        )

    @contextmanager
    def subject(self, folder: Path) -> Iterator[TranscriptsFixture]:
        """Yield a client without recordings."""
        yield TranscriptsFixture(folder / "here", self.open_transcripts, self.record_session)

    client = pytest.fixture(opened)


class TokenizerContract(TokenizerClauses, Contract):
    """Contract for a tokenizer.

    Example:
        >>> from lamella_adapters.tokenizers.chars4 import Chars4Tokenizer
        >>> class TestMyTokenizer(TokenizerContract):
        ...     def make_tokenizer(self):
        ...         return Chars4Tokenizer()
        >>> TestMyTokenizer().make_tokenizer().count("Staging is reset.")
        5
    """

    def make_tokenizer(self) -> Tokenizer:
        """Return a new tokenizer to test; subclasses define this."""
        raise NotImplementedError(f"{type(self).__name__} must define make_tokenizer(self).")

    @contextmanager
    def subject(self, folder: Path) -> Iterator[Tokenizer]:
        """Open the tokenizer under test; `folder` is not used."""
        del folder
        yield self.make_tokenizer()

    tokenizer = pytest.fixture(opened)


class EmbedderContract(EmbedderClauses, Contract):
    """Contract for an embedder.

    Example:
        >>> class TestMyEmbedder(EmbedderContract):
        ...     def make_embedder(self):
        ...         return MyEmbedder("my-model-1")
    """

    @contextmanager
    def subject(self, folder: Path) -> Iterator[Embedder]:
        """Open the embedder under test; `folder` is not used."""
        del folder
        yield self.make_embedder()

    embedder = pytest.fixture(opened)
