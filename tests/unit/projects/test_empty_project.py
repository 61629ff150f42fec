from collections.abc import Callable
from functools import partial

from lamella.application.projects.context import ProjectContext
from lamella.application.search.recall import RecallRequest
from lamella.domain.embeddings.vector import EmbeddingModel
from lamella.domain.errors import LamellaError
from lamella.domain.memories.query import ById, ByIds, ByText, ByTitle, Filters, Mode, Recent  # noqa: F401 - for the table
from lamella.domain.memories.timeline import TimelineQuery  # noqa: F401 - for the table
from lamella.domain.replies.views import Detail  # noqa: F401 - for the table
from tests.unit.support.doubles import Desk
from tests.unit.support.stand_ins import DAWN, numbered  # noqa: F401 - for the table
from tests.unit.support.tables import cases

ONE = numbered(1)
MODEL = EmbeddingModel("plane", 2)


def answered(ask: Callable[[], object]) -> object:
    """Return the result of a call, or its error."""
    try:
        return ask()
    except LamellaError as error:
        return type(error), str(error)


def empty_project() -> Desk:
    """A desk whose project is made and has no memories."""
    desk = Desk()
    assert desk.made_here.project
    return desk


@cases
def test_each_part_of_a_project_that_is_not_known_is_empty(part: Callable[[ProjectContext], object]) -> None:
    unknown = Desk()
    assert answered(lambda: part(unknown.here)) == answered(lambda: part(empty_project().here))
    assert (unknown.here.project, unknown.storage.registry.all()) == (None, ())


@cases
def test_a_project_that_is_not_known_is_recalled_as_an_empty_one(request_: RecallRequest) -> None:
    unknown = Desk()
    empty = empty_project()
    asked = [answered(partial(desk.recalling, desk.call, request_)) for desk in (unknown, empty)]
    assert asked[0] == asked[1]
    assert unknown.storage.registry.all() == ()
