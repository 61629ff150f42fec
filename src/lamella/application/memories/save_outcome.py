"""Result of a save, and the reply about it."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from attrs import frozen

from lamella.domain.memories.observation import Observation
from lamella.domain.text.printing import counted, printed_line, shortened
from lamella.domain.transactions.saving import Added

if TYPE_CHECKING:
    from lamella.domain.memories.query import Hit

_MISSING_NAMED = 5
"""Maximum number of missing paths to list in a reply. Further paths are only counted."""

_PATH_CHARACTERS = 200
"""Maximum length of a missing path in a reply."""


@frozen(kw_only=True)
class SaveOutcome:
    """Result of a save.

    Attributes:
        observation: Saved memory, or the existing memory if the request is a duplicate.
        added: Outcome: new, duplicate or retry.
        redacted: Number of redacted secrets.
        private: True if private parts were left out.
        missing: Requested paths at which no file exists.
        replaced: Replaced memories.
        unsaved: Names of the fields `keywords` and `metadata` whose values weren't saved. A duplicate isn't saved,
            even if the existing memory has other values in these fields.
        keywords: Redacted keywords of the request. If it has none, the keywords of the replaced memories.
        corrected: Older memory that the new memory seems to correct; None if the request replaces memories.
    """

    observation: Observation
    added: Added
    redacted: int
    private: bool = False
    missing: tuple[str, ...] = ()
    replaced: "tuple[Hit, ...]" = ()
    unsaved: tuple[str, ...] = ()
    keywords: str = ""
    corrected: "Hit | None" = None

    def report(self, *, by_hand: bool = False, options: str = "") -> list[str]:
        """Return the lines of the reply to an agent, or to a person at a shell: id, title and remarks.

        Args:
            by_hand: True for a person.
            options: Options to append to printed commands.
        """
        already = f" ({self.added})" if self.added is Added.DUPLICATE else ""
        saved = f"Memory saved (id: {self.observation.id}){already}"
        return [saved, f"Title: {printed_line(self.observation.title)}", *self._remarks(by_hand, options)]

    def redactions(self, *, by_hand: bool = False) -> list[str]:
        """Return a list of one line with the number of redacted secrets; empty without secrets."""
        secrets = counted(self.redacted, "secret") if by_hand else f"{self.redacted} secret(s)"
        return [f"Redacted: {secrets}."] if self.redacted else []

    def _remarks(self, by_hand: bool, options: str) -> Iterator[str]:
        if self.replaced:
            yield f"Replaced: {', '.join(hit.short_id for hit in self.replaced)}"
        yield from self.redactions(by_hand=by_hand)
        if by_hand and self.private:
            yield "Left out: parts marked as private."
        if self.corrected is not None:
            title = printed_line(self.corrected.observation.title)
            id = self.corrected.short_id
            yield f"Corrects {id}? Then save again with {f'--replaces {id}' if by_hand else 'replaces'}: {title}"
        named = [shortened(printed_line(path), _PATH_CHARACTERS) for path in self.missing[:_MISSING_NAMED]]
        if len(self.missing) > len(named):
            named.append(f"and {len(self.missing) - len(named)} more")
        if named:
            yield f"Paths not found: {', '.join(named)}"
        if "keywords" in self.unsaved and by_hand:
            change = f'to change them to "{printed_line(self.keywords)}"'
            yield f"Its keywords stay as they were; {change}: lamella edit {self.observation.id}{options}"
        if "metadata" in self.unsaved and by_hand:
            yield "Its metadata stays as it was; to change it in Python, save again with replaces."
        if self.unsaved and not by_hand:
            names = " and ".join(self.unsaved)
            yield f"Its {names} stay as they were; to change them, save again with replaces."
