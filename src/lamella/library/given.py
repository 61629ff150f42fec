"""Arguments of the API, and their conversion to requests and paths."""

# ruff: noqa: PLC0415 - many programs only save, and import no queries

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias, TypedDict, TypeVar

from attrs import evolve, fields_dict

from lamella.application.memories.save import SaveRequest
from lamella.domain.errors import InvalidValueError
from lamella.domain.validation import refuse_type, require_type

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from datetime import datetime
    from uuid import UUID

    from lamella.application.search.request import SearchRequest
    from lamella.domain.memories.kind import Kind
    from lamella.domain.memories.query import Filters, Selector
    from lamella.domain.replies.views import Detail

Asked: TypeAlias = "str | Selector"
"""Text to search for, or another selector."""


def project_name(given: str | None) -> str | None:
    """Return the name of a project. Raise an error if it is blank, or neither a text nor None.

    Without this check, a blank name would select the directory's project.
    """
    allowed = "the name of a project, or None"
    require_type("project", given, str | None, allowed)
    if given is not None and not given.strip():
        raise InvalidValueError(name="project", given="blank", allowed=allowed)
    return given


class SaveFields(TypedDict, total=False):
    """Fields of `SaveRequest`, except the text."""

    title: str | None
    source: str
    paths: Sequence[str]
    replaces: Sequence[str | UUID]
    everywhere: bool
    keywords: str | None
    kind: Kind
    occurred_at: datetime | None
    metadata: Mapping[str, str] | None


class Conditions(TypedDict, total=False):
    """Fields of `Filters`."""

    days_back: int
    session: str
    path: str
    since: datetime
    until: datetime
    kind: Kind
    source: str
    author: str
    branch: str
    only_purged: bool
    metadata: Mapping[str, str]


class SearchFields(Conditions, total=False):
    """Fields of `SearchRequest` and its filters, except the limit."""

    filters: Filters
    include_purged: bool
    include_messages: bool
    explain: bool
    all_projects: bool


class RecallFields(SearchFields, total=False):
    """Fields of `RecallRequest` and its filters."""

    limit: int
    detail: Detail
    cursor: str | None
    budget: int | None


_Question = TypeVar("_Question", bound="SearchRequest")


def to_save(memory: str | SaveRequest, given: SaveFields) -> SaveRequest:
    """Return a request to save `memory`, with the fields in `given`."""
    return evolve(memory, **given) if isinstance(memory, SaveRequest) else SaveRequest(text=memory, **given)


def question(kind: type[_Question], asked: Asked | _Question | None, given: dict[str, Any]) -> _Question:
    """Return a request of type `kind`, with the fields and filter conditions in `given`."""
    from lamella.domain.memories.query import ByText, Recent, Selector

    if asked is None:
        asked = Recent()
    if not isinstance(asked, kind):
        require_type("asked", asked, str | Selector)
        asked = kind(selector=ByText(asked) if isinstance(asked, str) else asked)  # type: ignore[arg-type]
    filters = conditions(given.pop("filters", asked.filters), given)
    return evolve(asked, filters=filters, **given)


def conditions(filters: Filters | None, given: dict[str, Any]) -> Filters:
    """Return `filters` with the conditions in `given`. Remove these conditions from `given`."""
    from lamella.domain.memories.query import NO_FILTERS, Filters

    filters = NO_FILTERS if filters is None else filters
    require_type("filters", filters, Filters)
    return evolve(filters, **{name: given.pop(name) for name in fields_dict(Filters) if name in given})


def id_prefix(given: str | UUID) -> str:
    """Return an id, or a prefix of an id, as a text.

    Raises:
        InvalidValueError: `given` is neither a text nor a UUID.
    """
    from lamella.domain.memories.query import ById

    return ById(given).id


def folder(name: str, given: Any) -> Path:
    """Return the absolute path of a folder, with `~` expanded.

    Raises:
        InvalidValueError: `given` isn't a path.
    """
    try:
        path = Path(given).expanduser().absolute()
        os.access(path, os.F_OK)  # raises an error if no path can have these characters
    except (OSError, RuntimeError, TypeError, ValueError):
        refuse_type(name, given, "a path")
    return path


def working_directory(given: Any) -> Path:
    """Return the absolute path of an existing folder.

    Without this check, a misspelt path would become a new project.

    Raises:
        InvalidValueError: `given` isn't a path, or the folder doesn't exist.
    """
    directory = folder("directory", given)
    if not os.path.isdir(directory):  # noqa: PTH112 - `is_dir` fails if the path is too long
        raise InvalidValueError(name="directory", given=f"{str(directory)!r}", allowed="a folder that exists")
    return directory
