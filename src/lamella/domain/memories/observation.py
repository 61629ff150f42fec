"""Observations, the stored form of memories, with actor, author, time and changes of code."""

import hashlib
from collections.abc import Iterable, Mapping
from datetime import datetime
from functools import cached_property
from typing import Any
from uuid import UUID

from attrs import Attribute, field, frozen, validators
from attrs.converters import optional

from lamella.domain.memories.checkout import Checkout
from lamella.domain.memories.kind import LEARNED
from lamella.domain.memories.kind import Kind as Kind  # noqa: PLC0414 - modules that use observations import it from here
from lamella.domain.text.printing import cut, one_line, stored_key, well_formed
from lamella.domain.validation import InvalidValueError, aware, in_utc, not_blank, refuse_type

MAX_KEYWORDS_CHARACTERS = 200
"""Maximum length of a memory's keywords."""

Metadata = Mapping[str, str]
"""Strings, keyed by name, that programs attach to a memory."""

MAX_METADATA_ENTRIES, MAX_METADATA_CHARACTERS = 20, 500
"""Maximum number of entries of a memory's metadata, and maximum length of a name or text."""


def content_digest(content: str) -> bytes:
    """Return the SHA-256 of the content of an observation in UTF-8."""
    return hashlib.sha256(content.encode()).digest()


@frozen(kw_only=True)
class CodeChange:
    """Change of one file, with its added and removed lines.

    Attributes:
        path: Path relative to the project's root, with `/`.
        additions: Number of added lines; None if unknown (no git, a binary file).
        deletions: Number of removed lines; None if unknown.
        hunks: Bounded unified diff without file headers.
        former: Path before a rename.
        version: Version of the file when the memory was saved, as in `WorkingTree.versions`; None if unknown.
    """

    path: str = field(validator=not_blank, converter=well_formed)
    additions: int | None = None
    deletions: int | None = None
    hunks: str = field(default="", converter=well_formed)
    former: str | None = field(default=None, converter=optional(well_formed))
    version: str | None = field(default=None, converter=optional(well_formed))


def fingerprint(title: str, content: str, source: str, paths: Iterable[str]) -> bytes:
    """Return the fingerprint of a memory's title, text, source and paths. The order of paths doesn't matter."""
    return hashlib.sha256(repr((title, content, source, *sorted(paths))).encode()).digest()


def stored_keywords(text: str) -> str:
    """Normalise keywords for storage: well-formed, on one line, of at most `MAX_KEYWORDS_CHARACTERS`."""
    return cut(one_line(well_formed(text)), MAX_KEYWORDS_CHARACTERS) if text else ""


def stored_metadata(given: Metadata) -> Metadata:
    """Normalise metadata for storage: well-formed, names on one line. Invalid values are returned unchanged."""
    if not given or not _are_texts(given):
        return given
    return {one_line(well_formed(name)): well_formed(text) for name, text in given.items()}


def texts_by_name(_instance: object, attribute: "Attribute[Any]", given: object) -> None:
    """Require a mapping of strings to strings."""
    if not _are_texts(given):
        refuse_type(attribute.name, given, "a mapping of strings to strings")


def short_metadata(instance: object, attribute: "Attribute[Any]", given: Metadata) -> None:
    """Validate metadata, including its size."""
    texts_by_name(instance, attribute, given)
    if len(given) > MAX_METADATA_ENTRIES or any(
        len(each) > MAX_METADATA_CHARACTERS for pair in given.items() for each in pair
    ):
        allowed = f"at most {MAX_METADATA_ENTRIES} entries of at most {MAX_METADATA_CHARACTERS} characters"
        raise InvalidValueError(name=attribute.name, given="more or longer entries", allowed=allowed)
    if not all(map(is_metadata_name, given)):
        raise InvalidValueError(
            name=attribute.name,
            given="a mapping with other names",
            allowed="a mapping with names that are not blank and have no =",
        )


def _are_texts(given: object) -> bool:
    return isinstance(given, Mapping) and all(isinstance(each, str) for pair in given.items() for each in pair)


def is_metadata_name(name: str) -> bool:
    """Return True if a text can be the name of an entry of metadata."""
    return bool(name.strip()) and "=" not in name


