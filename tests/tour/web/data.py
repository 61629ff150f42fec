"""An invented data directory for the pages: three weeks of the ferry line, and two projects beside it."""

from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from uuid import UUID

from attrs import define

from lamella.domain.conversations.message import Batch, MessageDraft, Role
from lamella.domain.memories.kind import EDITED, Kind
from lamella.domain.memories.observation import CodeChange, Draft
from lamella.ports.storage.activity import Activity, ActivityKind
from lamella.ports.storage.ledger import Capture
from lamella_adapters.git.working_tree import GitWorkingTree
from lamella_adapters.sqlite.storage import SqliteStorage
from lamella_contracts.fixtures.project import signed

_DAY, _HOUR, _MINUTE = timedelta(days=1), timedelta(hours=1), timedelta(minutes=1)


def _hunk(place: str, *lines: str) -> str:
    """Return a hunk of a diff."""
    return "\n".join((f"@@ {place}", *lines, ""))


_RETRY = _hunk(
    "-31,9 +31,5 @@ def pay(booking: Booking) -> None:",
    "     if booking.paid:",
    "         return",
    "-    for attempt in range(3):",
    "-        answer = bank.book(booking.id, booking.cents, timeout=PAYMENT_TIMEOUT)",
    "-        if answer.accepted:",
    "-            break",
    "-        time.sleep(2**attempt)",
    "+    answer = bank.book(booking.id, booking.cents, timeout=PAYMENT_TIMEOUT)",
    "     if not answer.accepted:",
    "         raise PaymentRefused(booking.id)",
)
_ZONE = _hunk(
    "-12,3 +12,4 @@ def departures(day: date) -> list[Departure]:",
    "-    return [each.local() for each in plan(day)]",
    '+    zone = ZoneInfo("Atlantic/Madeira")',
    "+    return [each.at.astimezone(zone) for each in plan(day)]",
)
_SUNDAY = _hunk("-40 +40 @@", "-SUNDAY_LAST = time(22, 10)", "+SUNDAY_LAST = time(21, 40)")
_TIMEOUT = _hunk("-9 +9 @@", "-PAYMENT_TIMEOUT = 10", "+PAYMENT_TIMEOUT = 25")
_REFUSED = _hunk("-36,2 +36,3 @@", "-        return False", "+        raise PaymentRefused(booking.id)")
_SEAL = _hunk(
    "-0,0 +1,2 @@",
    "+def verified(ticket: Ticket, key: bytes) -> bool:",
    "+    return hmac.compare_digest(ticket.seal, seal(ticket, key))",
)
_CENTS = _hunk("-3 +3 @@", "-    price: float", "+    cents: int")
_PAYER = _hunk("-5,0 +6 @@", "+    payer: str")

_TALKS: Sequence[tuple[str, str, float, Sequence[tuple[Role, str]]]] = (
    (
        "5b9a1f6e-0000-4000-8000-00000000f001",
        "Cards are charged twice",
        2.2,
        (
            (Role.HUMAN, "Two passengers were charged twice for the evening ferry. Find out why."),
            (Role.THOUGHT, "The retry in pay() repeats a booking that the bank may have taken already."),
            (Role.TOOL, "Grep pattern=bank.book path=ferry/"),
            (Role.TOOL_RESULT, "ferry/payments.py:33: answer = bank.book(booking.id, booking.cents)"),
            (
                Role.ASSISTANT,
                (
                    "pay() tries three times. The bank answers late in the evening: the first try is booked, the"
                    " answer is lost, and the second try is booked again."
                ),
            ),
            (Role.HUMAN, "Then don't retry there. The bank's own queue repeats what it has not booked."),
            (Role.ASSISTANT, "I removed the loop from pay() and left the timeout at 25 seconds."),
            (Role.TOOL, "Edit ferry/payments.py"),
            (Role.HUMAN, "Good. Remember why, so that nobody puts it back."),
            (Role.ASSISTANT, "Saved as a decision."),
        ),
    ),
    (
        "5b9a1f6e-0000-4000-8000-00000000f002",
        "Timetable for the winter",
        0.3,
        (
            (Role.HUMAN, "The winter timetable has to be live on Monday. What is missing?"),
            (Role.ASSISTANT, "The last ferry on Sundays: timetable.py still has 22:10, the plan says 21:40."),
            (Role.HUMAN, "Use the plan. And show departures in the harbour's time zone, wherever the phone is."),
            (Role.ASSISTANT, "Done, with a test for a phone in Lisbon."),
        ),
    ),
)

