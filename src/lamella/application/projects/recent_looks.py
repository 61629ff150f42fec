"""Cache of look-ups in the registry, for reads by remote callers."""

from datetime import datetime, timedelta

from attrs import define, field

from lamella.domain.transactions.catalogue import Catalogue, ProjectLook
from lamella.ports.system import Clock

REMEMBERED_FOR = timedelta(seconds=5)
"""Lifetime of a cached look-up."""

MOST_LOOKS = 1_000
"""Maximum number of cached look-ups."""


@define(eq=False, repr=False, slots=False)
class RecentLooks:
    """Cache of the registry's answers to look-ups. An answer is valid for `REMEMBERED_FOR`."""

    clock: Clock
    _looks: dict[ProjectLook, tuple[Catalogue, datetime]] = field(init=False, factory=dict)

    def get(self, look: ProjectLook) -> Catalogue | None:
        """Return the cached answer to a look-up. Return None if no answer is cached, or if it has expired."""
        found = self._looks.get(look)
        return found[0] if found is not None and self.clock.now() - found[1] < REMEMBERED_FOR else None

    def add(self, look: ProjectLook, known: Catalogue) -> None:
        """Cache the answer `known` to a look-up. If it is cached already, it keeps its expiry."""
        if self.get(look) is None:
            self._looks = self._looks if len(self._looks) < MOST_LOOKS else {}
            self._looks[look] = known, self.clock.now()
