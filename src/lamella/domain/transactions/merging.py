"""Merges and splits of projects."""

from attrs import frozen

from lamella.domain.audit.entry import Action
from lamella.domain.transactions.catalogue import Catalogue


@frozen(kw_only=True, repr=False)
class Move:
    """Merge or split, which moves rows from one project to another.

    Attributes:
        old: Id of the project to merge or to split off.
        home: Id of the project that has the rows of `old` after a merge, or before a split.
        origins: Ids of the projects in which the rows to split off were saved. Empty for a merge, which moves all
            rows of `old`.
        rest: Ids of the projects whose rows stay in `home` after a split. Empty for a merge.
        again: True if `old` is already merged, possibly incompletely.
    """

    old: str
    home: str
    origins: frozenset[str] = frozenset()
    rest: frozenset[str] = frozenset()
    again: bool = False

    @property
    def action(self) -> Action:
        """`Action.MERGE` or `Action.SPLIT`."""
        return Action.SPLIT if self.origins else Action.MERGE


def decide_merge(old: str, new: str, known: Catalogue) -> Move:
    """Plan a merge; see `ProjectRegistry.merge`."""
    home = known.merge_target(old, new).id
    return Move(old=old, home=home, again=known.known(old).moved_to is not None)


def decide_split(old: str, known: Catalogue) -> Move:
    """Plan a split; see `ProjectRegistry.split`.

    If other projects were merged into `old` before, the split also moves their rows to `old`. These projects stay
    merged into `old`.
    """
    home = known.merged_into(old).id
    origins = frozenset({old, *known.leading_to(old)})
    return Move(old=old, home=home, origins=origins, rest=frozenset({home, *known.leading_to(home)}) - origins)
