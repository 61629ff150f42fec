"""Somebody at work in a real repository."""

from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from attrs import define, evolve, field

from lamella.application.ledger.check_edit import EditRequest
from lamella.domain.memories.observation import Observation
from lamella.domain.privacy.redaction import cleaned
from lamella.ports.transcripts import Transcripts
from lamella_adapters.git.history import GitHistory
from lamella_adapters.git.working_tree import GitWorkingTree
from tests.unit.adapters.git.git_repository import Repository
from tests.unit.support.doubles import Desk
from tests.unit.support.stand_ins import FixedClock
from tests.waiting import HANG_SECONDS

RETRY = "def retried(call, attempts):\n    return call(attempts or DEFAULT_ATTEMPTS)\n"
CALL = "def called(call, arguments):\n    return call(*arguments, timeout=PATIENCE)\n"
LOG = "def logged(message, level):\n    print(level_name(level), message)\n"


def no_transcripts(path: Path | None) -> Transcripts:
    raise AssertionError(path)


def drain(desk: Desk) -> None:
    (*_, account) = desk.draining(no_transcripts, GitHistory())()
    assert (account.left, account.aside, account.trouble) == (0, 0, None)


@define
class Bench:
    """Somebody at work in a real repository: edits that are told of, and commands that are not."""

    repository: Repository
    desk: Desk = field(init=False)
    ahead: timedelta = timedelta()
    """Time by which everything happens later than now."""
    _told: int = 0

    @desk.default
    def _at_the_repository(self) -> Desk:
        tree: Any = GitWorkingTree(patience=HANG_SECONDS)  # where other desks have one on paper
        return Desk(tree=tree, clock=FixedClock(datetime.now(UTC))).at(directory=self.repository.root)

    def edit(self, path: str, before: str, after: str) -> None:
        """An edit as a hook tells of it."""
        file = self.repository.root / path
        text = file.read_text(encoding="utf-8")
        assert before in text
        file.write_text(text.replace(before, after), encoding="utf-8")
        lines = [*(f"-{line}" for line in before.splitlines()), *(f"+{line}" for line in after.splitlines())]
        self._tell(tool="Edit", path=str(file), hunks=cleaned("\n".join(["@@ -1 +1 @@", *lines])).text)

    def ran(self, command: str, **fields: Any) -> list[Observation]:
        """Run a command that changed something. Return the observations that it adds or changes."""
        known = {each.id: each.updated_at for each in self.recorded}
        self._tell(tool="Bash", command=command, **fields)
        drain(self.desk)
        return [each for each in self.recorded if known.get(each.id) != each.updated_at]

    def git(self, *arguments: str) -> list[Observation]:
        self.repository.git(*arguments)
        return self.ran(f"git {' '.join(arguments)}")

    def walks_back(self, path: str, code: str) -> bool:
        """Return True if an edit that brings this code would be warned of."""
        before = self.desk.tree.text(self.repository.root, path)
        request = EditRequest(path=path, before=before, after=before + code)
        session = evolve(self.desk.call, session=f"session {self._told}")
        return self.desk.check(session, request) is not None

    @property
    def recorded(self) -> list[Observation]:
        return self.desk.everything

    def _tell(self, **fields: Any) -> None:
        self._told += 1
        at = datetime.now(UTC) + timedelta(milliseconds=self._told) + self.ahead
        # Each in a session of its own, so that nothing joins.
        told = {"name": f"{self._told:03d}", "at": at, "session": f"s{self._told}", **fields}
        self.desk.spool.put(directory=self.repository.root, **told)


def forget_notes(repository: Repository) -> None:
    """Makes git forget that something was committed here."""
    repository.git("reflog", "expire", "--expire=all", "--all")


def lines(observations: list[Observation]) -> list[str]:
    """The lines that came and went in some observations."""
    hunks = "\n".join(change.hunks for each in observations for change in each.changes)
    return [line for line in hunks.split("\n") if line[:1] in ("+", "-")]


def signed(sign: str, code: str) -> list[str]:
    return [f"{sign}{line}" for line in code.splitlines()]
