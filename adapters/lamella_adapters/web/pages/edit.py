"""Correct a memory."""

from starlette.responses import Response

from lamella.application.memories.save import MAX_TEXT_CHARACTERS
from lamella.domain.errors import InvalidValueError, LamellaError, StorageError
from lamella.domain.memories.kind import Kind
from lamella.domain.memories.query import Hit
from lamella.domain.memories.titles import MAX_TITLE_CHARACTERS
from lamella.domain.text.printing import one_line, visible
from lamella_adapters.web.pages.memory import look_up
from lamella_adapters.web.visit import Visit


def form(visit: Visit) -> Response:
    """Show the form with the memory as it is."""
    hit = _editable(visit)
    return _form(visit, hit, title=one_line(hit.observation.title), text=hit.observation.content.strip())


def save(visit: Visit) -> Response:
    """Save the correction, or show what is wrong with it."""
    hit = _editable(visit)
    memory = hit.observation
    title, text = visit.text("title"), visit.text("text").replace("\r\n", "\n")
    # Where nothing was edited, hidden characters of the memory stay what they are.
    if title == visible(one_line(memory.title)):
        title = one_line(memory.title)
    if text == visible(memory.content).strip():
        text = memory.content.strip()
    try:
        saved = visit.lamella.edit(visit.call, hit, title=title, text=text)
    except StorageError:
        raise
    except LamellaError as error:
        return _form(visit, hit, title=title, text=text, wrong=str(error), status=400)
    if saved is None:
        return visit.go("/memory", id=memory.id, done="unchanged")
    return visit.go("/memory", id=saved.observation.id, done="edited")


def _editable(visit: Visit) -> Hit:
    hit = look_up(visit, visit.text("id")).hits[0]
    if hit.observation.kind is not Kind.NOTE or hit.observation.purged:
        given = "that of a purged memory" if hit.observation.purged else f"that of a {hit.observation.kind}"
        raise InvalidValueError(name="id", given=given, allowed="the id of a note or a decision")
    return hit


def _form(visit: Visit, hit: Hit, *, title: str, text: str, wrong: str = "", status: int = 200) -> Response:
    return visit.show(
        "memories/edit.html",
        status=status,
        hit=hit,
        title=title,
        text=text,
        wrong=wrong,
        most_title=MAX_TITLE_CHARACTERS,
        most_text=MAX_TEXT_CHARACTERS,
    )
