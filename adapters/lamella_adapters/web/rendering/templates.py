"""Templates, which escape whatever they are given.

Everything that a template prints passes `visible` and then HTML escaping: hidden characters (bidirectional,
zero-width, ANSI) are shown, and markup is text. Only `Markup`, which our own code makes, is printed as it is.
"""

from datetime import datetime, tzinfo
from pathlib import Path

from attrs import define, field
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from lamella.domain.memories.kind import DECISION, Kind
from lamella.domain.memories.query import Hit
from lamella.domain.memories.tags import tags_of
from lamella.domain.replies.message_window import SPEAKERS
from lamella.domain.replies.views import printed_score
from lamella.domain.text.printing import printed_line, shortened, visible
from lamella_adapters.web.rendering.diffs import MOST_LINES, diff, length
from lamella_adapters.web.rendering.marks import marked, snippet

_FOLDER = Path(__file__).resolve().parents[1] / "templates"


def _shown(value: object) -> object:
    return visible(value) if type(value) is str else value


def _path(path: str) -> Markup:
    """Return a path that breaks after slashes. `<wbr>` would make a screen reader say a space there."""
    return Markup('<span class="cut">/</span>').join(visible(path).split("/"))


def _percent(value: float) -> str:
    """Return a strength as replies print it: what was found is never of none."""
    return f"{round(100 * printed_score(value))} %"


def _kind_of(hit: Hit) -> str:
    """Return the kind of a memory for people: `decision` for a note of that source."""
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
        "marked": marked,
        "path": _path,
    }
    environment.globals |= {
        "diff": diff,
        "diff_length": length,
        "most_diff_lines": MOST_LINES,
        "kind_of": _kind_of,
        "percent": _percent,
        "snippet": snippet,
        "speakers": SPEAKERS,
        "tags_of": tags_of,
    }
    return environment


@define(eq=False)
class Templates:
    """The templates of all pages.

    Attributes:
        zone: Time zone of the times that are shown.
    """

    zone: tzinfo
    _environment: Environment = field(factory=_environment)

    def render(self, name: str, **values: object) -> str:
        """Return a page."""
        page = self._environment.get_template(name)
        return page.render(
            when=self.when,
            day=self.day,
            clock=self.clock,
            on=self.on,
            zone=self.zone_name(),
            **values,
        )

    def zone_name(self) -> str:
        """Return the zone of the times that are shown, as it is now."""
        now = datetime.now(self.zone)
        name, offset = now.tzname() or "", f"{now:%z}"
        # Some zones have no name but their offset.
        named = f"{name}, " if name.isalpha() else ""
        return name if name == "UTC" else f"{named}UTC{offset[:3]}:{offset[3:5]}"

    def when(self, at: datetime) -> Markup:
        """Return a moment with its day."""
        return self._time(at, '<span class="nb">%Y-%m-%d</span> %H:%M')

    def clock(self, at: datetime) -> Markup:
        """Return the time of day of a moment."""
        return self._time(at, "%H:%M")

    def day(self, at: datetime) -> Markup:
        """Return the day of a moment."""
        return self._time(at, "%Y-%m-%d")

    def on(self, at: datetime) -> str:
        """Return a day as a sentence has it, with its year unless that is the present one."""
        local = at.astimezone(self.zone)
        year = "" if local.year == datetime.now(self.zone).year else " %Y"
        return f"on {local.day} {local.strftime(f'%B{year}')}"

    def _time(self, at: datetime, form: str) -> Markup:
        local = at.astimezone(self.zone)
        # Digits and signs of ours only; `Markup.format` would take a tenth of a list's time.
        return Markup(f'<time datetime="{local.isoformat(timespec="seconds")}">{local.strftime(form)}</time>')  # noqa: S704
