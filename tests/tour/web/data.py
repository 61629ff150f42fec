"""An invented data directory for the pages: three weeks of the ferry line, and two projects beside it."""

import tomllib
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID
from zlib import crc32

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


_TOLD = tomllib.loads(Path(__file__).with_name("data.toml").read_text("utf-8"))
_CHARGED, _WINTER = (talk["session"] for talk in _TOLD["talk"])


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


def fill(data: Path, folder: Path, *, now: datetime | None = None, year: bool = False) -> Path:
    """Write the data directory of a user whose projects are in `folder`, and return the folder of the ferry.

    Args:
        data: The data directory.
        folder: Where the folders of the projects are made.
        now: Time of the latest day; memories are older by hours or days.
        year: With a year before these weeks, for pictures that need one.
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
        if year:
            _year_before(made["ferry"])
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


def _dated(told: dict[str, Any]) -> tuple[float, dict[str, Any]]:
    """Split off how many days ago it was."""
    return told["days"], {name: value for name, value in told.items() if name != "days"}


def _year_before(maker: _Maker) -> None:
    """Keep decisions, and edit on most days of a year, less in winter and at weekends."""
    told, captures, entries = _TOLD["year"], list[Capture](), list[Activity]()
    for ago, path, title, keywords, content in told["decisions"]:
        draft = Draft(content=content, title=title, keywords=keywords, source="decision", changes=(_about(path),))
        maker.note(ago, draft)
    lines = told["lines"]
    for ago in range(362, 20, -1):
        number = crc32(b"%d" % ago)  # looks random, and is the same in every picture
        weekend = (maker.now - ago * _DAY).weekday() > 4
        for each in range(max(0, number % 9 - 2 - 2 * (ago > 280) - 4 * weekend)):
            path = told["paths"][(ago + 3 * each) % len(told["paths"])]
            first, deletions, additions = (number + each) % 7, (number + each) % 4, (number + 3 * each) % 6
            went = [f"-{line}" for line in lines[first : first + deletions]]
            came = [f"+{line}" for line in lines[first + 3 : first + 3 + additions]]
            title, name = told["titles"][(ago + each) % len(told["titles"])], f"year-{ago}-{each}"
            at, tokens = maker.now - (ago - each / 9) * _DAY, 400 + number % 1100
            change = CodeChange(
                path=path,
                former=told["former"] if name == told["renamed"] else None,
                additions=len(came),
                deletions=len(went),
                hunks="\n".join([told["place"].format(ago), *went, *came]),
            )
            draft = Draft(
                content=f"{title}\n{path}",
                title=title,
                source=EDITED,
                kind=Kind.CHANGE,
                request=name,
                changes=(change,),
            )
            captures.append(Capture(id=maker.id(), draft=draft, at=at))
            given = ActivityKind.INJECTED
            entries.append(
                Activity(name=name, at=at, kind=given, session="year", about="session start", tokens=tokens)
            )
    maker.storage.ledger(maker.project).record(captures)
    maker.storage.activity(maker.project).add(entries)


def _about(path: str) -> CodeChange:
    """Return what a note has of a file that it names, whose lines are committed."""
    return CodeChange(path=path, additions=0, deletions=0)


def _ferry(maker: _Maker) -> None:
    storage, now = maker.storage, maker.now
    # Observations are ordered by the time at which they were saved: the oldest comes first.
    saved = {
        told["title"]: maker.note(days, Draft(changes=tuple(map(_about, told.pop("paths", ()))), **told))
        for days, told in sorted(map(_dated, _TOLD["note"]), key=lambda each: -each[0])
    }
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
        session=_CHARGED,
    )
    captures = [Capture(id=maker.id(), draft=summary, at=now - 2 * _DAY)]
    for number, (days, told) in enumerate(map(_dated, _TOLD["edit"])):
        change = CodeChange(**{name: told.pop(name) for name in ("path", "additions", "deletions", "hunks")})
        draft = Draft(
            **told,
            content=f"{told['title']}\n{change.path}",
            source=EDITED,
            kind=Kind.CHANGE,
            request=f"edit-{number}",
            changes=(change,),
        )
        captures.append(Capture(id=maker.id(), draft=draft, at=now - days * _DAY))
    storage.ledger(maker.project).record(sorted(captures, key=lambda each: each.at))
    removal = next(each.id.hex for each in captures if each.draft.title == _TOLD["comeback"]["removal"])
    for number, (days, told) in enumerate(map(_dated, _TOLD["talk"])):
        session = told["session"]
        drafts = tuple(
            MessageDraft(
                key=f"{session}/{place}",
                session=session,
                role=Role(role),
                text=text,
                at=now - days * _DAY + place * _MINUTE,
            )
            for place, (role, text) in enumerate(told["said"])
        )
        batch = Batch(source=f"talk-{number}", position="1", drafts=drafts, names={session: told["name"]})
        storage.conversations(maker.project).add(batch)
    known = [saved[each["title"]].hex for each in _TOLD["note"][2:]]
    given = (
        (2.2, _CHARGED, "session start", 812, (), ""),  # by a version that kept no ids
        (2.19, _CHARGED, "prompt", 164, known[2:3], ""),
        (0.3, _WINTER, "session start", 934, known, ""),
        (0.29, _WINTER, "before edit", 121, [removal], _TOLD["comeback"]["edit"]),
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
            edit=edit,
        )
        for number, (days, session, about, tokens, memories, edit) in enumerate(given)
    ]
    skipped = Activity(
        name="skipped", at=now - 0.25 * _DAY, kind=ActivityKind.SKIPPED, about="a file marked as private"
    )
    storage.activity(maker.project).add([*entries, skipped])
