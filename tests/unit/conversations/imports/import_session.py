"""Sessions of imports; see `tests/end_to_end/support/sessions.py`.

Usage: python -m tests.unit.conversations.imports.import_session FILE ... writes what they print now.

    $ transcript a one two        a transcript with these messages; more are added to one that is there
    $ transcript b directory=/srv one of another directory, or of none if it is blank
    $ transcript c like=copy      one that is read like this, see below
    $ transcript a one now=yes    one whose messages are replaced by these
    $ import /given dry_run=yes   what comes of it; also `every_project=yes` for all projects, and `client=codex`
    $ steps 2                     how many bytes are read after each step, or after the first ones
    $ opened                      clients and paths whose transcripts were opened
    $ names                       of the conversations that are known
    $ position a                  up to where a transcript was read

Two messages are read at a time, each of ten bytes; `half` is one that is being written. A transcript begins with
the name of its session, in which there is a secret, `KEY`. It may be a `copy` of a, `broken`, `damaged` behind its
first messages, without `messages`, give all `twice`, be read from its `beginning` each time, or have a `title` of
its second message, or one of a `chain`. All else is as at a desk.
"""

import sys
from pathlib import Path
from typing import Any

from attrs import define, evolve, field

from lamella.application.conversations.import_transcripts import ImportTranscripts
from lamella.domain.conversations.message import Batch, MessageDraft, Role
from lamella.domain.errors import TranscriptsUnreadableError
from lamella.ports.transcripts import Source, Transcripts
from tests.end_to_end.support.sessions import write_anew
from tests.unit.support.desk_session import DeskShell
from tests.unit.support.doubles import HOME, Desk
from tests.unit.support.stand_ins import DAWN
from tests.unit.support.telling import account

KEY = "ghp_" + "a" * 36
TITLE = f"About {KEY}"


@define
class Shelf(Transcripts):
    """Transcripts made of lists of texts."""

    files: dict[str, list[str]] = field(factory=dict)
    directories: dict[str, Path | None] = field(factory=dict)
    like: dict[str, str] = field(factory=dict)
    opened: list[str] = field(factory=list)

    def __call__(self, client: str, path: Path | None) -> Transcripts:
        self.opened.append(f"{client} {path}")
        return self

    def sources(self) -> tuple[Source, ...]:
        if not self.files:
            raise TranscriptsUnreadableError(reason="There is no such folder.", advice="Name another.")
        return tuple(
            Source(id=name, size=10 * len(texts), directory=self.directories[name], place=f"/{name}")
            for name, texts in self.files.items()
        )

    def read(self, source: Source, since: str) -> Batch:
        like = self.like.get(source.id)
        if like == "broken" or (like == "damaged" and since):
            raise TranscriptsUnreadableError(reason=f"{source.id} cannot be read.", advice="Look at it.")
        if like == "chain":
            draft = MessageDraft(key="r/0", session="s", role=Role.HUMAN, text="Hello.", at=DAWN)
            return Batch(source=source.id, position=f"{since}again", drafts=(draft,), titles={"r": TITLE})
        start, texts = 0 if like == "beginning" else int(since or 0), self.files[source.id]
        end = min(start + 2, len(texts))
        key = "a" if like == "copy" else source.id
        batch = Batch(
            source=source.id,
            position=str(end),
            drafts=tuple(
                MessageDraft(key=f"{key} {n}", session=source.id, role=Role.HUMAN, text=texts[n], at=DAWN)
                for n in range(start, end)
            ),
            names={source.id: TITLE} if start == 0 else {},
            read=10 * end,
            skipped={"other record": 1} if start < end else {},
            complete=end == len(texts),
            waiting=texts[-1:] == ["half"],
        )
        match like:
            case "messages":
                return evolve(batch, drafts=(), names={})
            case "twice":
                return evolve(batch, drafts=batch.drafts * 2)
            case "beginning":
                return evolve(batch, position=f"{since}again")
            case "title":
                title = f"{TITLE} <private>and me</private>"
                return evolve(batch, names={}, titles={"a 1": title} if not since else {})
        return batch


@define
class ImportShell(DeskShell):
    """A desk with transcripts on a shelf."""

    shorthand = ("KEY", KEY)
    desk: Desk = field(factory=Desk)
    shelf: Shelf = field(factory=Shelf)

    @property
    def importing(self) -> ImportTranscripts:
        return ImportTranscripts(projects=self.desk.projects, transcripts=self.shelf)

    def _transcript(
        self, name: str, *texts: str, directory: str = str(HOME), like: str = "", now: bool = False
    ) -> list[str]:
        self.shelf.files[name] = [*([] if now else self.shelf.files.get(name, [])), *texts]
        self.shelf.directories[name] = Path(directory) if directory else None
        self.shelf.like[name] = like
        return []

    def _import(self, path: str = "", **options: Any) -> list[str]:
        *_, last = self.importing(self.desk.call, Path(path) if path else None, **options)
        return [*account(last), *last.unreadable]

    def _steps(self, most: str = "99") -> list[str]:
        steps = zip(range(int(most)), self.importing(self.desk.call), strict=False)
        return [" ".join(str(each.read) for _, each in steps)]

    def _opened(self) -> list[str]:
        return self.shelf.opened

    def _names(self) -> list[str]:
        return [each.name for each in self.desk.here.conversations().sessions()]

    def _position(self, name: str) -> list[str]:
        return [self.desk.here.conversations().position(name) or "none"]


if __name__ == "__main__":
    write_anew(sys.argv[1:], lambda _: ImportShell())
