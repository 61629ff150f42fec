"""The account of a drain of the spool."""

from collections import Counter

from attrs import define, field

from lamella.ports.storage.ledger import Recorded


@define
class Drained:
    """The account of a drain.

    Attributes:
        done: Captures that were stored or passed over.
        left: Captures that stay for another time because of `trouble`.
        aside: Captures that were set aside because they cannot be stored.
        edits: Changes of files, by what became of them.
        summaries: Summaries of sessions.
        skipped: Captures that were passed over, by the reason.
        trouble: The last error.
    """

    done: int = 0
    left: int = 0
    aside: int = 0
    edits: Counter[Recorded] = field(factory=Counter)
    summaries: int = 0
    skipped: Counter[str] = field(factory=Counter)
    trouble: Exception | None = None
