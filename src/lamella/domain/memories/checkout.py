"""Branch and commit checked out at the save of a memory. Hooks use this module."""

from typing import NamedTuple


class Checkout(NamedTuple):
    """Checked-out branch and commit; None for a detached HEAD, a branch without commits, or no repository."""

    branch: str | None = None
    head: str | None = None

    def saved_on(self, *, deleted: bool) -> str:
        """Return a remark on a memory saved on an unmerged branch, or on a deleted and possibly squashed one."""
        return f"saved on {self.branch}{', since deleted' if deleted else ''}"
