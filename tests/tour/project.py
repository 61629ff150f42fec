"""The invented project of the tour: the tickets of a small ferry line, with a few commits."""

from attrs import frozen

NAME, OTHER = "ferry", "museum"
"""Folders of the project and of another one of the same user."""


@frozen
class Commit:
    """A commit of the user's: its subject, and the files that it writes."""

    subject: str
    files: dict[str, str]


RETRY = """\
    for attempt in range(3):
        answer = bank.book(booking.id, booking.cents, timeout=PAYMENT_TIMEOUT)
        if answer.accepted:
            break
        time.sleep(2**attempt)
"""
"""Lines of `ferry/payments.py` that are removed in the morning."""

ONCE = """\
    answer = bank.book(booking.id, booking.cents, timeout=PAYMENT_TIMEOUT)
"""

_PAYMENTS = f'''\
"""Payments by card."""

import time

from ferry import bank
from ferry.bookings import Booking, PaymentRefused

PAYMENT_TIMEOUT = 25


def charge(booking: Booking) -> str:
    """Book the price of a booking and return the receipt."""
{RETRY}    if not answer.accepted:
        raise PaymentRefused(booking.id, answer.reason)
    return answer.receipt(at=time.time())
'''

_SEATS = '''\
"""Places that are held while somebody pays."""

from datetime import datetime, timedelta

HOLD_MINUTES = 5


def hold(database, sailing: int, places: int, now: datetime) -> int:
    """Hold places of a sailing and return the id of the hold."""
    expires = now + timedelta(minutes=HOLD_MINUTES)
    return database.insert("seat_hold", sailing=sailing, places=places, expires_at=expires)


def release_expired(database, now: datetime) -> int:
    """Give back the places of holds that nobody paid for."""
    return database.delete("seat_hold", "expires_at < ?", now)
'''

_TIMETABLE = '''\
"""Departures, as the office on the mainland has them."""

import time

from ferry import office

CACHE_SECONDS = 600
_cached: tuple[float, list[office.Departure]] | None = None


def departures() -> list[office.Departure]:
    """Return the departures of today."""
    global _cached
    if _cached is None or time.monotonic() - _cached[0] > CACHE_SECONDS:
        _cached = (time.monotonic(), office.fetch_departures())
    return _cached[1]
'''

_MAIL = '''\
"""Mails to passengers."""

from ferry import pdf, smtp
from ferry.bookings import Booking


def send_ticket(booking: Booking) -> None:
    """Mail a ticket."""
    smtp.send(booking.address, "Your ticket", attachment=pdf.ticket(booking))
'''

COMMITS = (
    Commit(
        "Sell tickets by card", {"README.md": "# Tickets for the island ferry\n", "ferry/payments.py": _PAYMENTS}
    ),
    Commit("Hold places while somebody pays", {"ferry/seats.py": _SEATS}),
    Commit("Show the departures of today", {"ferry/timetable.py": _TIMETABLE}),
    Commit("Mail tickets", {"ferry/mail.py": _MAIL}),
)
"""What is there before the day begins."""

BY_HAND = Commit(
    "Ask the office for departures every minute",
    {"ferry/timetable.py": _TIMETABLE.replace("CACHE_SECONDS = 600", "CACHE_SECONDS = 60")},
)
"""Commit that the user makes in the course of the day, without Claude."""

ELSEWHERE = Commit("List what is on show", {"README.md": "# Museum\n", "exhibits.py": "EXHIBITS = []\n"})
"""The other project."""
