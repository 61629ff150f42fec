"""Changed and missing files of a project's working tree."""

from attrs import frozen

from lamella.domain.memories.observation import CodeChange


@frozen(kw_only=True, repr=False)
class Uncommitted:
    """Uncommitted changes of files.

    Attributes:
        changes: The changes.
        more: Paths of further changed files, which weren't read.
    """

    changes: tuple[CodeChange, ...] = ()
    more: tuple[str, ...] = ()


@frozen(kw_only=True, repr=False)
class Past:
    """Files of a folder in version control, as paths relative to the root.

    Attributes:
        deleted: Files deleted by a commit in the history of HEAD.
        missing: Files of HEAD missing in the working tree.
        ever: Files ever added by a commit on any branch.
    """

    deleted: frozenset[str] = frozenset()
    missing: frozenset[str] = frozenset()
    ever: frozenset[str] = frozenset()

    def lost(self, path: str) -> bool:
        """Return True if a missing file was deleted. Return False if the file is only on another branch."""
        return path in self.deleted or path in self.missing or path not in self.ever