_NOTES: Sequence[tuple[float, str, str, str, str | None, str | None]] = (
    # Days ago, title, text, source, session, author
    (
        2.1,
        "Payments are never repeated by us",
        (
            "pay() asks the bank once. The retry was removed because the bank books late answers twice: two"
            " passengers were charged twice on the evening ferry. The bank's own queue repeats what it has not"
            " booked."
        ),
        "decision",
        _TALKS[0][0],
        "Mira",
    ),
    (
        0.25,
        "Departures are shown in the harbour's time zone",
        "Wherever the phone is: a passenger from Lisbon was an hour late. `timetable.local()` converts.",
        "decision",
        _TALKS[1][0],
        "Mira",
    ),
    (
        6.4,
        "Staging is reset every night at three",
        "Bookings on staging are gone in the morning. Long tests run on the second database, `ferry_long`.",
        "manual",
        None,
        None,
    ),
    (
        9.3,
        "Tickets are checked offline",
        "The crew has no network at sea: `scan` verifies signatures with the key of the day.",
        "decision",
        None,
        "Jonas",
    ),
    (
        12.6,
        "Prices are cents, never floats",
        "Rounding lost 3 cents a day in the old till.",
        "decision",
        None,
        "Jonas",
    ),
    (
        15.2,
        "The museum's gate uses the same scanner",
        "A change of the QR format needs both repositories.",
        "manual",
        None,
        None,
    ),
    (
        17.5,
        "Run the load test before each season",
        "`make load` replays the busiest Saturday of last July.",
        "manual",
        None,
        "Mira",
    ),
)

_EDITS: Sequence[tuple[float, str, str, int, int, str, str | None]] = (
    # Days ago, path, title, added, removed, hunks, session
    (2.15, "ferry/payments.py", "Removed the retry from pay()", 1, 5, _RETRY, _TALKS[0][0]),
    (0.28, "ferry/timetable.py", "Departures in the harbour's time zone", 2, 1, _ZONE, _TALKS[1][0]),
    (0.29, "ferry/timetable.py", "Last ferry on Sundays at 21:40", 1, 1, _SUNDAY, _TALKS[1][0]),
    (8.9, "ferry/payments.py", "Timeout of the bank raised to 25 seconds", 1, 1, _TIMEOUT, None),
    (11.0, "ferry/payments.py", "Refused payments raise PaymentRefused", 9, 2, _REFUSED, None),
    (13.3, "ferry/scan.py", "Signatures are checked with the key of the day", 34, 0, _SEAL, None),
    (14.1, "ferry/bookings.py", "Prices in cents", 6, 6, _CENTS, None),
    (16.8, "ferry/bookings.py", "A booking keeps who paid it", 3, 0, _PAYER, None),
)


@define
class _Maker:
    """Writes one project."""

    storage: SqliteStorage
    project: str
    now: datetime
    _ids: int
    """Number of the last id; ids are unique in the storage."""

    def id(self) -> UUID:
        """Return the next id."""
        self._ids += 1
        return UUID(f"{self._ids * 2654435761 % 2**32:08x}-0000-4000-8000-{self._ids:012x}")

    def note(self, days: float, draft: Draft) -> UUID:
        """Save a memory so many days ago."""
        saved = self.storage.observations(self.project).add(draft, id=self.id(), now=self.now - days * _DAY)
        return saved.observation.id


def fill(data: Path, folder: Path, *, now: datetime | None = None) -> Path:
    """Write the data directory of a user whose projects are in `folder`, and return the folder of the ferry.

    Args:
        data: The data directory.
        folder: Where the folders of the projects are made.
        now: Time of the latest day; memories are older by hours or days.
    """
    now = (now or datetime.now(UTC)).replace(microsecond=0)
    with closing(SqliteStorage(data)) as storage:
        made = {}
        for number, name in enumerate(("ferry", "museum", "ferry-old")):
            (folder / name / ".git").mkdir(parents=True, exist_ok=True)
            location = GitWorkingTree().locate(folder / name)
            made[name] = _Maker(
                storage, storage.registry.at(location, now=now - 20 * _DAY).id, now, 1_000 * number
            )
        _ferry(made["ferry"])
        made["museum"].note(
            4, Draft(content="The gate opens for members without a ticket.", title="Members walk in")
        )
        made["ferry-old"].note(19, Draft(content="The first sketch of the till.", title="Till, first sketch"))
    _foreign(folder / "home")
    return folder / "ferry"


