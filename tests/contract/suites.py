"""Contracts that an adapter keeps as they are: a test class for each."""

import lamella_contracts as contracts

STORED = (
    *(contracts.ObservationSearchContract, contracts.ProjectRegistryContract, contracts.ConversationsContract),
    *(contracts.CodeLedgerContract, contracts.ActivityLogContract, contracts.AuditTrailContract),
    contracts.AccessTokensContract,
)
"""Contracts that every storage keeps."""


def suites(opening: type, *contracts: type) -> dict[str, type]:
    """Return a class for each contract by its name; `opening` opens the adapter.

    A module updates its `globals()` with them.
    """
    names = [f"Test{opening.__name__}{contract.__name__.removesuffix('Contract')}" for contract in contracts]
    return {name: type(name, (opening, contract), {}) for name, contract in zip(names, contracts, strict=True)}
