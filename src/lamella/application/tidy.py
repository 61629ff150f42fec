"""Keeping search quick as memories come."""

from attrs import define

from lamella.ports.storage import Storage


@define
class TidyStorage:
    """Has the storage do a step of the work that nobody waits for."""

    storage: Storage

    def __call__(self) -> bool:
        """Whether there may be more of it."""
        return self.storage.tidy()
