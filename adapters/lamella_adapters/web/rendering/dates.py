"""Times on pages: in words, with the exact time on hover."""

from datetime import date, datetime, tzinfo

from attrs import frozen
from markupsafe import Markup

from lamella.domain.text.ages import age, short_date


@frozen
class Dates:
    """Times of one page.

    Attributes:
        zone: Their time zone.
        now: Current time, in that zone.
    """

    zone: tzinfo
    now: datetime

    def when(self, at: datetime) -> Markup:
        """Return the age in words; a date after a week."""
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
    # Digits and names of months need no escaping, and `Markup.format` would take a tenth of a list's time.
    iso = local.isoformat(timespec="seconds")
    return Markup(f'<time datetime="{iso}" title="{iso[:10]} {iso[11:16]}">{text}</time>')  # noqa: S704 - see above