def _foreign(home: Path) -> None:
    """Write the memories of another program, which an import finds."""
    place = home / ".npm/_npx/1/node_modules/@modelcontextprotocol/server-memory/dist"
    place.mkdir(parents=True, exist_ok=True)
    said = (("Harbour office", "Opens at six."), ("Ticket printer", "Needs thermal paper of 80 mm."))
    entity = '{{"type": "entity", "name": "{}", "entityType": "place", "observations": ["{}"]}}\n'
    (place / "memory.json").write_text("".join(entity.format(*each) for each in said), encoding="utf-8")


def _ferry(maker: _Maker) -> None:
    storage, now = maker.storage, maker.now
    # Observations are ordered by the time at which they were saved: the oldest comes first.
    saved: dict[str, UUID] = {}
    for days, title, text, source, session, author in sorted(_NOTES, reverse=True):
        draft = Draft(content=text, title=title, source=source, session=session, author=author)
        saved[title] = maker.note(days, draft)
    correction = Draft(
        content="Bookings on staging are gone in the morning: the reset is at four now.",
        title="Staging is reset every night at four",
        replaces=(saved["Staging is reset every night at three"],),
    )
    maker.note(0.2, correction)
    gone = maker.note(0.15, Draft(content="Use the blue logo on tickets.", title="Blue logo", author="Jonas"))
    storage.observations(maker.project).purge([gone], by=signed(now - _HOUR))
    summary = Draft(
        content="Asked: why cards were charged twice.\nDone: the retry was removed from pay().",
        title="Cards are charged twice",
        kind=Kind.SUMMARY,
        source="session",
        session=_TALKS[0][0],
    )
    captures = [
        Capture(
            id=maker.id(),
            draft=Draft(
                content=f"{title}\n{path}",
                title=title,
                source=EDITED,
                kind=Kind.CHANGE,
                session=session,
                request=f"edit-{number}",
                changes=(CodeChange(path=path, additions=added, deletions=removed, hunks=hunks),),
            ),
            at=now - days * _DAY,
        )
        for number, (days, path, title, added, removed, hunks, session) in enumerate(_EDITS)
    ]
    captures.append(Capture(id=maker.id(), draft=summary, at=now - 2 * _DAY))
    storage.ledger(maker.project).record(sorted(captures, key=lambda each: each.at))
    for number, (session, name, days, said) in enumerate(_TALKS):
        begun = now - days * _DAY
        drafts = tuple(
            MessageDraft(
                key=f"{session}/{place}", session=session, role=role, text=text, at=begun + place * _MINUTE
            )
            for place, (role, text) in enumerate(said)
        )
        batch = Batch(source=f"talk-{number}", position="1", drafts=drafts, names={session: name})
        storage.conversations(maker.project).add(batch)
    known = [saved[title].hex for _, title, *_ in _NOTES[2:]]
    given = (
        (2.2, _TALKS[0][0], "SessionStart", 812, ()),  # by a version that kept no ids
        (2.19, _TALKS[0][0], "UserPromptSubmit", 164, known[2:3]),
        (0.3, _TALKS[1][0], "SessionStart", 934, known),
        (0.29, _TALKS[1][0], "PreToolUse", 121, known[1:2]),
    )
    entries = [
        Activity(
            name=f"given-{number}",
            at=now - days * _DAY,
            kind=ActivityKind.INJECTED,
            session=session,
            about=about,
            tokens=tokens,
            memories=tuple(memories),
        )
        for number, (days, session, about, tokens, memories) in enumerate(given)
    ]
    skipped = Activity(
        name="skipped", at=now - 0.25 * _DAY, kind=ActivityKind.SKIPPED, about="a file marked as private"
    )
    storage.activity(maker.project).add([*entries, skipped])
