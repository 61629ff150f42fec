"""Save a memory by hand."""

from http import HTTPStatus

from starlette.responses import Response

from lamella.application.memories.save import DEFAULT_SOURCE, MAX_TEXT_CHARACTERS, SaveRequest
from lamella.domain.errors import LamellaError, StorageError
from lamella.domain.memories.kind import DECISION
from lamella.domain.memories.observation import MAX_KEYWORDS_CHARACTERS
from lamella.domain.memories.titles import MAX_TITLE_CHARACTERS
from lamella_adapters.web.page_context import PageContext, said_to_person


def form(context: PageContext) -> Response:
    """Show an empty form."""
    return _form(context)


def save(context: PageContext) -> Response:
    """Save the memory and lead to it, or show what is wrong with it."""
    try:
        request = SaveRequest(
            text=context.text("text").replace("\r\n", "\n"),
            title=context.text("title"),
            keywords=context.text("keywords"),
            source=DECISION if context.text("decision") else DEFAULT_SOURCE,
            paths=tuple(filter(None, (each.strip() for each in context.text("paths").splitlines()))),
        )
        saved = context.lamella.save(context.call, request)
    except LamellaError as error:
        status = HTTPStatus.SERVICE_UNAVAILABLE if isinstance(error, StorageError) else HTTPStatus.BAD_REQUEST
        return _form(context, wrong=said_to_person(error), status=status)
    return context.go("/memory", id=saved.observation.id, done="saved")


def _form(context: PageContext, *, wrong: str = "", status: HTTPStatus = HTTPStatus.OK) -> Response:
    return context.show(
        "memories/new.html",
        status=status,
        wrong=wrong,
        most_title=MAX_TITLE_CHARACTERS,
        most_text=MAX_TEXT_CHARACTERS,
        most_keywords=MAX_KEYWORDS_CHARACTERS,
    )