@frozen(kw_only=True, repr=False, slots=False)
class Draft:
    """Observation before storage assigns an id, a sequence number and times.

    Text is stored verbatim, but U+FFFD replaces NUL and lone surrogates. Long values of `request` and `session`
    are shortened; see `stored_key`.

    Attributes:
        content: Text of the memory, not blank.
        title: Title of the observation.
        keywords: Search words that the text doesn't contain, on one line. Not part of the fingerprint.
        source: Origin of the observation, such as `manual` or `git`.
        kind: Kind of the observation.
        actor: Kind of author, such as `agent` or `user`.
        author: Name of the person or program, if known. Not part of the fingerprint.
        session: Id of the session in which the observation is made, if any.
        changes: Related changes of code.
        branch: Checked-out branch, if known. Not part of the fingerprint.
        head: Checked-out commit, if known. Not part of the fingerprint.
        client: Name of the client program, if known. Not part of the fingerprint.
        request: The client's id of the call. A retry with this id and the same text saves nothing new.
        replaces: Ids of replaced observations.
        metadata: Data of programs: strings, keyed by name. Not part of the fingerprint.
        occurred_at: Time of the recorded event; None for the time of the save.
    """

    content: str = field(validator=not_blank, converter=well_formed)
    title: str = field(default="", converter=well_formed)
    keywords: str = field(default="", converter=stored_keywords)
    source: str = field(default="manual", converter=well_formed)
    kind: Kind = Kind.NOTE
    actor: str = field(default="agent", converter=well_formed)
    author: str | None = field(default=None, converter=optional(well_formed))
    session: str | None = field(default=None, converter=optional(stored_key))
    changes: tuple[CodeChange, ...] = ()
    branch: str | None = field(default=None, converter=optional(well_formed))
    head: str | None = field(default=None, converter=optional(well_formed))
    client: str | None = field(default=None, converter=optional(well_formed))
    request: str | None = field(default=None, converter=optional(stored_key))
    replaces: tuple[UUID, ...] = ()
    metadata: Metadata = field(factory=dict, hash=False, converter=stored_metadata)
    occurred_at: datetime | None = field(default=None, validator=validators.optional(aware))

    @cached_property
    def fingerprint(self) -> bytes:
        """Fingerprint (32 bytes) of title, content, source, and the paths in any order."""
        return fingerprint(self.title, self.content, self.source, [change.path for change in self.changes])

    @classmethod
    def of(cls, observation: "Observation", **changes: Any) -> "Draft":
        """Return a draft equal to an observation, except for some `changes`."""
        return cls(**_said(observation) | changes)

    def observed(
        self, *, id: UUID, project: str, sequence: int, now: datetime, occurred_at: datetime | None = None
    ) -> "Observation":
        """Create the observation for this draft.

        Args:
            id: Id of the observation.
            project: Id of the observation's project.
            sequence: Sequence number of the observation.
            now: Time of the save.
            occurred_at: Time of the recorded event; None for `now`.
        """
        return Observation(
            id=id,
            project=project,
            origin=project,
            sequence=sequence,
            created_at=now,
            updated_at=now,
            occurred_at=occurred_at or now,
            **_said(self),
        )


def _said(memory: "Draft | Observation") -> dict[str, Any]:
    """Return the common fields of drafts and observations."""
    return {name: getattr(memory, name) for name in _SAID}


_SAID = (
    "content", "title", "keywords", "source", "kind", "actor", "author", "session", "changes", "branch", "head",
    "client", "metadata",
)  # fmt: skip


@frozen(kw_only=True)
class Observation:
    """Stored memory. Times are timezone-aware, in UTC.

    Attributes:
        id: Id of the observation.
        project: Id of the observation's project.
        origin: Id of the project that the observation was saved in, and that a split moves it to. A replacement
            has the common origin of the memories that it replaces, if there is one. A merge keeps `origin`.
        sequence: Number that increases with each save in a project. It may have gaps, and is never reused.
        session: Id of the session in which the observation was made, if any.
        kind: Kind of the observation.
        actor: Kind of author, such as `agent` or `user`.
        author: Name of the person or program, if known. Not part of the fingerprint.
        title: Title of the observation.
        content: Text of the observation.
        keywords: Search words that the content doesn't contain, as normalised by `stored_keywords`.
        source: Origin of the observation, such as `manual` or `git`.
        created_at: Time of the save.
        updated_at: Time of the observation's last change.
        purged_at: Time of the purge; None for a live observation.
        occurred_at: Time by which memories are ordered. Usually `created_at`, but never before the `occurred_at`
            of the previous save, even if the clock was set back.
        changes: Related changes of code.
        branch: Checked-out branch at the save, if known.
        head: Checked-out commit at the save, if known.
        client: Name of the client program, if known.
        metadata: Data of programs: strings, keyed by name.
        replaced_by: Id of the replacement, if the observation was purged because of a replacement; else None.

    Example:
        >>> said = memory.save("Staging is reset every night.", source="decision", paths=["charge.py"]).observation
        >>> said.title, said.source, said.kind.value, said.changes[0].path
        ('Staging is reset every night.', 'decision', 'note', 'charge.py')
    """

    id: UUID
    project: str
    origin: str
    sequence: int
    session: str | None
    kind: Kind
    actor: str
    author: str | None = None
    title: str
    content: str
    keywords: str = ""
    source: str
    created_at: datetime = field(converter=in_utc)
    updated_at: datetime = field(converter=in_utc)
    purged_at: datetime | None = field(default=None, converter=optional(in_utc))
    occurred_at: datetime = field(converter=in_utc)
    changes: tuple[CodeChange, ...] = ()
    branch: str | None = None
    head: str | None = None
    client: str | None = None
    metadata: Metadata = field(factory=dict, hash=False)
    replaced_by: UUID | None = None

    @property
    def fingerprint(self) -> bytes:
        """Fingerprint of the present title, text, source and paths; see `Draft.fingerprint`."""
        return fingerprint(self.title, self.content, self.source, [change.path for change in self.changes])

    @property
    def checkout(self) -> Checkout:
        """Branch and commit checked out at the save."""
        return Checkout(self.branch, self.head)

    @property
    def purged(self) -> bool:
        """True if the observation is purged (soft-deleted)."""
        return self.purged_at is not None

    @property
    def learned(self) -> bool:
        """True for a commit learned from history."""
        return self.kind is Kind.CHANGE and self.source == LEARNED
