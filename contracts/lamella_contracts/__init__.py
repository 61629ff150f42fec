"""Proves an adapter in five lines: subclass a contract, say how to open the adapter, and run pytest.

See `contracts/README.md` for what the clauses promise and how to pass them.
"""

import pytest

# Before anything in there is imported, or a failing clause could not show the values that it compared.
pytest.register_assert_rewrite(f"{__name__}.clauses")

from lamella_contracts.contract import Clause, Contract, ContractRuleError  # noqa: E402 - see above
from lamella_contracts.contracts import (  # noqa: E402 - see above
    ActivityLogContract,
    CodeLedgerContract,
    ConversationsContract,
    EmbedderContract,
    ObservationSearchContract,
    ObservationStorageContract,
    ProjectRegistryContract,
    TokenizerContract,
    VectorIndexContract,
)

__all__ = [
    "ActivityLogContract",
    "Clause",
    "CodeLedgerContract",
    "Contract",
    "ContractRuleError",
    "ConversationsContract",
    "EmbedderContract",
    "ObservationSearchContract",
    "ObservationStorageContract",
    "ProjectRegistryContract",
    "TokenizerContract",
    "VectorIndexContract",
]
