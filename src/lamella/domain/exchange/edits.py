"""Edits of memories that people made in the files of an export or of a shared folder."""

from collections.abc import Iterator, Mapping, Sequence
from uuid import UUID

from attrs import evolve, frozen

from lamella.domain.exchange.shared_file import UnfitFileError, edited_id, require_resolved, says_the_same
from lamella.domain.memories.ids import SHORT_ID_CHARACTERS
from lamella.domain.memories.kind import Kind
from lamella.domain.memories.observation import Observation
from lamella.domain.memories.titles import generated_title
from lamella.domain.text.printing import trimmed


@frozen
class Edit:
    """New text of a memory.

    Attributes:
        former: The stored version to replace.
        said: The memory in the edited file, with new title, text or keywords.
        corrected: True if the version to replace was made in the storage, not by an earlier edit of the file.
    """

    former: Observation
    said: Observation
    corrected: bool = False

    @property
    def id(self) -> UUID:
        """Id of the new version. The same edit of the same version always has the same id."""
        return edited_id(self.former.id, self.said)


@frozen
class FileMemory:
    """Memory read from a file of a shared folder.

    Attributes:
        name: Name of the file.
        stamp: Text that differs whenever the file has changed.
        said: Memory in the file.
    """

    name: str
    stamp: str
    said: Observation

    @property
    def edited(self) -> UUID:
        """Id to store this memory under if another text is already stored under `said.id`."""
        return edited_id(self.said.id, self.said)

    def titled(self, former: Observation) -> "FileMemory":
        """Return the memory with a new title if its title was generated from the text of `former`."""
        return evolve(self, said=evolve(self.said, title=_title(self.said, [former])))


def originals_first(files: Sequence[FileMemory], kept: Mapping[UUID, Observation]) -> Iterator[FileMemory]:
    """Yield the memories of files. Original files come before edited copies.

    The name of an original contains the beginning of its memory's id. A copied file has the title of its original,
    even if the text was then edited. If the title was generated from the original's text, generate a new title
    from the text of the copy.

    Args:
        files: The files.
        kept: Stored memories, keyed by id.
    """
    texts = dict(kept)
    for each in sorted(files, key=lambda each: each.said.id.hex[:SHORT_ID_CHARACTERS] not in each.name):
        yield each.titled(texts.setdefault(each.said.id, each.said))


@frozen
class Assignment:
    """Memory of a file in a shared folder.

    Attributes:
        file: The memory as read from the file.
        id: Id of the stored memory with this text, or of the memory to store.
        former: Id of the memory that the file belonged to before; None if that is the memory `id`.
        owner: Name of the file that the memory `id` belongs to, usually the name of this file.
    """

    file: FileMemory
    id: UUID
    former: UUID | None
    owner: str


def assigned(
    files: Sequence[FileMemory],
    kept: Mapping[UUID, Observation],
    holders: Mapping[str, UUID],
    owners: Mapping[UUID, str],
) -> Iterator[Assignment]:
    """Yield the memory of each changed file. A memory belongs to one file only, even if texts moved between files.

    The id in a file's front matter names its memory. If the file's text differs from the text of that memory, the
    file gets a new memory, stored as an edit of the named memory.

    Args:
        files: The changed files, in the order of `originals_first`.
        kept: Stored memories, keyed by id, without secrets.
        holders: Id of the memory that each file had before, keyed by the file's name.
        owners: Names of the unchanged files, keyed by the ids of their memories.
    """
    texts, owners = dict(kept), dict(owners)
    ids: dict[str, UUID] = {}
    for each in files:
        own = texts.setdefault(each.said.id, each.said)
        ids[each.name] = each.said.id if says_the_same(own, each.said) else each.edited
        owners.setdefault(ids[each.name], each.name)
    for each in files:
        id = ids[each.name]
        # Don't replace a memory that belongs to another file. A file that is new on this machine may be an edit
        # from another machine, so also try the memory named in its front matter.
        formers = (holders.get(each.name, each.said.id), each.said.id)
        former = next((before for before in formers if owners.get(before, each.name) == each.name), id)
        yield Assignment(each, id, None if former == id else former, owners[id])


def edit_of(said: Observation, versions: Sequence[Observation]) -> Edit | None:
    """Return the edit that a person made in a file; None for an unedited file.

    Args:
        said: Memory in the file.
        versions: The memory stored under the id of `said`, and its replacements up to the latest.

    Raises:
        UnfitFileError: The edit cannot be imported.
    """
    first, latest = versions[0], versions[-1]
    said = evolve(said, title=_title(said, versions), content=trimmed(said.content))
    # Ignore captured edits. Their text also differs from the file if later captures were merged into them, so a
    # difference doesn't show that a person edited the file.
    if first.kind is Kind.CHANGE or says_the_same(said, latest):
        return None
    same = next((each for each in versions if says_the_same(said, each)), None)
    if same is not None:
        if said.purged or not _edited_in_files(versions):
            return None
        raise UnfitFileError(
            "it has the text from before an edit; to restore that text, run:"
            f" lamella purge {_short(latest)}; lamella restore {_short(same)}"
        )
    require_resolved(said.content)
    if latest.purged:
        raise UnfitFileError(
            f"its memory was purged here; to import it, first run: lamella restore {_short(latest)}"
        )
    if said.purged and first.purged:
        raise UnfitFileError(f"its memory was replaced; to edit the replacement: lamella edit {_short(latest)}")
    return Edit(latest, said, corrected=len(versions) > 1 and not _edited_in_files(versions))


def _title(said: Observation, versions: Sequence[Observation]) -> str:
    """Return the title of a file's memory.

    If the title was generated from an earlier text, generate a new title.
    """
    generated = any(said.title == each.title == generated_title(each.content) for each in versions)
    return generated_title(said.content.strip()) if generated else said.title


def _edited_in_files(versions: Sequence[Observation]) -> bool:
    """Return True if the latest version comes from an edited file."""
    return len(versions) > 1 and versions[-1].id == edited_id(versions[-2].id, versions[-1])


def _short(memory: Observation) -> str:
    return memory.id.hex[:SHORT_ID_CHARACTERS]
