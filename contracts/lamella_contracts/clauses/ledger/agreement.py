"""Clause to compare a storage with the in-memory storage on random histories of code."""

from collections.abc import Sequence
from datetime import timedelta

from attrs import frozen
from hypothesis import given
from hypothesis import strategies as st

from lamella.ports.storage.storage import Capability
from lamella_contracts.clauses.storage.capabilities import needs
from lamella_contracts.fixtures.answers import unnumbered
from lamella_contracts.fixtures.ledger import PARSE, PRINT, RETRY, LedgerFixture, all_fingerprints, change
from lamella_contracts.fixtures.project import START, ProjectFixture
from lamella_contracts.fixtures.strategies import bounded

_FILES = ("a.py", "b.py", "c.py")
_LINES = (*RETRY, *PARSE, *PRINT)
_FEW_LINES = st.lists(st.sampled_from(_LINES), max_size=3)


@frozen
class Event:
    """One event of a history: a capture, then possibly a purge and a restore of earlier captures."""

    files: Sequence[tuple[str, Sequence[str], Sequence[str], str | None]]
    minutes: int
    session: str | None
    request: str | None
    purged: int | None
    restored: int | None


_EVENTS = st.lists(
    st.builds(
        Event,
        st.lists(
            st.tuples(
                st.sampled_from(_FILES), _FEW_LINES, _FEW_LINES, st.sampled_from((None, None, None, *_FILES))
            ),
            min_size=1,
            max_size=2,
            unique_by=lambda each: each[0],
        ),
        st.integers(0, 40),
        st.sampled_from((None, "s1", "s1", "s2")),
        st.sampled_from((None, None, "call 1", "call 2")),
        st.sampled_from((None, None, 0, 1, 2)),
        st.sampled_from((None, None, 0, 1, 2)),
    ),
    min_size=1,
    max_size=12,
)


class LedgerAgreementClauses:
    """The ledger agrees with the in-memory storage's ledger."""

    @needs(Capability.LEDGER)
    def test_any_ledger_agrees_with_the_model(self, project: ProjectFixture) -> None:
        """Fails if the ledger of a random history differs from the in-memory storage's.

        Likely causes are errors in joining captures, in their order, in renames, in lines added back, or in purged
        changes.
        """

        @bounded(12)
        @given(_EVENTS)
        def agrees(events: Sequence[Event]) -> None:
            blank = project.fresh()
            tested, model = LedgerFixture(blank), LedgerFixture(blank.in_memory())
            for event in events:
                assert _happens(event, tested) == _happens(event, model)
            for path in _FILES:
                assert tested.port.names(path) == model.port.names(path)
                assert tested.history(path, 5) == model.history(path, 5)
                asked = all_fingerprints(_LINES[:4])
                assert tested.port.removals(path, asked) == model.port.removals(path, asked)

        agrees()


def _happens(event: Event, ledger: LedgerFixture) -> object:
    changes = [change(path, removed=went, added=came, former=former) for path, went, came, former in event.files]
    at = START + timedelta(minutes=event.minutes)
    capture = ledger.capture(*changes, at=at, session=event.session, request=event.request)
    recorded = ledger.port.record([capture])
    # Order by sequence. Ids differ between examples: with an order by id, Hypothesis couldn't reproduce failures.
    every = sorted(ledger.project.starting_with("", limit=50), key=lambda each: each.sequence)
    for place, act in ((event.purged, ledger.project.purge), (event.restored, ledger.project.restore)):
        if place is not None and place < len(every):
            act(every[place])
    return recorded, unnumbered(every)
