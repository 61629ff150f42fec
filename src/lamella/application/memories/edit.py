"""Correct a memory."""

from attrs import define

from lamella.application.memories.save import SaveMemory, SaveRequest
from lamella.application.memories.save_outcome import SaveOutcome
from lamella.domain.call import Call
from lamella.domain.errors import InvalidValueError
from lamella.domain.memories.kind import Kind
from lamella.domain.memories.query import Hit
from lamella.domain.memories.titles import generated_title
from lamella.domain.text.printing import one_line, trimmed


@define
class EditMemory:
    """Replace a note with a corrected version. This purges the old version."""

    save: SaveMemory

    def __call__(
        self, call: Call, old: Hit, *, title: str, text: str, keywords: str, restoring: bool = False
    ) -> SaveOutcome | None:
        """Save the correction with the code changes of the old memory; see `request`.

        Args:
            call: Context of the call.
            old: The memory to correct.
            title: New title.
            text: New text.
            keywords: New keywords; may be empty.
            restoring: True to restore a purged `old` first, in the same transaction.

        Returns:
            The outcome; None if nothing has changed.

        Raises:
            InvalidValueError: The memory is not a note, or `text` is blank.
            NotReplaceableError: Another call has purged the memory.
            StorageError: The storage failed, and nothing was saved.
        """
        request = self.request(old, title=title, text=text, keywords=keywords)
        if request is None:
            return None
        return self.save(call, request, changes=old.observation.changes, restoring=restoring)

    def request(self, old: Hit, *, title: str, text: str, keywords: str) -> SaveRequest | None:
        """Return the request to save a correction, with the source of the old memory; None if nothing has changed.

        If `title` is the unchanged title that was generated from the old text, a title is generated from the new
        text.

        Args:
            old: The memory to correct.
            title: New title.
            text: New text.
            keywords: New keywords; may be empty.

        Raises:
            InvalidValueError: The memory is not a note, or `text` is blank.
        """
        memory, title, text, keywords = old.observation, title.strip(), trimmed(text), one_line(keywords)
        if memory.kind is not Kind.NOTE:
            raise InvalidValueError(
                name="id", given=f"the id of a {memory.kind}", allowed="the id of a note or a decision"
            )
        if (title, text, keywords) == (one_line(memory.title), trimmed(memory.content), memory.keywords):
            return None
        if title == one_line(memory.title):
            title = "" if memory.title == generated_title(memory.content) else memory.title
        return SaveRequest(
            text=text,
            title=title,
            source=memory.source,
            replaces=(str(memory.id),),
            everywhere=old.everywhere,
            keywords=keywords,
        )
