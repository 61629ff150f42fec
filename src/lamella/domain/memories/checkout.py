"""Branch and commit that were checked out when a memory was saved. Hooks use this module."""

from typing import NamedTuple


class Checkout(NamedTuple):
    """Checked-out branch and commit; None for a detached HEAD, a branch without commits, or no repository."""

    branch: str | None = None
    head: str | None = None

    def saved_on(self, *, deleted: bool) -> str:
        """Return what is said of a memory whose branch is not merged here, or is deleted, maybe squashed."""
        return f"saved on {self.branch}{', since deleted' if deleted else ''}"
