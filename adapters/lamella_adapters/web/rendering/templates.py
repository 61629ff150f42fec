"""Templates with escaped values.

Every printed value passes `visible` and then HTML escaping: hidden characters (bidirectional, zero-width, ANSI)
are shown, and markup is text. Only `Markup`, made by our own code, is printed unchanged.
"""

from datetime import date, datetime, tzinfo
from pathlib import Path

from attrs import frozen
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from lamella.domain.memories.kind import DECISION, Kind
from lamella.domain.memories.query import Hit
from lamella.domain.memories.tags import tags_of
from lamella.domain.memories.titles import generated_title
from lamella.domain.replies.views import printed_score
from lamella.domain.text.ages import age, short_date
from lamella.domain.text.printing import printed_line, shortened, visible
from lamella_adapters.web.rendering.diffs import MOST_LINES, diff, length
from lamella_adapters.web.rendering.markdown import rendered
from lamella_adapters.web.rendering.marks import excerpt, titled
from lamella_adapters.web.tables import TABLES

_FOLDER = Path(__file__).resolve().parents[1] / "templates"


def _path(path: str) -> Markup:
    """Return a path that may break after slashes. Don't use `<wbr>`: screen readers read it as a space."""
    return Markup('<span class="cut">/</span>').join(visible(path).split("/"))


def _kind_of(hit: Hit) -> str:
    """Return the name of a memory's kind for display. A note with the source `decision` is called `decision`."""
    memory = hit.observation
    return DECISION if memory.kind is Kind.NOTE and memory.source == DECISION else memory.kind.value


def _environment() -> Environment:
    environment = Environment(
        loader=FileSystemLoader(_FOLDER),
        autoescape=True,
        finalize=lambda value: visible(value) if type(value) is str else value,
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
        "generated": generated_title,
    }
    environment.globals |= {
        "diff": diff,
        "excerpt": excerpt,
        "diff_length": length,
        "most_diff_lines": MOST_LINES,
        "kind_of": _kind_of,
        "percent": lambda strength: f"{round(100 * printed_score(strength))} %",
        "navigation": TABLES["navigation"],
        "speakers": TABLES["speakers"],
        "tags_of": tags_of,
    }
    return environment


ENVIRONMENT = _environment()
"""The templates, each translated when it is first used."""


@frozen
class Dates:
    """Formatter of the times on a page: in words, with the exact time on hover.

    Attributes:
        zone: Time zone of the page.
        now: Current time, in that zone.
    """

    zone: tzinfo
    now: datetime

    def when(self, at: datetime) -> Markup:
        """Return the age in words, or the date after a week."""
        local = at.astimezone(self.zone)
        return _time(local, age(local, self.now))

    def exact(self, at: datetime) -> Markup:
        """Return the date and the time of day."""
        local = at.astimezone(self.zone)
        return _time(local, f"{short_date(local, self.now)}, {local:%H:%M}")

    def clock(self, at: datetime) -> Markup:
        """Return the time of day."""
        local = at.astimezone(self.zone)
        return _time(local, f"{local:%H:%M}")

    def day(self, at: datetime | date) -> str:
        """Return the date."""
        return short_date(at.astimezone(self.zone) if isinstance(at, datetime) else at, self.now)

    def on(self, at: datetime) -> str:
        """Return the date for a sentence, without the year if it is the current one."""
        local = at.astimezone(self.zone)
        return f"on {local.day} {local:%B}{'' if local.year == self.now.year else f' {local.year}'}"

    def zone_name(self) -> str:
        """Return the current name of the zone."""
        name, offset = self.now.tzname() or "", f"{self.now:%z}"
        # For some zones, the name is just the offset.
        named = f"{name}, " if name.isalpha() else ""
        return name if name == "UTC" else f"{named}UTC{offset[:3]}:{offset[3:5]}"


def _time(local: datetime, text: str) -> Markup:
    # Don't use `Markup.format`: it would take a tenth of a list's time. Digits and months need no escaping.
    iso = local.isoformat(timespec="seconds")
    return Markup(f'<time datetime="{iso}" title="{iso[:10]} {iso[11:16]}">{text}</time>')  # noqa: S704 - see above


def render(name: str, zone: tzinfo, now: datetime, **values: object) -> str:
    """Render a page as of a given time, with times in a zone."""
    dates = Dates(zone, now.astimezone(zone))
    return ENVIRONMENT.get_template(name).render(
        when=dates.when,
        exact=dates.exact,
        day=dates.day,
        clock=dates.clock,
        on=dates.on,
        zone=dates.zone_name(),
        **values,
    )
