"""Result of draining the spool."""

from collections import Counter

from attrs import define, field

from lamella.ports.storage.ledger import Recorded


@define
class Drained:
    """Result of a drain.

    Attributes:
        done: Number of captures stored or skipped.
        left: Number of captures left in the spool because of `trouble`.
        aside: Number of captures set aside because they can't be stored.
        edits: Numbers of recorded changes of files, keyed by outcome.
        summaries: Number of summaries of sessions.
        skipped: Numbers of skipped captures, keyed by reason.
        trouble: Latest error.
    """

    done: int = 0
    left: int = 0
    aside: int = 0
    edits: Counter[Recorded] = field(factory=Counter)
    summaries: int = 0
    skipped: Counter[str] = field(factory=Counter)
    trouble: Exception | None = None
