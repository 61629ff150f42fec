"""Sessions of drains; see `tests/end_to_end/support/sessions.py`.

Usage: python -m tests.unit.capture.drain.drain_session FILE ... writes what they print now.

    $ edit pay.py +a at=2         an edit that a hook captured; without lines one that drops the retries
    $ edit {}.py times=3          the same so many times, each with its number in the name
    $ ran make took=60            a command; without a name an event to look for manual changes after
    $ event Stop talk=yes         another event, with the transcript of a conversation
    $ shown 120 memories=1        context that a hook has shown
    $ skipped "too large"         input that a hook has skipped
    $ again                       what was drained last is in the spool again
    $ say Hello role=tool         a message in the transcript; `talk directory=/srv` says where it is
    $ differs pay.py at=1 -a      a file that differs from its last commit, touched then; `unknown` if git fails
    $ holds pay.py at=1 text      a file with a text, touched then; without a text it is unknown
    $ commit pay.py at=1          a commit of a command
    $ ignores made.py             files that git ignores; `branch feat` is checked out
    $ lacks ledger                from now on with a new storage that can't do this; also one that is `shared`
    $ noticed s "Why?"            the reason that a session noted; `noticed` prints all
    $ drain                       what comes of it; also `drain shares=no` without conversations
    $ steps 1                     new edits and captures that are left, after each step or the first ones
    $ found /srv of=pay.py        what is remembered there in order of time, or of a file alone
    $ noted                       what is known of the work of hooks
    $ spool                       the captures that wait
    $ opened                      how often the transcript was opened
    $ numbers                     those of the messages of the conversation; also `numbers /srv`

Times are minutes after half past seven, durations are seconds. `KEY` is a secret. All else is as at a desk.
"""

import sys
from collections.abc import Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

from attrs import define, evolve, field

from lamella.domain.conversations.message import Role
from lamella.domain.memories.checkout import Checkout
from lamella.domain.memories.observation import CodeChange, Observation
from lamella.ports.history import Commit
from lamella.ports.spool import Captured
from lamella.ports.storage.ledger import Recorded
from lamella.ports.storage.storage import Capability
from lamella_adapters.memory import InMemoryStorage
from tests.end_to_end.support.sessions import write_anew
from tests.unit.capture.drains import EDIT, HUNKS, TALK, Talks, observations, there
from tests.unit.support.desk_session import DeskShell
from tests.unit.support.doubles import HOME, Desk
from tests.unit.support.stand_ins import DAWN, LackingStorage, ToldHistory, numbered
from tests.unit.support.telling import account, numbers

KEY = "AKIA" + "Q" * 16


def _moment(minutes: str) -> datetime:
    return DAWN.replace(minute=30) + timedelta(minutes=float(minutes))


def _fields(given: dict[str, Any]) -> dict[str, Any]:
    """Return the fields of a capture."""
    kinds: dict[str, Callable[[str], object]] = {
        "at": _moment,
        "took": lambda took: timedelta(seconds=float(took)),
        "directory": Path,
    }
    return {name: kinds.get(name, str)(value) for name, value in given.items()}


def _told_of(memory: Observation) -> str:
    """Return what a memory is, in one line."""
    change = [f"{each.path} +{each.additions} -{each.deletions}" for each in memory.changes]
    former = [f"(was {each.former})" for each in memory.changes if each.former]
    at = f"{(memory.created_at - _moment('0')) / timedelta(minutes=1):.1f}"
    by = [memory.author, memory.session, memory.client, memory.checkout.branch, at]
    return " | ".join(filter(None, [numbers([memory.id]), memory.source, *change, *former, *by]))


def _words(memory: Observation) -> list[str]:
    """Return the reason of a change, and lines other than those of every edit; or the whole text."""
    hunks = (each.hunks.split("\n")[1:] for each in memory.changes)
    lines = [line for each in hunks if each != HUNKS.split("\n")[1:] for line in each]
    return [*memory.content.split("\n\n")[0].split("\n"), *lines]


