"""All mutants, by contract."""

from collections.abc import Mapping
from importlib import import_module
from pkgutil import iter_modules

from lamella_contracts import contracts
from lamella_contracts.contract import Contract
from lamella_contracts.mutants.mutant import Mutant

Contracts = tuple[type[Contract], ...]


def _mutants(*names: str) -> tuple[Mutant, ...]:
    """Return the mutants of the named modules. For a package, return the mutants of all its modules."""
    found: list[Mutant] = []
    for name in names:
        module = import_module(f"{__package__}.{name}")
        inside = [f"{name}.{each.name}" for each in iter_modules(getattr(module, "__path__", ()))]
        found += _mutants(*inside) if inside else module.MUTANTS
    return tuple(found)


MUTANTS: Mapping[Contracts, tuple[Mutant, ...]] = {
    contracts.STORAGE_CONTRACTS: _mutants(
        "transactions",
        "memories",
        "search",
        "projects",
        "storage",
        "vectors",
        "conversations",
        "ledger",
        "activity",
        "audit",
    ),
    (contracts.TokenizerContract,): _mutants("tokenizer"),
    (contracts.EmbedderContract,): _mutants("embedder"),
    (contracts.HookReadsContract,): _mutants("hook_reads"),
    (contracts.TranscriptsContract,): _mutants("transcripts"),
}
