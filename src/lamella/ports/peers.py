"""Import from other memory programs.

An adapter is registered in the group `lamella.peers`, under the name of the program, as a callable. It takes a
file or folder, or None for the program's default files and folders, and returns a `Peer`.
"""

from abc import abstractmethod
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path, PurePath
from typing import Protocol

from attrs import field, frozen, validators
from attrs.converters import optional

from lamella.domain.call import AGENT
from lamella.domain.memories.kind import Kind
from lamella.domain.text.printing import stored_key, well_formed
from lamella.domain.validation import aware, not_blank


@frozen(kw_only=True)
class Store:
    """File or folder in which another program stores memories.

    Attributes:
        place: File or folder of the store.
        records: Approximate number of records, to display progress; None if the number is unknown before reading.
        remark: Sentence for the user about all memories of the store; may be empty.
    """

    place: Path
    records: int | None = None
    remark: str = ""


@frozen(kw_only=True)
class ForeignMemory:
    """Memory of another program. Text is complete and unchanged: the caller must redact secrets.

    Attributes:
        key: Permanent id of the memory in that program.
        project: Name of the memory's project in that program; None without a project.
        directory: Absolute path of the project's directory on the original machine, if known.
        title: Title of the memory; may be empty.
        keywords: Further search words, such as the memory's name in that program.
        content: Text of the memory, not blank.
        kind: Kind of the memory.
        source: Type of the memory in that program.
        actor: Kind of the memory's author, such as `agent` or `user`.
        created_at: Time of the save, in UTC; None if unknown.
        session: The client's id of the memory's conversation; None without a conversation.
        paths: Paths of files that the memory is about: absolute, or relative to the project's directory.
        deleted: True if that program has deleted the memory, or replaced it by another memory.
        no_texts: Number of values left out because they aren't texts, such as a number in a list of facts.
    """

    key: str = field(validator=not_blank, converter=well_formed)
    project: str | None = field(default=None, converter=optional(well_formed))
    directory: str | None = None
    title: str = field(default="", converter=well_formed)
    keywords: str = field(default="", converter=well_formed)
    content: str = field(validator=not_blank, converter=well_formed)
    kind: Kind = Kind.NOTE
    source: str = field(default="", converter=well_formed)
    actor: str = AGENT
    created_at: datetime | None = field(default=None, validator=validators.optional(aware))
    session: str | None = None
    paths: tuple[str, ...] = ()
    deleted: bool = False
    no_texts: int = 0


@frozen(kw_only=True)
class ForeignPrompt:
    """Prompt of a person, stored by another program. Text is complete and unchanged.

    Attributes:
        key: Permanent id of the prompt in that program, unique among its prompts.
        project: Name of the prompt's project in that program; None without a project.
        directory: Absolute path of the project's directory, as in `ForeignMemory`.
        session: The client's id of the conversation.
        text: The prompt, not blank.
        at: Time of the prompt, in UTC.
    """

    key: str = field(validator=not_blank, converter=well_formed)
    project: str | None = field(default=None, converter=optional(well_formed))
    directory: str | None = None
    session: str = field(validator=not_blank, converter=stored_key)
    text: str = field(validator=not_blank, converter=well_formed)
    at: datetime = field(validator=aware)


@frozen
class Skipped:
    """Record that can't become a memory.

    Attributes:
        reason: The reason in a few words, for lines such as `3 without text`.
    """

    reason: str


BROKEN = Skipped("broken")
"""Invalid record."""

NO_TEXTS = "values that aren't texts"
"""Reason for leaving out values of a memory."""

BLANK = Skipped("without text")
"""Record without a text."""

Record = ForeignMemory | ForeignPrompt | Skipped
"""One record of a store."""


class Peer(Protocol):
    """Memories of another program. Reading neither changes the program's files nor creates new files."""

    @abstractmethod
    def stores(self) -> tuple[Store, ...]:
        """Return the files and folders with memories, at least one.

        Raises:
            PeerUnreadableError: No file or folder has memories. The error names the searched places.
        """

    @abstractmethod
    def read(self, store: Store) -> Iterator[Record]:
        """Yield the records of a store, including deleted memories. The order is the same in every call.

        Raises:
            PeerUnreadableError: The store, or a part of it, can't be read.
        """

    def name_of(self, directory: str) -> str:
        """Return the program's name for the project in a directory. Without a name, return the name of the folder.

        Args:
            directory: Absolute path.
        """
        return PurePath(directory).name
