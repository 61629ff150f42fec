"""Save a memory."""

# ruff: noqa: PLC0415 - most saves replace nothing and name no file

from collections.abc import Sequence
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING
from uuid import UUID, uuid4

from attrs import define, evolve, field, frozen
from attrs.converters import optional as if_given
from attrs.validators import optional

from lamella.application.memories.save_outcome import SaveOutcome
from lamella.application.privacy.cleaner import Cleaner
from lamella.application.projects.context import ProjectContext
from lamella.application.projects.resolver import ProjectResolver
from lamella.domain.call import Call
from lamella.domain.errors import InvalidValueError, LamellaError
from lamella.domain.memories.checkout import Checkout
from lamella.domain.memories.kind import Kind
from lamella.domain.memories.limits import MAX_LIMIT
from lamella.domain.memories.observation import (
    MAX_KEYWORDS_CHARACTERS,
    CodeChange,
    Draft,
    Metadata,
    short_metadata,
)
from lamella.domain.memories.titles import MAX_TITLE_CHARACTERS, generated_title
from lamella.domain.privacy.redaction import is_emptied, without_private
from lamella.domain.text.printing import as_texts, as_trimmed
from lamella.domain.transactions.saving import Added, decide_restoring_save, decide_save, look_for_save, unsaved
from lamella.domain.validation import as_ids, aware, instance_of, is_text, listed, refuse_type
from lamella.ports.system import Clock, IdSource
from lamella.ports.working_tree import WorkingTree

if TYPE_CHECKING:
    from lamella.domain.memories.query import Hit

MAX_TEXT_CHARACTERS = 10_000
"""Maximum length of a memory's text, after trimming."""

MAX_SOURCE_CHARACTERS = 100
"""Maximum length of a source."""

MAX_PATHS = 50
"""Maximum number of files of one memory."""

MAX_PATH_CHARACTERS = 4_096
"""Maximum length of a path; Linux has the same limit."""

DEFAULT_SOURCE = "manual"
"""Default source of a memory."""


@frozen(kw_only=True)
class SaveRequest:
    """Request to save a memory. Texts are trimmed, but the indentation of the first line stays.

    Attributes:
        text: Text of the memory, not blank.
        title: Title; empty or None to generate one from the text.
        source: Origin or category, such as `manual` or `decision`.
        paths: Related files of the project.
        replaces: Ids, or prefixes of ids, of memories to replace.
        everywhere: True to save a global memory, shown in every project of the user.
        keywords: Search words missing in the text; None to keep the keywords of replaced memories.
        kind: Kind of memory.
        occurred_at: Time of the described event, not in the future; None for now.
        metadata: Strings of your program, keyed by name; None to keep the metadata of replaced memories.

    Example:
        >>> lamella.SaveRequest(text=" Staging is reset every night. ", paths=["deploy.sh"]).text
        'Staging is reset every night.'
    """

    text: str = field(converter=as_trimmed)
    title: str | None = field(default="", converter=if_given(as_trimmed))
    source: str = field(default=DEFAULT_SOURCE, converter=as_trimmed)
    paths: tuple[str, ...] = field(default=(), converter=as_texts)
    replaces: tuple[str, ...] = field(default=(), converter=as_ids)
    everywhere: bool = field(default=False, validator=instance_of(bool))
    keywords: str | None = field(default=None, converter=if_given(as_trimmed), validator=optional(is_text))
    kind: Kind = field(default=Kind.NOTE, validator=instance_of(Kind))
    occurred_at: datetime | None = field(default=None, validator=optional(aware))
    metadata: Metadata | None = field(default=None, validator=optional(short_metadata))

    def __attrs_post_init__(self) -> None:
        for name, given, most, unit in (
            ("text", self.text, MAX_TEXT_CHARACTERS, "characters"),
            ("title", "" if self.title is None else self.title, MAX_TITLE_CHARACTERS, "characters"),
            ("source", self.source, MAX_SOURCE_CHARACTERS, "characters"),
            ("paths", listed("paths", self.paths), MAX_PATHS, "files"),
            *(("each of paths", path, MAX_PATH_CHARACTERS, "characters") for path in self.paths),
            ("replaces", listed("replaces", self.replaces), MAX_LIMIT, "ids"),
            ("keywords", self.keywords or "", MAX_KEYWORDS_CHARACTERS, "characters"),
        ):
            if unit == "characters" and not isinstance(given, str):
                refuse_type(name, given, "a text")
            if len(given) > most:
                raise InvalidValueError(name=name, given=f"{len(given)} {unit}", allowed=f"at most {most} {unit}")
        if not self.text:
            raise InvalidValueError(name="text", given="blank", allowed="something to remember")
        if self.everywhere and self.paths:
            raise InvalidValueError(name="paths", given="given", allowed="left out for a global memory")


