"""The table of clauses, as it stands in the README."""

from collections.abc import Sequence

from lamella_contracts.contract import Contract


def clause_table(contract: type[Contract]) -> Sequence[str]:
    """The lines of a Markdown table: each clause of `contract`, and what is probably wrong when it fails."""
    return (
        "| clause | when it fails, probably |",
        "|---|---|",
        *(f"| `{clause.id}` | {clause.fault} |" for clause in contract.clauses().values()),
    )
