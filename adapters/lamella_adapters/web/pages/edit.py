"""Correct a memory."""

from http import HTTPStatus

from starlette.responses import Response

from lamella.application.memories.save import MAX_TEXT_CHARACTERS
from lamella.domain.errors import InvalidValueError, LamellaError, StorageError
from lamella.domain.memories.kind import Kind
from lamella.domain.memories.query import Hit
from lamella.domain.memories.titles import MAX_TITLE_CHARACTERS, generated_title
from lamella.domain.text.printing import one_line, visible
from lamella_adapters.web.page_context import PageContext
from lamella_adapters.web.pages.memory import look_up


def form(context: PageContext) -> Response:
    """Show the form with the memory as it is, or with the one that replaced it."""
    asked, hit = _versions(context, context.text("id"))
    if hit.observation.purged:
        raise InvalidValueError(
            name="id", given="that of a purged memory", allowed="the id of a note or a decision"
        )
    if hit is not asked:
        return context.go("/edit", id=hit.observation.id)
    return _form(context, hit, title=one_line(hit.observation.title), text=hit.observation.content.strip())


def save(context: PageContext) -> Response:
    """Save the correction, or show what is wrong with it."""
    asked, latest = _versions(context, context.text("id"))
    title, text = _typed(context, asked)
    if context.text("restore") and latest is asked and asked.observation.purged:
        context.lamella.restore(context.call, [str(asked.observation.id)])
        asked, latest = _versions(context, context.text("id"))
    if latest is not asked or asked.observation.purged:
        return _overtaken(context, asked, latest, title=title, text=text)
    try:
        saved = context.lamella.edit(context.call, asked, title=title, text=text)
    except LamellaError as error:
        status = HTTPStatus.SERVICE_UNAVAILABLE if isinstance(error, StorageError) else HTTPStatus.BAD_REQUEST
        return _form(context, asked, title=title, text=text, wrong=str(error), status=status)
    if saved is None:
        return context.go("/memory", id=asked.observation.id, done="unchanged")
    return context.go("/memory", id=saved.observation.id, done="edited")


def _versions(context: PageContext, id: str) -> tuple[Hit, Hit]:
    """Return the note with an id, and the latest one that took its place; twice the same if none did.

    Raises:
        InvalidValueError: It is no note.
        NothingFoundError: No memory has the id.
    """
    asked = latest = look_up(context, id).hits[0]
    if asked.observation.kind is not Kind.NOTE:
        raise InvalidValueError(
            name="id", given=f"that of a {asked.observation.kind}", allowed="the id of a note or a decision"
        )
    seen = {asked.observation.id}
    while (heir := latest.observation.replaced_by) is not None and heir not in seen:
        seen.add(heir)
        latest = look_up(context, str(heir)).hits[0]
    return asked, latest


def _typed(context: PageContext, asked: Hit) -> tuple[str, str]:
    """Return the title and the text of the form. Hidden characters that were not edited stay what they are."""
    memory = asked.observation
    title, text = context.text("title"), context.text("text").replace("\r\n", "\n")
    if title == visible(one_line(memory.title)):
        title = one_line(memory.title)
    if text == visible(memory.content).strip():
        text = memory.content.strip()
    return title, text


def _overtaken(context: PageContext, asked: Hit, latest: Hit, *, title: str, text: str) -> Response:
    """Show the typed text beside the latest version, saved or purged by somebody else meanwhile."""
    former, memory = asked.observation, latest.observation
    if title == one_line(former.title) and former.title == generated_title(former.content):
        # It would be kept as one that was given.
        title = ""
    if not memory.purged and title in ("", one_line(memory.title)) and text == memory.content.strip():
        return context.go("/memory", id=memory.id, done="unchanged")
    return _form(context, latest, title=title, text=text, overtaken=True, status=HTTPStatus.CONFLICT)


def _form(
    context: PageContext,
    hit: Hit,
    *,
    title: str,
    text: str,
    wrong: str = "",
    overtaken: bool = False,
    status: HTTPStatus = HTTPStatus.OK,
) -> Response:
    return context.show(
        "memories/edit.html",
        status=status,
        hit=hit,
        title=title,
        text=text,
        wrong=wrong,
        overtaken=overtaken,
        most_title=MAX_TITLE_CHARACTERS,
        most_text=MAX_TEXT_CHARACTERS,
    )
