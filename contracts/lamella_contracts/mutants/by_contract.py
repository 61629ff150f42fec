"""All mutants, by the contracts that test the broken adapter."""

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules

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
from lamella_contracts.mutants.fault import Fault

Contracts = tuple[type[Contract], ...]


def _faults(*names: str) -> tuple[Fault, ...]:
    """Return the mutants of these modules, and of all modules in these packages."""
    found: list[Fault] = []
    for name in names:
        module = import_module(f"{__package__}.{name}")
        inside = [f"{name}.{each.name}" for each in iter_modules(getattr(module, "__path__", ()))]
        found += _faults(*inside) if inside else module.MUTANTS
    return tuple(found)


_OF_STORAGE = ("capabilities", "connection", "feed", "server_rows", "server_search", "tenants")

MUTANTS: Mapping[Contracts, tuple[Fault, ...]] = {
    (ObservationStorageContract, ObservationSearchContract, ProjectRegistryContract): _faults(
        "transactions", "memories", "search", "projects", *(f"storage.{each}" for each in _OF_STORAGE)
    ),
    (VectorIndexContract,): _faults(*(f"embeddings.{each}" for each in ("models", "vector_index", "nearest"))),
    (ConversationsContract,): _faults(
        *(f"conversations.{each}" for each in ("messages", "search", "moves", "titles"))
    ),
    (CodeLedgerContract,): _faults("ledger"),
    (ActivityLogContract,): _faults("activity"),
    (AuditTrailContract,): _faults("audit"),
    (AccessTokensContract,): _faults("storage.access_tokens"),
    (BackupsContract,): _faults("storage.backups"),
    (TokenizerContract,): _faults("tokenizer"),
    (EmbedderContract,): _faults("embeddings.embedder"),
    (HookReadsContract,): _faults("hook_reads"),
    (TranscriptsContract,): _faults("conversations.transcripts"),
}
