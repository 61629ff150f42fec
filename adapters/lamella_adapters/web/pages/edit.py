"""Write a memory, or correct one."""

from http import HTTPStatus

from starlette.responses import Response

from lamella.application.memories.save import DEFAULT_SOURCE, SaveRequest
from lamella.domain.errors import InvalidValueError, LamellaError, MemoryOffError, StorageError
from lamella.domain.memories.errors import NothingFoundError
from lamella.domain.memories.kind import DECISION, Kind
from lamella.domain.memories.observation import Observation
from lamella.domain.memories.query import Hit
from lamella.domain.memories.titles import generated_title
from lamella.domain.text.printing import one_line, trimmed
from lamella.domain.transactions.saving import Added
from lamella_adapters.web.page_context import PageContext, said_to_person

_GONE = (
    "This memory was erased meanwhile, or belongs to another project. Your text is below: save it as a new memory,"
    " or cancel."
)


def form(context: PageContext) -> Response:
    """Show the form with the memory. If the memory was replaced, show its replacement."""
    asked, hit = _versions(context, context.text("id"))
    if hit.observation.purged:
        raise _no_note("the id of a purged memory")
    if hit is not asked:
        return context.go("/edit", id=hit.observation.id)
    return context.show("memories/edit.html", hit=hit, **_said(hit.observation), status=HTTPStatus.OK)


def save(context: PageContext) -> Response:
    """Save the correction. If the correction is invalid or outdated, show an error with the submitted text."""
    try:
        asked, latest = _versions(context, context.text("id"))
    except NothingFoundError:
        if context.text("title") == one_line(context.text("generated")):
            context.form = {**context.form, "title": [""]}
        return context.show("memories/new.html", wrong=_GONE, status=HTTPStatus.NOT_FOUND)
    typed = {name: context.text(name) for name in _said(asked.observation)}
    restores = bool(context.text("restore")) and latest is asked and asked.observation.purged
    if (latest is not asked or asked.observation.purged) and not restores:
        return _overtaken(context, asked, latest, typed)
    try:
        saved = context.lamella.edit(context.call, asked, **typed, restoring=restores)
        if saved is None and restores:
            context.lamella.restore(context.call, [str(asked.observation.id)])
    except LamellaError as error:
        return _refused(context, error, "memories/edit.html", hit=asked, **typed, overtaken=restores)
    if saved is None:
        return context.go("/memory", id=asked.observation.id, done="unchanged")
    return context.go("/memory", id=saved.observation.id, done="edited", unsaved=saved.unsaved)


def blank(context: PageContext) -> Response:
    """Show an empty form."""
    return context.show("memories/new.html")


def save_new(context: PageContext) -> Response:
    """Save the memory and redirect to it, or show the form with the error."""
    try:
        request = SaveRequest(
            text=context.text("text"),
            title=context.text("title"),
            keywords=context.text("keywords"),
            source=DECISION if context.text("decision") else context.text("source") or DEFAULT_SOURCE,
            everywhere=bool(context.text("everywhere")),
            paths=tuple(filter(None, (each.strip() for each in context.text("paths").splitlines()))),
        )
        saved = context.lamella.save(context.call, request)
    except MemoryOffError:
        raise
    except LamellaError as error:
        return _refused(context, error, "memories/new.html")
    done = "known" if saved.added is Added.DUPLICATE else "saved"
    return context.go("/memory", id=saved.observation.id, done=done, unsaved=saved.unsaved)


def _refused(context: PageContext, error: LamellaError, template: str, **values: object) -> Response:
    """Show a form again, with the error."""
    status = HTTPStatus.SERVICE_UNAVAILABLE if isinstance(error, StorageError) else HTTPStatus.BAD_REQUEST
    return context.show(template, wrong=said_to_person(error), status=status, **values)


def _versions(context: PageContext, id: str) -> tuple[Hit, Hit]:
    """Return the note with this id, and its latest version (the note itself if nothing replaced it).

    Raises:
        InvalidValueError: The memory isn't a note.
        NothingFoundError: No memory has the id.
    """
    asked = context.lamella.find_one(context.call, id)
    if asked.observation.kind is not Kind.NOTE:
        raise _no_note(f"the id of a {asked.observation.kind}")
    return asked, context.lamella.find_one.latest(context.call, asked)


def _no_note(given: str) -> InvalidValueError:
    return InvalidValueError(name="id", given=given, allowed="the id of a note or a decision")


def _said(memory: Observation) -> dict[str, str]:
    """Return the form's fields for a memory."""
    return {"title": one_line(memory.title), "text": trimmed(memory.content), "keywords": memory.keywords}


def _overtaken(context: PageContext, asked: Hit, latest: Hit, typed: dict[str, str]) -> Response:
    """Show the submitted text beside the latest version, after somebody else has replaced or purged the memory."""
    former, memory = asked.observation, latest.observation
    if typed["title"] == one_line(former.title) and former.title == generated_title(former.content):
        # Drop a generated title. Otherwise, it would be kept as if the user had chosen it.
        typed["title"] = ""
    said = _said(memory)
    if not memory.purged and typed in (said, said | {"title": ""}):
        return context.go("/memory", id=memory.id, done="unchanged")
    return context.show("memories/edit.html", hit=latest, **typed, overtaken=True, status=HTTPStatus.CONFLICT)
