"""Contracts whose subclasses open a storage and nothing else."""

from lamella_contracts import (
    AccessTokensContract,
    ActivityLogContract,
    AuditTrailContract,
    BackupsContract,
    CodeLedgerContract,
    ConversationsContract,
    ObservationSearchContract,
    ObservationStorageContract,
    ProjectRegistryContract,
    VectorIndexContract,
)

STORAGE_CONTRACTS = (
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