@define
class DrainShell(DeskShell):
    """A desk with a spool that hooks fill, and a conversation."""

    shorthand = ("KEY", KEY)
    desk: Desk = field(factory=Desk)
    talks: Talks = field(factory=Talks)
    commits: list[Commit] = field(factory=list)
    before: dict[str, Captured] = field(factory=dict)

    def _edit(self, path: str = "pay.py", *lines: str, times: str = "1", **given: str) -> list[str]:
        more = {**_fields(given), **({"hunks": "\n".join(lines)} if lines else {})}
        for number in range(int(times)):
            self.desk.spool.put(**{**EDIT, "path": str(HOME / path.format(number)), **more})
        return []

    def _ran(self, command: str = "", **given: str) -> list[str]:
        self.desk.spool.put(command=command, **{"reason": "Tidy up.", "at": _moment("0"), **_fields(given)})
        return []

    def _event(self, event: str, *, talk: bool | str = False, **given: str) -> list[str]:
        self.desk.spool.put(event=event, **({"transcript": TALK} if talk else {}), **_fields(given))
        return []

    def _shown(self, tokens: str, *, memories: str = "", **given: str) -> list[str]:
        shown = tuple(numbered(int(each)).hex for each in memories.split(",") if each)
        self.desk.spool.put(event="SessionStart", injected=int(tokens), shown=shown, **given)
        return []

    def _skipped(self, why: str) -> list[str]:
        self.desk.spool.put(skipped=why)
        return []

    def _again(self) -> list[str]:
        self.desk.spool.captures |= self.before
        return []

    def _say(self, text: str, role: str = "human") -> list[str]:
        self.talks.said.append((Role(role), text))
        return []

    def _talk(self, directory: str = "", *, missing: bool = False) -> list[str]:
        self.talks = evolve(self.talks, directory=Path(directory) if directory else None, missing=missing)
        return []

    def _differs(
        self, path: str, *lines: str, at: str = "0", times: str = "1", most: str = "", **given: str
    ) -> list[str]:
        if path == "unknown":
            self.desk.tree.differing = None
            return []
        change = CodeChange(path="x", additions=1, deletions=2, hunks="\n".join(lines) or HUNKS, **given)
        found = tuple(evolve(change, path=path.format(number)) for number in range(int(times)))
        self.desk.tree.differing = (*(self.desk.tree.differing or ()), *found)
        self.desk.tree.touches |= {each.path: _moment(at) for each in found}
        self.desk.tree.most = int(most) if most else None
        return []

    def _holds(self, path: str, text: str = "", at: str = "0") -> list[str]:
        self.desk.tree.texts |= {path: text} if text else {}
        self.desk.tree.touches[path] = _moment(at)
        return []

    def _commit(self, path: str = "", *more: str, at: str = "0", times: str = "1") -> list[str]:
        changes = (CodeChange(path=path, additions=1, deletions=2, hunks=HUNKS),) if path else ()
        self.commits += [
            Commit(id=f"{number}", at=_moment(at), message="All", changes=changes, more=more)
            for number in range(int(times))
        ]
        return []

    def _ignores(self, *paths: str) -> list[str]:
        self.desk.tree.ignoring = frozenset(paths)
        return []

    def _branch(self, branch: str = "") -> list[str]:
        self.desk.tree.present = Checkout(branch, "1" * 40)
        return []

    def _lacks(self, capability: str) -> list[str]:
        self.desk = evolve(self.desk, storage=LackingStorage({Capability[capability.upper()]}))
        return []

    def _shared(self) -> list[str]:
        self.desk = evolve(self.desk, storage=InMemoryStorage(shared=True))
        return []

    def _noticed(self, session: str = "", reason: str = "") -> list[str]:
        if not session:
            return [f"{name}: {why}" for name, why in self.desk.spool.reasons.items()]
        self.desk.spool.reasons[session] = reason
        return []

    def _drain(self, *, shares: str = "yes") -> list[str]:
        self.before = dict(self.desk.spool.captures)
        drain = self.desk.draining(self.talks, ToldHistory(self.commits))
        drain.keeps_conversations = shares != "no"
        return [line for each in [*drain()][-1:] for line in account(each)]

    def _steps(self, most: str = "99") -> list[str]:
        self.before = dict(self.desk.spool.captures)
        steps = self.desk.draining(self.talks, ToldHistory(self.commits))()
        told = zip(range(int(most)), steps, strict=False)
        return [f"{each.edits[Recorded.NEW]} new, {len(self.desk.spool.captures)} left" for _, each in told]

    def _found(self, directory: str = str(HOME), of: str = "") -> list[str]:
        found = [each for each in observations(self.desk, Path(directory)) if of in _told_of(each)]
        return [line for each in found for line in (_told_of(each), *_words(each))]

    def _noted(self) -> list[str]:
        lines = []
        for each in there(self.desk).activity().since(DAWN - timedelta(days=1)):
            tokens = f"{each.tokens} tokens" if each.tokens else ""
            told = [each.session, tokens, *each.memories, repr(each.edit) if each.edit else ""]
            lines.append(" | ".join(filter(None, [f"{each.kind} {each.about}", *told])))
        return lines

    def _spool(self) -> list[str]:
        return [*self.desk.spool.captures]

    def _opened(self) -> list[str]:
        return [f"{len(self.talks.asked)} times"]

    def _numbers(self, directory: str = str(HOME)) -> list[str]:
        return [" ".join(map(str, there(self.desk, Path(directory)).conversations().numbers("s"))) or "none"]


if __name__ == "__main__":
    write_anew(sys.argv[1:], lambda _: DrainShell())
