"""Context of a request for a page: its parameters, and ways to respond."""

from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from datetime import date
from functools import cached_property
from http import HTTPStatus
from typing import TypeVar
from urllib.parse import urlencode
from uuid import UUID

from attrs import define, evolve, field
from starlette.datastructures import QueryParams
from starlette.responses import HTMLResponse, RedirectResponse, Response

from lamella.caller import Caller
from lamella.container import Lamella
from lamella.domain.call import Call
from lamella.domain.conversations.errors import UnknownSessionError
from lamella.domain.errors import InvalidValueError, LamellaError, UnknownProjectError
from lamella.domain.memories.errors import NothingFoundError
from lamella.domain.memories.observation import Observation
from lamella.domain.projects.project import Project
from lamella.domain.text.printing import echo, trimmed
from lamella_adapters.web.guards.forms import HOME_FIELD, TOKEN_FIELD, Form
from lamella_adapters.web.guards.uploads import Upload, Uploads
from lamella_adapters.web.rendering.templates import render
from lamella_adapters.web.tables import TABLES

_Element = TypeVar("_Element")

MOST_PAGES = 200
"""Highest page number of a list that can be opened."""

MOST_PROJECTS = 50
"""Maximum number of projects to switch to on each page."""

THEME = "lamella-theme"
"""Name of the cookie for the light or dark theme. It applies to all projects and ports."""

_TYPED: Mapping[str, str] = TABLES["typed"]
_ADVICE: Mapping[str, str] = TABLES["advice"]


def said_to_person(error: LamellaError) -> str:
    """Reword an error for a page, with names of form fields instead of parameters."""
    if type(error) is NothingFoundError:
        return f"Nothing has the id '{echo(error.asked)}'. It was erased, or belongs to another project."
    if isinstance(error, UnknownSessionError):
        return f"No conversation is known as '{echo(error.asked)}'. Choose one from the list."
    if isinstance(error, UnknownProjectError):
        return f"No project is known as '{echo(error.asked)}'."
    if not isinstance(error, InvalidValueError):
        return str(error)
    return _ADVICE.get(error.name) or str(evolve(error, name=_TYPED.get(error.name, error.name)))


