"""Correct a memory."""

from attrs import define

from lamella.application.memories.save import SaveMemory, SaveOutcome, SaveRequest
from lamella.domain.call import Call
from lamella.domain.errors import InvalidValueError
from lamella.domain.memories.kind import Kind
from lamella.domain.memories.query import Hit
from lamella.domain.memories.titles import generated_title
from lamella.domain.text.printing import one_line


@define
class EditMemory:
    """Replace a note with a corrected one. The old one is purged."""

    save: SaveMemory

    def __call__(self, call: Call, old: Hit, *, title: str, text: str, keywords: str) -> SaveOutcome | None:
        """Save the correction with the source and the code changes of the old memory.

        If the title was generated from the old text and isn't edited, generate it from the new text.

        Args:
            call: Context of the call.
            old: The memory to correct.
            title: New title.
            text: New text.
            keywords: New keywords; empty for none.

        Returns:
            The outcome; None if nothing has changed.

        Raises:
            InvalidValueError: The memory is not a note, or `text` is blank.
            NotReplaceableError: The memory was purged meanwhile.
            StorageError: The storage failed, and nothing was saved.
        """
        memory, title, text, keywords = old.observation, title.strip(), text.strip(), one_line(keywords)
        if memory.kind is not Kind.NOTE:
            raise InvalidValueError(
                name="id", given=f"that of a {memory.kind}", allowed="the id of a note or a decision"
            )
        if (title, text, keywords) == (one_line(memory.title), memory.content.strip(), memory.keywords):
            return None
        if title == one_line(memory.title):
            title = "" if memory.title == generated_title(memory.content) else memory.title
        request = SaveRequest(
            text=text,
            title=title,
            source=memory.source,
            replaces=(str(memory.id),),
            everywhere=old.everywhere,
            keywords=keywords,
        )
        return self.save(call, request, changes=memory.changes)
