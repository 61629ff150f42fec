"""Somebody at work in a real repository; see `tests/end_to_end/support/sessions.py`.

Usage: python -m tests.end_to_end.capture.git_bench FILE ... writes what they print now.

    $ edit pay.py RETRY LOG           an edit that a hook tells of: other lines in the place of some, or none
    $ ran make                        a command that is told of; prints the observations that it adds or changes
    $ git stash                       the same after it was run
    $ reason=Why took=9 ran make      with its reason, or how long it took in seconds
    $ asked=-3 ran make               with the time of the prompt, in seconds from now
    $ ahead 9                         from now on everything happens so many seconds later
    $ warns pay.py RETRY              whether an edit that brings these lines back would be warned of
    $ echo "$CALL" > pay.py           run by /bin/sh and told to nobody, as is all else, `untold git ...` too

`pay.py` has RETRY and CALL, `log.py` has LOG.
"""

import re
import shlex
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from itertools import takewhile
from pathlib import Path
from typing import Any

from attrs import define, evolve, field

from lamella.application.ledger.check_edit import EditRequest
from lamella.domain.memories.observation import Observation
from lamella.domain.privacy.redaction import cleaned
from lamella.ports.transcripts import Transcripts
from lamella_adapters.git.history import GitHistory
from lamella_adapters.git.working_tree import GitWorkingTree
from tests.end_to_end.git.git_repository import ENVIRONMENT, Repository
from tests.end_to_end.support.sessions import Player, Step, write_anew
from tests.patience import be_patient
from tests.unit.support.doubles import Desk
from tests.unit.support.stand_ins import FixedClock
from tests.waiting import HANG_SECONDS

RETRY = "def retried(call, attempts):\n    return call(attempts or DEFAULT_ATTEMPTS)\n"
CALL = "def called(call, arguments):\n    return call(*arguments, timeout=PATIENCE)\n"
LOG = "def logged(message, level):\n    print(level_name(level), message)\n"
KEY = "AKIA" + "Q" * 16
CODE = {
    "RETRY": RETRY,
    "CALL": CALL,
    "LOG": LOG,
    "SHOWN": LOG.replace("logged", "shown").replace("print", "display"),
    "KEYED": f"KEY_OF_ALL_THE_USERS_THAT_HAVE_EVER_BEEN_AUTHORISED = '{KEY}'\n",
    "KEY": KEY,
}
"""What sessions call pieces of code, and a secret."""


def no_transcripts(path: Path | None) -> Transcripts:
    raise AssertionError(path)


def drain(desk: Desk) -> None:
    (*_, account) = desk.draining(no_transcripts, GitHistory())()
    assert (account.left, account.aside, account.trouble) == (0, 0, None)


@define
class Bench:
    """A user in a real repository, with reported edits and unreported commands."""

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
        """Capture an edit as a hook does."""
        file = self.repository.root / path
        text = file.read_text(encoding="utf-8")
        assert before in text
        file.write_text(text.replace(before, after), encoding="utf-8")
        lines = [*(f"-{line}" for line in before.splitlines()), *(f"+{line}" for line in after.splitlines())]
        self._tell(tool="Edit", path=str(file), hunks=cleaned("\n".join(["@@ -1 +1 @@", *lines])).text)

    def ran(self, command: str, **fields: Any) -> list[Observation]:
        """Run a command that changes files. Return the observations that it adds or changes."""
        known = {each.id: each.updated_at for each in self.recorded}
        self._tell(tool="Bash", command=command, **fields)
        drain(self.desk)
        return [each for each in self.recorded if known.get(each.id) != each.updated_at]

    def git(self, *arguments: str) -> list[Observation]:
        self.repository.git(*arguments)
        return self.ran(f"git {' '.join(arguments)}")

    def walks_back(self, path: str, code: str) -> bool:
        """Return True if an edit with this code would cause a warning."""
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


def made(folder: Path) -> Repository:
    """Make a repository without reflogs, so that git doesn't know which commits were made here."""
    repository = Repository.made(folder)
    repository.commit(pay=RETRY + CALL, log=LOG)
    repository.git("reflog", "expire", "--expire=all", "--all")
    return repository


def lines(observations: list[Observation]) -> list[str]:
    """Return the added and removed lines of some observations."""
    hunks = "\n".join(change.hunks for each in observations for change in each.changes)
    return [line for line in hunks.split("\n") if line[:1] in ("+", "-")]


def signed(sign: str, code: str) -> list[str]:
    return [f"{sign}{line}" for line in code.splitlines()]


@define
class BenchShell(Player):
    """A user's shell in a bench's repository."""

    bench: Bench

    def answer(self, step: Step) -> list[str]:
        words = shlex.split(step.typed)
        given = dict(word.split("=") for word in takewhile(re.compile("[a-z]+=").match, words))
        match words[len(given) :]:
            case ["edit", path, before, *after]:
                self.bench.edit(path, CODE[before], "".join(CODE[each] for each in after))
            case ["ran", *command]:
                return _told(self.bench.ran(" ".join(command), **_settings(given)))
            case ["git", *arguments]:
                return _told(self.bench.git(*arguments))
            case ["ahead", seconds]:
                self.bench.ahead = timedelta(seconds=float(seconds))
            case ["warns", path, code]:
                return ["yes" if self.bench.walks_back(path, CODE[code]) else "no"]
            case _:
                return self._shell(step.typed.removeprefix("untold "))
        return []

    def _shell(self, typed: str) -> list[str]:
        done = subprocess.run(
            ["/bin/sh", "-c", typed],
            cwd=self.bench.repository.root,
            env={**ENVIRONMENT, **CODE},
            capture_output=True,
            check=False,
            text=True,
        )
        return done.stdout.splitlines()


def _settings(given: dict[str, str]) -> dict[str, Any]:
    """Return the report of a command."""
    settings: dict[str, Any] = dict(given)
    if "took" in given:
        settings["took"] = timedelta(seconds=float(given["took"]))
    if "asked" in given:
        settings["asked"] = datetime.now(UTC) + timedelta(seconds=float(given["asked"]))
    return settings


def _told(observations: list[Observation]) -> list[str]:
    told = []
    for each in sorted(observations, key=lambda each: each.changes[0].path):
        (change,) = each.changes
        former = f" (was {change.former})" if change.former else ""
        first, _, _ = each.content.partition("\n")
        why = [] if first.startswith("Changed ") else [f"  {first}"]
        told += [f"{each.source}: {change.path}{former}", *why, *lines([each])]
    return told


if __name__ == "__main__":
    be_patient()
    write_anew(sys.argv[1:], lambda folder: BenchShell(Bench(made(folder))))
