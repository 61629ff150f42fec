"""Result of syncing a shared folder."""

from attrs import define, field


@define
class ShareAccount:
    """Progress and result of a sync.

    Attributes:
        folder: Shared folder, relative to the root.
        files: Number of files with memories.
        new: Number of imported memories.
        edited: Number of memories replaced because their files were edited.
        purged: Number of memories purged because their files were deleted.
        restored: Number of memories restored because their files have returned.
        written: Number of written files.
        removed: Number of removed files.
        redacted: Number of redacted secrets.
        left: Reasons for leaving files alone, keyed by file name.
        conflicts: Messages about edited files, keyed by file name. Their memories were changed here, too, so both
            texts are kept.
        ignored: Number of files without lamella's front matter.
        waiting: Number of memories to purge after the user confirms, because all files are gone. Nothing was
            written in this sync.
        undecided: Number of missing files that weren't synced, because git couldn't say whether they were deleted.
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
    conflicts: dict[str, str] = field(factory=dict)
    ignored: int = 0
    waiting: int = 0
    undecided: int = 0
