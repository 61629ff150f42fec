"""Account of a sync of a shared folder."""

from attrs import define, field


@define
class ShareAccount:
    """Account of a sync.

    Attributes:
        folder: The folder, relative to the root.
        files: Number of files of memories that are there.
        new: Number of memories that were taken over.
        edited: Number of memories that replaced others whose files had been edited.
        purged: Number of memories that were purged because their files were gone.
        restored: Number of memories that were restored because their files are back.
        written: Number of files that were written.
        removed: Number of files that were removed.
        redacted: Number of secrets that were redacted.
        left: Files that were left alone, by name with the reason.
        waiting: Number of memories that wait for an answer, as all files are gone. Nothing else was synced.
        undecided: Number of missing files of which git could not say whether they were deleted.
    """

    folder: str
    files: int = 0
    new: int = 0
    edited: int = 0
    purged: int = 0
    restored: int = 0
    written: int = 0
    removed: int = 0
    redacted: int = 0
    left: dict[str, str] = field(factory=dict)
    waiting: int = 0
    undecided: int = 0
