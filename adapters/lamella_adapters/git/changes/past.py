"""Files of a folder that were deleted, or exist only on other branches."""

import os

from lamella.domain.ledger.files import Past
from lamella_adapters.git.repository.process import Git

_LOG = ("log", "--format=", "--no-renames", "--full-history", "--name-only", "-z")

# Ignore submodules. Otherwise, git would run programs named by the configuration of a submodule.
_MISSING = ("diff-index", "--name-only", "--no-renames", "--ignore-submodules=all", "-z", "--diff-filter=D")


def past(git: Git, folder: str) -> Past | None:
    """Return the past of a folder; None if git fails, is missing or takes too long.

    Git runs no filter that the repository's configuration names.
    """
    deleted = git.ask(*_LOG, "--diff-filter=D", "HEAD", "--", folder)
    # This command ignores files left out of a sparse checkout.
    missing = git.ask(*_MISSING, "HEAD", "--", folder)
    ever = git.ask(*_LOG, "--diff-filter=A", "--all", "HEAD", "--", folder)
    if deleted is None or missing is None or ever is None:
        return None
    return Past(deleted=_paths(deleted), missing=_paths(missing), ever=_paths(ever))


def _paths(printed: bytes) -> frozenset[str]:
    return frozenset(os.fsdecode(each.strip(b"\n")) for each in printed.split(b"\0") if each.strip(b"\n"))
