"""Contract tests for adapters: subclass a contract, define how to open the adapter, and run pytest.

Each test is a clause. Its docstring begins with "Fails if" and names the likely faults of an adapter. See
`contracts/README.md` for how to pass the clauses.
"""

import pytest

# Must come before the imports below: otherwise failing clauses do not show the compared values.
pytest.register_assert_rewrite(f"{__name__}.clauses")

from lamella_contracts.contract import Clause, Contract, ContractRuleError  # noqa: E402 - see above
from lamella_contracts.contracts import (  # noqa: E402 - see above
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

__all__ = [
    "AccessTokensContract",
    "ActivityLogContract",
    "AuditTrailContract",
    "BackupsContract",
    "Clause",
    "CodeLedgerContract",
    "Contract",
    "ContractRuleError",
    "ConversationsContract",
    "EmbedderContract",
    "HookReadsContract",
    "ObservationSearchContract",
    "ObservationStorageContract",
    "ProjectRegistryContract",
    "TokenizerContract",
    "TranscriptsContract",
    "VectorIndexContract",
]
