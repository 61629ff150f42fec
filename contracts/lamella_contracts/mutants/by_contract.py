"""All mutants, by the contracts that test the broken adapter."""

from collections.abc import Mapping

from lamella_contracts.contract import Contract
from lamella_contracts.contracts import (
    AccessTokensContract,
    ActivityLogContract,
    AuditTrailContract,
    BackupsContract,
    CodeLedgerContract,
    ConversationsContract,
    EmbedderContract,
    HookReadsContract,
    ObservationSearchContract,
    ObservationStorageContract,
    ProjectRegistryContract,
    TokenizerContract,
    TranscriptsContract,
    VectorIndexContract,
)
from lamella_contracts.mutants import activity, exchange, hook_reads, tokenizer
from lamella_contracts.mutants.audit import entries
from lamella_contracts.mutants.audit import moves as moved_trails
from lamella_contracts.mutants.conversations import messages, moves, titles, transcripts
from lamella_contracts.mutants.conversations import search as message_search
from lamella_contracts.mutants.embeddings import embedder, models, nearest, vector_index
from lamella_contracts.mutants.fault import Fault
from lamella_contracts.mutants.ledger import ageing, history, recording
from lamella_contracts.mutants.ledger import moves as ledger_moves
from lamella_contracts.mutants.memories import erasing, looking_up, racing
from lamella_contracts.mutants.projects import merging, registry, sharing
from lamella_contracts.mutants.search import (
    context,
    filtering,
    finding,
    matching,
    planning,
    ranking,
    rarity,
    timeline,
    words,
)
from lamella_contracts.mutants.storage import (
    access_tokens,
    backups,
    capabilities,
    connection,
    feed,
    server_rows,
    server_search,
    tenants,
)
from lamella_contracts.mutants.transactions import facts, writes

Contracts = tuple[type[Contract], ...]

MUTANTS: Mapping[Contracts, tuple[Fault, ...]] = {
    (ObservationStorageContract, ObservationSearchContract, ProjectRegistryContract): (
        *facts.MUTANTS,
        *writes.MUTANTS,
        *racing.MUTANTS,
        *looking_up.MUTANTS,
        *erasing.MUTANTS,
        *exchange.MUTANTS,
        *finding.MUTANTS,
        *filtering.MUTANTS,
        *timeline.MUTANTS,
        *ranking.MUTANTS,
        *rarity.MUTANTS,
        *words.MUTANTS,
        *planning.MUTANTS,
        *matching.MUTANTS,
        *context.MUTANTS,
        *registry.MUTANTS,
        *merging.MUTANTS,
        *sharing.MUTANTS,
        *capabilities.MUTANTS,
        *connection.MUTANTS,
        *feed.MUTANTS,
        *server_rows.MUTANTS,
        *server_search.MUTANTS,
        *tenants.MUTANTS,
    ),
    (VectorIndexContract,): (*models.MUTANTS, *vector_index.MUTANTS, *nearest.MUTANTS),
    (ConversationsContract,): (
        *messages.MUTANTS,
        *message_search.MUTANTS,
        *moves.MUTANTS,
        *titles.MUTANTS,
        *exchange.CONVERSATIONS,
    ),
    (CodeLedgerContract,): (
        *recording.MUTANTS,
        *history.MUTANTS,
        *ledger_moves.MUTANTS,
        *exchange.LEDGER,
        *ageing.MUTANTS,
    ),
    (ActivityLogContract,): tuple(activity.MUTANTS),
    (AuditTrailContract,): (*entries.MUTANTS, *moved_trails.MUTANTS),
    (AccessTokensContract,): (*access_tokens.MUTANTS,),
    (BackupsContract,): (*backups.MUTANTS,),
    (TokenizerContract,): tokenizer.MUTANTS,
    (EmbedderContract,): embedder.MUTANTS,
    (HookReadsContract,): hook_reads.MUTANTS,
    (TranscriptsContract,): transcripts.MUTANTS,
}
