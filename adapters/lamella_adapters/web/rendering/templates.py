"""Templates with escaped values.

Every printed value passes `visible` and then HTML escaping: hidden characters (bidirectional, zero-width, ANSI)
are shown, and markup is text. Only `Markup`, made by our own code, is printed unchanged.
"""

from datetime import datetime, tzinfo
from pathlib import Path

from attrs import define
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from lamella.domain.memories.kind import DECISION, Kind
from lamella.domain.memories.query import Hit
from lamella.domain.memories.tags import tags_of
from lamella.domain.replies.views import printed_score
from lamella.domain.text.printing import printed_line, shortened, visible
from lamella_adapters.web.rendering.dates import Dates
from lamella_adapters.web.rendering.diffs import MOST_LINES, diff, length
from lamella_adapters.web.rendering.markdown import rendered
from lamella_adapters.web.rendering.marks import excerpt, titled
from lamella_adapters.web.tables import TABLES

_FOLDER = Path(__file__).resolve().parents[1] / "templates"


def _shown(value: object) -> object:
    return visible(value) if type(value) is str else value


def _path(path: str) -> Markup:
    """Return a path with breaks after slashes. With `<wbr>`, a screen reader would say a space there."""
    return Markup('<span class="cut">/</span>').join(visible(path).split("/"))


def _percent(value: float) -> str:
    """Format a strength as a percentage, which is never 0 for a hit."""
    return f"{round(100 * printed_score(value))} %"


def _kind_of(hit: Hit) -> str:
    """Return the name of a memory's kind for display: `decision` for a note with this source."""
    memory = hit.observation
    return DECISION if memory.kind is Kind.NOTE and memory.source == DECISION else memory.kind.value


def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        finalize=_shown,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    environment.filters |= {
        "line": printed_line,
        "shortened": shortened,
        "markdown": rendered,
        "path": _path,
        "titled": titled,
        "visible": visible,
    }
    environment.globals |= {
        "diff": diff,
        "excerpt": excerpt,
        "diff_length": length,
        "most_diff_lines": MOST_LINES,
        "kind_of": _kind_of,
        "percent": _percent,
        "navigation": TABLES["navigation"],
        "speakers": TABLES["speakers"],
        "tags_of": tags_of,
    }
    return environment


ENVIRONMENT = _environment()
"""The templates, each translated when it is first used."""


@define(eq=False)
class Templates:
    """The templates of all pages.

    Attributes:
        zone: Time zone of the times that are shown.
    """

    zone: tzinfo

    def render(self, name: str, *, now: datetime, **values: object) -> str:
        """Render a page as of a given time."""
        dates = Dates(self.zone, now.astimezone(self.zone))
        page = ENVIRONMENT.get_template(name)
        return page.render(
            when=dates.when,
            exact=dates.exact,
            day=dates.day,
            clock=dates.clock,
            on=dates.on,
            zone=dates.zone_name(),
            **values,
        )
