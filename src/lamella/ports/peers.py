"""Other memory programs, as far as their memories can be taken over.

An adapter is registered in the group `lamella.peers`, under the name of the program, as a callable that takes a
file or folder, or None for the places where the program keeps its own, and returns a `Peer`.
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
    """Place where a program keeps memories.

    Attributes:
        place: Its file or folder.
        records: About how many records it has, for a display of progress; None if only reading tells.
        remark: What a user should know about all of its memories, a sentence; empty if nothing.
    """

    place: Path
    records: int | None = None
    remark: str = ""


@frozen(kw_only=True)
class ForeignMemory:
    """Memory as another program has it. Text is whole and as it is: secrets in it are the caller's concern.

    Attributes:
        key: Its permanent id there, unique in the program.
        project: Name of its project there; None if it names none.
        directory: Absolute path of the project's directory, on the machine where it was saved, if that is known.
        title: Its title; empty if it has none.
        keywords: Other words to find it by, such as its name there.
        named: True if its title is its permanent name there, under which it may say something else later.
        content: Its text, not blank.
        kind: Its kind.
        source: Its type there.
        actor: Kind of the one who saved it, such as `agent` or `user`.
        created_at: Time at which it was saved, in UTC; None if nothing tells.
        session: The client's id of the conversation that it was saved in, if any.
        paths: Files that it is about, relative to the directory of the project, or absolute.
        deleted: True if it was deleted there, or replaced by another.
    """

    key: str = field(validator=not_blank, converter=well_formed)
    project: str | None = field(default=None, converter=optional(well_formed))
    directory: str | None = None
    title: str = field(default="", converter=well_formed)
    keywords: str = field(default="", converter=well_formed)
    named: bool = False
    content: str = field(validator=not_blank, converter=well_formed)
    kind: Kind = Kind.NOTE
    source: str = field(default="", converter=well_formed)
    actor: str = AGENT
    created_at: datetime | None = field(default=None, validator=validators.optional(aware))
    session: str | None = None
    paths: tuple[str, ...] = ()
    deleted: bool = False


@frozen(kw_only=True)
class ForeignPrompt:
    """Request of a person that another program has kept of a conversation. Text is whole and as it is.

    Attributes:
        key: Its permanent id there, unique among the prompts of the program.
        project: Name of its project there; None if it names none.
        directory: Absolute path of the project's directory, as that of a memory.
        session: The client's id of the conversation.
        text: What was asked, not blank.
        at: Its time, in UTC.
    """

    key: str = field(validator=not_blank, converter=well_formed)
    project: str | None = field(default=None, converter=optional(well_formed))
    directory: str | None = None
    session: str = field(validator=not_blank, converter=stored_key)
    text: str = field(validator=not_blank, converter=well_formed)
    at: datetime = field(validator=aware)


@frozen
class Skipped:
    """Record that is no memory.

    Attributes:
        reason: Why, in a few words that can follow a number, such as `without text`.
    """

    reason: str


BROKEN = Skipped("broken")
"""Record that cannot be understood."""

Record = ForeignMemory | ForeignPrompt | Skipped
"""One record of a store."""


class Peer(Protocol):
    """Memories that another program has kept. Reading changes nothing of it, and makes no file beside it."""

    @abstractmethod
    def stores(self) -> tuple[Store, ...]:
        """Return the places that have memories, at least one.

        Raises:
            PeerUnreadableError: There is none; the error names what was looked for.
        """

    @abstractmethod
    def read(self, store: Store) -> Iterator[Record]:
        """Yield the records of a store, deleted memories included, in the same order each time.

        Raises:
            PeerUnreadableError: It cannot be read, or not any further.
        """

    def name_of(self, directory: str) -> str:
        """Return the name that the program gives to the project in a directory, by default that of the folder.

        Args:
            directory: Absolute path.
        """
        return PurePath(directory).name
