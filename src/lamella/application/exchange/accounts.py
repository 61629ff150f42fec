"""Results of imports and syncs."""

from collections import Counter

from attrs import define, field

from lamella.domain.memories.kind import Kind


@define
class ImportAccount:
    """Progress and result of an import.

    Attributes:
        new: Number of new memories, by name of the target project and kind.
        known: Number of memories that already existed.
        purged: Number of these existing memories that are purged here. Replaced memories don't count.
        erased: Number of memories skipped because they were erased here.
        edited: Number of memories replaced because their text was edited in the export.
        left: Reasons for skipped files or lines, by name.
        conflicts: Messages about edited files or lines whose memory was also corrected in storage, by name.
        followed: Number of existing memories purged now, because the source has purged them.
        restored: Number of existing memories restored now, because the source has restored them.
        amended: Number of captured edits updated, because the source has extended them.
        erased_there: Number of memories erased at the source, but kept here.
        withdrawn: Number of memories purged now, because another machine of the user has erased them.
        messages, known_messages: Numbers of new messages, and of messages that already existed.
        differing: Number of messages, session names and memories that differ from the export, and stay different.
        redacted: Number of secrets redacted in new and edited memories. If the import has added messages, secrets
            in all other records count, too.
        split: Number of memories that are parts of a longer text.
        projects: Number of projects, not counting global memories.
        everywhere: True if the export has global memories.
        off: Number of records skipped because memory is off, by name of their project.
    """

    new: "Counter[tuple[str, Kind]]" = field(factory=Counter)
    known: int = 0
    purged: int = 0
    erased: int = 0
    edited: int = 0
    left: dict[str, str] = field(factory=dict)
    conflicts: dict[str, str] = field(factory=dict)
    followed: int = 0
    restored: int = 0
    amended: int = 0
    erased_there: int = 0
    withdrawn: int = 0
    messages: int = 0
    known_messages: int = 0
    differing: int = 0
    redacted: int = 0
    split: int = 0
    projects: int = 0
    everywhere: bool = False
    off: "Counter[str]" = field(factory=Counter)

    @property
    def memories(self) -> int:
        """Number of new memories."""
        return self.new.total()


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
        left: Reasons for files left alone, by name.
        conflicts: Messages about edited files whose memories were changed here, too, by name. Both texts are kept.
        ignored: Number of files without lamella's front matter.
        waiting: Number of memories to purge after the user confirms, as all files are gone. Nothing else was
            synced.
        moved_to: Folder that now has most of the missing files, relative to the root. If there is such a folder,
            the memories of the missing files wait even if the user has confirmed. Empty without such a folder.
        restorable: True if the latest commit still has some of the missing files.
        undecided: Number of missing files of which git couldn't say whether they were deleted.
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
    moved_to: str = ""
    restorable: bool = False
    undecided: int = 0
