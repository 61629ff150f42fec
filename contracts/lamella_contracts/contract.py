"""Base of every contract: named clauses that subclasses can't override, and known gaps with reasons.

The rules are checked when a subclass is defined, and again before each clause runs. The checks find mistakes and
shortcuts. They can't prevent patches of the suite itself.
"""

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any, ClassVar

import pytest
from attrs import frozen

from lamella.ports.storage.storage import Capability

_PREFIX = "test_"
_MARKS = "pytestmark"
_AUTHORS = frozenset(
    {
        *("known_gaps", "make_embedder", "make_tokenizer", "open_hook_reads", "open_storage", "open_transcripts"),
        *("record_session", "close_storage", "break_connection", "lose_answer", "opening_code"),
    }
)
"""Names that a subclass may define."""
_PACKAGE = __name__.rpartition(".")[0]


class ContractRuleError(TypeError):
    """A subclass of a contract breaks a rule.

    The subclass must not override a clause or the fixture of the clauses, and must not have a pytest mark. Each of
    its known gaps must have a reason, and must name an existing clause.
    """


@frozen
class Clause:
    """One guarantee of a contract.

    Attributes:
        id: Name of the test method without `test_`.
        fault: The faults of an adapter for which the clause fails, beginning with "Fails if".
        check: The test method.
        capability: Capability required by the clause. If the storage doesn't declare the capability, the clause
            checks that the storage refuses the call.
    """

    id: str
    fault: str
    check: Callable[..., None]
    capability: Capability | None = None


def opened(self: "Contract", tmp_path: Path) -> Iterator[Any]:
    """Yield the subject of a contract, such as a storage, as the fixture of its clauses."""
    with self.subject(tmp_path) as subject:
        yield subject


class _Unmarked(type):
    """Metaclass that rejects pytest marks set on a finished class, for example by `@pytest.mark.skip`."""

    def __setattr__(cls, name: str, value: object) -> None:
        if name == _MARKS:
            raise _marked(cls)
        super().__setattr__(name, value)


class Contract(metaclass=_Unmarked):
    """Base of the contracts: subclasses name the adapter under test and change nothing else.

    Attributes:
        known_gaps: Reasons why the adapter fails some clauses, keyed by clause id. If one of these clauses passes,
            the run fails, so that outdated gaps are noticed.

    Example:
        >>> from lamella_contracts import TokenizerContract
        >>> class TestMyTokenizer(TokenizerContract):
        ...     known_gaps = {"counts_are_good": "counts bytes, not tokens"}
        Traceback (most recent call last):
            ...
        lamella_contracts.contract.ContractRuleError: ...
    """

    known_gaps: ClassVar[Mapping[str, str]] = {}

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Check that the new class overrides no part of the contract, and that its known gaps are valid.

        Raises:
            ContractRuleError: The class breaks one of these rules.
        """
        super().__init_subclass__(**kwargs)
        _require_unbent(cls)
        clauses = cls.clauses()
        for id, reason in cls.known_gaps.items():
            if id not in clauses:
                raise ContractRuleError(f"{cls.__name__} has the known gap '{id}', but no such clause.")
            if not reason.strip():
                raise ContractRuleError(f"{cls.__name__} gives no reason for the known gap '{id}'.")

    @classmethod
    def clauses(cls) -> Mapping[str, Clause]:
        """Return the clauses by id, in the order of the source; tests of a subclass are not included.

        Example:
            >>> from lamella_contracts import TokenizerContract
            >>> TokenizerContract.clauses()["the_empty_text_counts_nothing"].fault
            "Fails if the model's start and end tokens are counted, or if every text counts at least 1."
        """
        return {
            name.removeprefix(_PREFIX): Clause(
                name.removeprefix(_PREFIX),
                " ".join((inspect.getdoc(check) or "").split()),
                check,
                getattr(check, "capability", None),
            )
            for each in reversed(_shipped(cls))
            for name, check in vars(each).items()
            if name.startswith(_PREFIX)
        }

    def subject(self, folder: Path) -> AbstractContextManager[Any]:
        """Open the fixture of one clause, such as an empty storage, and close it afterwards.

        Args:
            folder: Empty folder, used by this clause only.
        """
        raise NotImplementedError

    @pytest.fixture(autouse=True)
    def _expected_gap(self, request: pytest.FixtureRequest) -> None:
        # Check now: the class or one of its mixins may have been changed after its definition.
        _require_unbent(type(self))
        reason = self.known_gaps.get(request.function.__name__.removeprefix(_PREFIX))
        if reason is not None:
            request.node.add_marker(pytest.mark.xfail(reason=reason, strict=True))


def _shipped(contract: type) -> Sequence[type]:
    """Return the base classes of `contract` in this package, in method resolution order."""
    return [each for each in contract.__mro__ if each.__module__.startswith(f"{_PACKAGE}.")]


def _require_unbent(contract: type[Contract]) -> None:
    """Check that `contract` overrides no part of the suite and has no marks that skip clauses.

    Raises:
        ContractRuleError: `contract` overrides a part of the suite, or has a mark.
    """
    if hasattr(contract, _MARKS):
        raise _marked(contract)
    shipped = _shipped(contract)
    for name in dict.fromkeys(name for each in shipped for name in vars(each) if _is_fixed(name)):
        (owner, *_) = (each for each in contract.__mro__ if name in vars(each))
        if owner in shipped:
            continue
        if name.startswith(_PREFIX):
            id = name.removeprefix(_PREFIX)
            raise ContractRuleError(
                f"{contract.__name__} overrides the clause '{id}'. If the adapter can't keep it, say why: "
                f'known_gaps = {{"{id}": "reason"}}'
            )
        raise ContractRuleError(f"{contract.__name__} overrides '{name}', which only the contract may define.")


def _is_fixed(name: str) -> bool:
    """Return True if subclasses must not override `name`: any name of the suite, and `__init_subclass__`."""
    return name == "__init_subclass__" or not (name in _AUTHORS or name.startswith("__"))


def _marked(contract: type) -> ContractRuleError:
    return ContractRuleError(
        f"{contract.__name__} has a mark, which could take clauses out of the run. If the adapter can't keep one, "
        'say why: known_gaps = {"clause": "reason"}'
    )
