"""Branch and commit checked out at the save of a memory. Hooks use this module."""

from typing import NamedTuple


class Checkout(NamedTuple):
    """Checked-out branch and commit.

    The branch is None for a detached HEAD. The commit is None for a branch without commits. Both are None without
    a repository.
    """

    branch: str | None = None
    head: str | None = None

    def saved_on(self, *, deleted: bool) -> str:
        """Return the remark for a memory saved on an unmerged branch.

        The remark says if the branch was deleted, because the branch may then have been squash-merged.
        """
        return f"saved on {self.branch}{', since deleted' if deleted else ''}"