@define(eq=False, repr=False, slots=False)
class SaveMemory:
    """Save an observation in the project and session of the call."""

    projects: ProjectResolver
    working_tree: WorkingTree
    clock: Clock
    ids: IdSource

    def __call__(
        self,
        call: Call,
        request: SaveRequest,
        *,
        changes: Sequence[CodeChange] | None = None,
        restoring: bool = False,
    ) -> SaveOutcome:
        """Save durably, after redacting secrets and private parts.

        Args:
            call: Context of the call.
            request: Memory to save.
            changes: Code changes of a memory that is edited, already redacted. The branch of the edited memory is
                kept, too. None to read the present changes of `request.paths`.
            restoring: True to restore memories of `request.replaces` first, in the same transaction.

        Raises:
            PathOutsideProjectError: A path is outside the project.
            InvalidValueError: Paths are given, but the memory isn't for the project of the working directory.
            AmbiguousIdError: An id of `replaces` matches several memories.
            NotReplaceableError: An id of `replaces` is unknown, or its memory is purged.
            UnknownProjectError: The project doesn't exist.
            StorageError: The storage failed, and nothing was saved.
        """
        # Create the project only after validation: a rejected save must not create one.
        named = self.projects.find(call) if call.project else None
        cleaner = Cleaner()
        given = request.text, request.title, request.keywords
        text, given_title = cleaner.text(request.text), cleaner.text(request.title) if request.title else ""
        if is_emptied(text) and is_emptied(given_title):
            raise InvalidValueError(name="text", given="only secret or private", allowed="something to remember")
        # Redact before paths are normalised: normalising would break up URLs, and hide the passwords in them.
        paths = tuple(map(cleaner.text, request.paths))
        present = self._changes(call, paths, named) if paths and changes is None else ()
        replaced = self._replaced(call, request) if request.replaces else ()
        here = self.projects.make_everywhere(call) if request.everywhere else named
        here = here or self.projects.remembered(call) or self.projects.find_or_create(call)
        title = given_title or generated_title(text)
        former = " ".join(hit.observation.keywords for hit in replaced)
        keywords = former if request.keywords is None else cleaner.text(request.keywords)
        inherited = {name: each for hit in replaced for name, each in hit.observation.metadata.items()}
        metadata = inherited if request.metadata is None else request.metadata
        now = self.clock.now()
        if request.occurred_at is not None and request.occurred_at > now:
            raise InvalidValueError(name="occurred_at", given=f"{request.occurred_at}", allowed=f"at most {now}")
        source = request.source
        if source != DEFAULT_SOURCE:
            source = cleaner.text(source) or DEFAULT_SOURCE
        if changes is not None and replaced:  # an edit keeps the branch of the replaced memory
            checkout = replaced[0].observation.checkout
        elif request.everywhere or (named is not None and not present):
            # The working directory may belong to another project. This is only checked if files are named.
            checkout = Checkout()
        else:
            checkout = self.working_tree.checkout(here.root)
        draft = Draft(
            content=text,
            title=title,
            keywords=keywords,
            metadata={cleaner.text(name): cleaner.text(value) for name, value in metadata.items()},
            source=source,
            kind=request.kind,
            occurred_at=request.occurred_at,
            actor=call.actor,
            author=self.projects.author(call),
            session=call.session,
            changes=(self._versioned(call, cleaner.of_memory(present)) if present else tuple(changes or ())),
            branch=checkout.branch,
            head=checkout.head,
            client=call.client,
            request=call.request,
            replaces=tuple(hit.observation.id for hit in replaced),
        )
        decide = partial(
            decide_restoring_save if restoring else decide_save, draft, id=self.ids.new(), entry=uuid4(), now=now
        )
        try:
            saved = here.transact(look_for_save(draft), decide)
        except LamellaError as error:
            raise self._with_latest(here, error) from error.__cause__
        return SaveOutcome(
            observation=saved.observation,
            added=saved.added,
            redacted=cleaner.secrets,
            private=any(each != without_private(each) for each in filter(None, given)),
            missing=self._missing(call, present, draft.changes) if present else (),
            # A text that is saved again unchanged doesn't replace its own memory.
            replaced=tuple(hit for hit in replaced if hit.observation.id != saved.observation.id),
            unsaved=unsaved(draft, saved.observation) if saved.added is Added.DUPLICATE else (),
            keywords=draft.keywords,
            corrected=None if saved.corrected is None else self._hit(here, saved.corrected),
        )

    def _hit(self, here: ProjectContext, id: UUID) -> "Hit | None":
        """Return a memory with its short id; None for an erased memory."""
        return next(iter(here.observations.starting_with([id.hex], limit=1)[id.hex]), None)

    def _replaced(self, call: Call, request: SaveRequest) -> "tuple[Hit, ...]":
        """Return the memories that `request` replaces, without duplicates.

        Raises:
            AmbiguousIdError: An id matches several memories.
            NotReplaceableError: An id is unknown, or only one of the old and the new memory is global.
        """
        from lamella.application.memories.resolve_ids import resolve_in_places
        from lamella.domain.memories.errors import NotReplaceableError

        resolved = resolve_in_places(request.replaces, self.projects.find(call))
        resolved.require_unambiguous()
        for missing in resolved.missing:
            advice = "Give ids of this project's memories, or name their project."
            raise NotReplaceableError(id=missing, reason="not found", advice=advice)
        for given, hit in resolved.found.items():
            if hit.everywhere != request.everywhere:
                reason = "it holds in every project" if hit.everywhere else "it belongs to one project"
                place = "everywhere, too" if hit.everywhere else "in that project, not everywhere"
                advice = f"Save the new memory {place}."
                if len({each.everywhere for each in resolved.found.values()}) > 1:
                    advice = "One memory can't replace memories of a project and global ones: save two."
                raise NotReplaceableError(id=given, reason=reason, advice=advice)
        return tuple(resolved.found.values())

    def _with_latest(self, here: ProjectContext, error: LamellaError) -> LamellaError:
        """Add the latest version of a replaced memory to an error about this memory, if that version is live.

        Other errors are returned unchanged.
        """
        from lamella.domain.memories.errors import Candidate, NotReplaceableError

        if not isinstance(error, NotReplaceableError):
            return error
        versions = [*here.observations.get_all([UUID(error.id)]).values()]
        for version in versions:  # the loop appends to the list that it iterates over
            heirs = here.observations.get_all([version.replaced_by or version.id]).values()
            versions += [each for each in heirs if each not in versions]
        latest = self._hit(here, versions[-1].id) if versions and not versions[-1].purged else None
        return evolve(error, by=Candidate(id=latest.short_id, title=latest.observation.title) if latest else None)

    def _changes(self, call: Call, paths: Sequence[str], named: ProjectContext | None) -> tuple[CodeChange, ...]:
        """Return the present changes of the files `paths`."""
        # Paths are read in the working tree of the working directory. Code of that tree must not be stored in
        # another project.
        if named is not None and not self.projects.lives_here(call, named.project):
            raise InvalidValueError(
                name="paths",
                given="for another project",
                allowed="given for the project of the working directory only",
            )
        return self.working_tree.changes(self.projects.root(call), paths)

    def _missing(self, call: Call, changes: Sequence[CodeChange], kept: Sequence[CodeChange]) -> tuple[str, ...]:
        """Return the paths in `kept`, the stored changes, at which no file exists.

        Changes with line counts are skipped, because their files existed when the lines were counted.
        """
        uncounted = [change.path for change in changes if change.additions is None]
        gone = self.working_tree.missing(self.projects.root(call), uncounted) if uncounted else ()
        return tuple(clean.path for change, clean in zip(changes, kept, strict=True) if change.path in gone)

    def _versioned(self, call: Call, changes: Sequence[CodeChange]) -> tuple[CodeChange, ...]:
        """Return changes with the present versions of their files. Private and ignored files aren't read."""
        from lamella.domain.privacy.private_files import is_private

        root, paths = self.projects.root(call), [change.path for change in changes]
        unread = self.working_tree.ignored(root, paths) | set(filter(is_private, paths))
        versions = self.working_tree.versions(root, paths, unread=unread)
        return tuple(evolve(change, version=versions.get(change.path)) for change in changes)