@define(slots=False, eq=False)
class PageContext:
    """One request of a page.

    Attributes:
        lamella: The use cases.
        caller: Makes the call of the request.
        path: Path of the request.
        asked: Parameters of the URL.
        form_token: Token of all forms.
        uploads: Store of the last uploaded file.
        form: Fields of the submitted form; empty if the request isn't a POST.
        upload: The file in the form.
        theme: `light` or `dark` if chosen.
        form_project: `HOME_FIELD` of the submitted form; empty if the form has none.
    """

    lamella: Lamella
    caller: Caller
    path: str
    asked: QueryParams
    form_token: str
    uploads: Uploads
    form: Form = field(factory=dict)
    upload: Upload | None = None
    theme: str = ""
    form_project: str = ""

    @property
    def posted(self) -> bool:
        """True if the request is a submitted form (POST), which is allowed to change data."""
        return bool(self.form)

    @property
    def project(self) -> str:
        """Name of the selected project; empty for the working directory's project."""
        return self.text("project")

    @cached_property
    def call(self) -> Call:
        """The call context for the use cases."""
        return self.caller.call(project=self.project or None)

    @cached_property
    def today(self) -> date:
        """The current date in the user's time zone."""
        return self.lamella.projects.clock.now().astimezone(self.call.zone).date()

    @cached_property
    def present(self) -> Project | None:
        """The displayed project, even if memory is off in it; None if it doesn't exist."""
        return self.lamella.projects.find(evolve(self.call, even_off=True)).project

    @property
    def projects(self) -> Sequence[Project]:
        """Projects to switch to, sorted by name."""
        return [each for each in self.lamella.storage.registry.all() if not each.moved_to][:MOST_PROJECTS]

    @property
    def name(self) -> str:
        """Name of the project. Before its first memory, this is the name that it will get."""
        return self.present.name if self.present else self.lamella.projects.location(self.call).name

    @property
    def home(self) -> str:
        """Value of `HOME_FIELD` for the forms of this page. A form that is shown again keeps its own value."""
        projects, call = self.lamella.projects, self.call
        unmade = call.default_project or projects.known_as(projects.location(call)).alias
        return self.present.id if self.present else unmade

    def direct_home(self) -> None:
        """Direct a form to the project of its page, even if that is not the project of the server's folder."""
        self.form_project = self.form.get(HOME_FIELD, [self.form_project])[0]
        if not self.form_project or self.form_project == self.home:
            return
        if self.lamella.storage.registry.named(self.form_project) != self.present:
            self.form = {**self.form, "project": [self.form_project]}
            del self.call, self.present

    def memories(self, ids: Collection[UUID]) -> Mapping[UUID, Observation]:
        """Return the existing memories with these ids, purged or not, from the project and the global memories."""
        here = self.lamella.projects.find(self.call)
        found, everywhere = here.observations.get_all(ids), here.everywhere
        return {**(everywhere.observations.get_all(set(ids) - found.keys()) if everywhere else {}), **found}

    def text(self, name: str) -> str:
        """Return a parameter of the form or the URL, trimmed; empty if it is missing."""
        return trimmed(self.form[name][0]) if name in self.form else trimmed(self.asked.get(name, ""))

    def texts(self, name: str) -> Sequence[str]:
        """Return all distinct values of a parameter."""
        return list(dict.fromkeys([*self.form.get(name, ()), *self.asked.getlist(name)]))

    def number(self, name: str, default: int = 1, *, most: int = MOST_PAGES) -> int:
        """Return a parameter as an integer from 1 to `most`. Return `default` if the parameter is missing.

        Raises:
            InvalidValueError: The parameter isn't such a number.
        """
        given = self.text(name)
        if not given:
            return default
        if given.isdecimal() and len(given) < 19 and 1 <= int(given) <= most:  # noqa: PLR2004 - fits into 64 bits
            return int(given)
        raise InvalidValueError(name=name, given=f"'{given[:40]}'", allowed=f"a whole number from 1 to {most:,}")

    @property
    def page(self) -> int:
        """Number of the page of a list, from 1 on."""
        return self.number("page")

    def on_page(self, found: Sequence[_Element], size: int) -> Sequence[_Element]:
        """Return the part of a list on this page; a page has `size` elements."""
        return found[(self.page - 1) * size : self.page * size]

    def choice(self, name: str, *allowed: str) -> str:
        """Return a parameter with one of the `allowed` values; empty if it is missing.

        Raises:
            InvalidValueError: The parameter has another value.
        """
        given = self.text(name)
        if given and given not in allowed:
            raise InvalidValueError(name=name, given=f"'{given[:40]}'", allowed=f"one of {', '.join(allowed)}")
        return given

    def day(self, name: str) -> date | None:
        """Return a parameter as a date; None if it is missing.

        Raises:
            InvalidValueError: The parameter isn't a date between the years 1000 and 9000.
        """
        given = self.text(name)
        if not given:
            return None
        with suppress(ValueError):
            day = date.fromisoformat(given)
            if 1000 <= day.year <= 9000:  # noqa: PLR2004 - midnight exists in every zone
                return day
        raise InvalidValueError(name=name, given=f"'{given[:40]}'", allowed="a day such as 2026-01-31")

    def link(self, path: str, /, **parameters: object) -> str:
        """Return the URL of a page, by default in the same project."""
        given = {"project": self.project, **parameters}
        pairs = [
            (name, each)
            for name, value in given.items()
            for each in (value if isinstance(value, list | tuple) else [value])
            if each not in (None, "", False)
        ]
        return f"{path}?{urlencode(pairs)}" if pairs else path

    def here(self, **changes: object) -> str:
        """Return the URL of this page with some parameters changed."""
        given: Mapping[str, object] = {name: self.asked.getlist(name) for name in self.asked}
        return self.link(self.path, **{**given, **changes})

    def back(self) -> str:
        """Return the URL of the list or search results from which the user came.

        The URL is derived from the parameters, because the pages disable referrers.
        """
        if asked := self.text("results"):
            return f"/search?{asked}"
        parent = self.path.rpartition("/")[0]
        lists = (each for each in (self.path, parent) if each in TABLES["lists"])
        return self.link(next(lists, TABLES["listed_on"].get(self.path, "/search")))

    def show(self, template: str, /, *, status: int = 200, **values: object) -> Response:
        """Render a template with the values, and return the page as a response."""
        page = render(
            template,
            self.caller.context.zone,
            self.lamella.projects.clock.now(),
            context=self,
            most_pages=MOST_PAGES,
            done=self.text("done"),
            **values,
        )
        return HTMLResponse(page, status_code=status)

    def refuse(
        self, sentence: str, status: int, *, off: bool = False, leads: Mapping[str, str] | None = None
    ) -> Response:
        """Return an error page with the form's input and links back.

        Args:
            sentence: The reason.
            status: Status of the answer.
            off: True if memory is off, to offer switching it on.
            leads: URLs of helpful pages, keyed by name.
        """
        posted, (typed, rest) = self.posted, self._sent(status)
        try:
            self.direct_home()
            self.present  # noqa: B018 - raises here if the page couldn't name the project
        except LamellaError:
            self.asked, self.form = QueryParams(), {}
            self.__dict__.pop("call", None)
        return self.show(
            "refused.html",
            status=status,
            sentence=sentence,
            off=off,
            leads=leads or {},
            typed=typed,
            rest=rest,
            labels=_TYPED,
            posted=posted,
        )

    def _sent(self, status: int) -> tuple[Mapping[str, str], Sequence[tuple[str, str]]]:
        """Return the text fields of a form, keyed by name, and its other fields.

        Both results are empty if the form has no text worth keeping. After a server error, all fields are
        returned, so that the user can submit the form again.
        """
        form = self.form if self.posted else {name: self.asked.getlist(name) for name in self.asked}
        if not (self.posted and self.upload is None) and self.path not in TABLES["forms"]:
            return {}, ()
        typed = {name: form[name][0] for name in _TYPED if form.get(name, [""])[0].strip()}
        if not typed and not (self.posted and status >= HTTPStatus.INTERNAL_SERVER_ERROR):
            return {}, ()
        apart = (TOKEN_FIELD, HOME_FIELD, "page", *typed)
        return typed, [(name, value) for name, values in form.items() if name not in apart for value in values]

    def without_empty(self) -> Response:
        """Redirect to the same page without empty form fields."""
        given = [(name, value) for name, value in self.asked.multi_items() if value]
        return RedirectResponse(f"{self.path}?{urlencode(given)}" if given else self.path, status_code=303)

    def go(self, path: str, /, **parameters: object) -> Response:
        """Redirect to another page after a change."""
        return RedirectResponse(self.link(path, **parameters), status_code=303)
