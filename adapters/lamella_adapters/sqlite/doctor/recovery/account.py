"""Result of a recovery: numbers of recovered and of lost rows."""

from collections import Counter

from attrs import Factory, define

from lamella.domain.text.printing import counted

MEMORIES, MESSAGES, OTHER = "memory", "message", "other row"
UNNAMED = "vanished row"


@define
class Account:
    """Numbers of recovered rows, and of rows that are certainly lost, by kind."""

    read: Counter[str] = Factory(Counter)
    lost: Counter[str] = Factory(Counter)
    unused: int = 0
    """Number of sequence numbers that were used, but have no memory now."""
    unlisted: bool = False
    """True if the schema lacks some of our tables. Rows of small tables may then be lost without being counted."""

    def __str__(self) -> str:
        """Return a sentence without a full stop."""
        lost = f"lost: at least {_listed(self.lost)}" if self.lost.total() else "none is known to be lost"
        # A sequence number without a row or index entry isn't necessarily a lost memory: the memory may have been
        # erased.
        gone = f"; lost or erased before: {counted(self.unused, 'more memory')}" if self.unused else ""
        unseen = "; the list of tables was broken, so that other rows may be lost too" if self.unlisted else ""
        return f"{_listed(self.read)} could be read; {lost}{gone}{unseen}"


def _listed(counts: Counter[str]) -> str:
    parts = [counted(counts[kind], kind) for kind in (MEMORIES, MESSAGES, OTHER, UNNAMED) if counts[kind]]
    return ", ".join(parts) or "nothing"
