"""Sessions that save without pause, each with a server process and a data directory, as on many machines."""

import os
import re
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import count, pairwise
from pathlib import Path
from threading import Event, Thread

from attrs import define, field

from tests.end_to_end.support.raw_client import RawClient
from tests.end_to_end.support.tools import SERVE, Memory
from tests.waiting import until
from tests.words_only import WORDS_ONLY

PAUSE_SECONDS = 0.03
"""Pause before each call: a session at work is more often quiet than that."""

RECALL_EVERY = 10
"""After so many saves, a session recalls."""

_REFUSED = re.compile(
    r"The database server cannot be reached; nothing was changed\."
    r"|The connection to the database server was lost; the call may or may not have taken effect\."
    r"|The PostgreSQL server is busy; nothing was changed\."
    r"|The call took too long and was stopped; nothing was changed\."
    r"|The PostgreSQL server accepts no writes at the moment\."
    r"|No host of the PostgreSQL server accepts changes: only standbys answer\."
    r"|The PostgreSQL server's disk is full; nothing was changed\."
)
"""Beginnings of what a refusal may say."""

_ROOT = Path(__file__).parents[2]


def newer(migrations: int) -> Sequence[str]:
    """Return the command of a version that has so many migrations more."""
    return (sys.executable, "-m", "tests.team.newer", str(migrations), "serve")


def clone(folder: Path) -> None:
    """Make a clone of the team's repository, which is the same project wherever it is."""
    folder.mkdir(parents=True)
    author = {f"GIT_{who}_{what}": "team" for who in ("AUTHOR", "COMMITTER") for what in ("NAME", "EMAIL")}
    dates = {f"GIT_{who}_DATE": "2024-05-06T07:08:09Z" for who in ("AUTHOR", "COMMITTER")}
    for words in (
        ("init", "-q", "-b", "main"),
        ("commit", "-q", "--allow-empty", "-m", "Begin"),
        ("remote", "add", "origin", "https://git.example/team/app.git"),
    ):
        subprocess.run(["git", *words], cwd=folder, check=True, env={**os.environ, **author, **dates})


def server(folder: Path, storage: str, command: Sequence[str | Path] = SERVE) -> RawClient:
    """Start a server on the machine whose files are in `folder`."""
    data = {"LAMELLA_DATA_DIR": str(folder / "data"), "LAMELLA_STORAGE": storage}
    own = {"PATH": "/usr/bin:/bin", "HOME": str(folder), "PYTHONPATH": str(_ROOT)}
    return RawClient(command, env={**own, **WORDS_ONLY, **data}, cwd=folder / "app")


@define(eq=False)
class Session:
    """A thread that saves texts one after the other, and repeats a save until it is acknowledged.

    Attributes:
        name: Name that is part of every text.
        way: Way that its connections take.
        storage: URL of that.
        folder: Files of its machine.
        command: The command of its server.
        acknowledged: When each text was acknowledged, by the monotonic clock.
        refusals: Number of refused calls by what was said.
        calls: Number of calls.
        failure: What ended the thread.
    """

    name: str
    way: str
    storage: str
    folder: Path
    command: Sequence[str | Path] = field(factory=lambda: SERVE)
    acknowledged: dict[str, float] = field(factory=dict)
    refusals: Counter[str] = field(factory=Counter)
    calls: int = 0
    failure: BaseException | None = None
    client: RawClient = field(init=False)
    _killed: bool = False
    _changing: Event = field(factory=Event)
    _ended: Event = field(factory=Event)
    _thread: Thread = field(init=False)

    def __attrs_post_init__(self) -> None:
        clone(self.folder / "app")
        self.client = server(self.folder, self.storage, self.command)
        self._thread = Thread(target=self._work, daemon=True)
        self._thread.start()

    def _work(self) -> None:
        texts = (f"zebra {number} of {self.name}" for number in count())
        text = next(texts)
        try:
            while not self._ended.is_set():
                with self.client:
                    memory = Memory(self.client, self.folder / "app")
                    try:
                        while not (self._changing.is_set() or self._ended.is_set()):
                            if self._saved(memory, text):
                                text = next(texts)
                        self.client.stdin.close()
                        self.client.exit_code()
                    except (AssertionError, BrokenPipeError):
                        # Its server was killed, and it repeats the same call with another one.
                        if not self._killed:
                            raise
                if not self._ended.is_set():
                    self._killed = False
                    self._changing.clear()
                    self.client = server(self.folder, self.storage, self.command)
        except BaseException as error:  # noqa: BLE001 - raised by `check` in the thread that waits
            self.failure = error

    def _saved(self, memory: Memory, text: str) -> bool:
        """Save a text, and now and then recall. Return True if the save was acknowledged."""
        if not self._answered(memory, "save_memory", use=text, text=text):
            return False
        self.acknowledged[text] = time.monotonic()
        if len(self.acknowledged) % RECALL_EVERY == 0:
            self._answered(memory, "recall", query=text)
        return True

    def _answered(self, memory: Memory, tool: str, **arguments: str) -> bool:
        """Return True if a call was answered, False if it was refused."""
        time.sleep(PAUSE_SECONDS)
        self.calls += 1
        failed, (reply, *_) = memory.answered(tool, **arguments)
        if failed:
            assert _REFUSED.match(reply), reply
            self.refusals[reply] += 1
        return not failed

    def kill(self) -> None:
        """Kill the server, whatever it is doing. The session goes on with another one."""
        client = self.client
        self._killed = True
        client.process.kill()
        until(lambda: self.client is not client or self.failure)

    def restart(self, command: Sequence[str | Path] | None = None) -> None:
        """End the server after its present call. The session goes on with another one, or a newer one."""
        client, self.command = self.client, command or self.command
        self._changing.set()
        until(lambda: self.client is not client or self.failure)

    def freeze(self) -> None:
        """Stop the server where it is."""
        self.client.process.send_signal(signal.SIGSTOP)

    def thaw(self) -> None:
        """Let the server go on."""
        self.client.process.send_signal(signal.SIGCONT)

    def reached(self, number: int) -> None:
        """Wait until so many saves have been acknowledged since the beginning."""
        until(lambda: len(self.acknowledged) >= number or self.failure)
        self.check()

    def outage(self, since: float) -> float:
        """Return the longest time without an acknowledged save that ended after `since`, in seconds."""
        times = tuple(self.acknowledged.values())
        return max(after - before for before, after in pairwise(times) if after > since)

    def check(self) -> None:
        """Raise what has ended the thread."""
        if self.failure is not None:
            raise AssertionError(f"{self.name}: {self.failure}; {self.client.errors[-2000:]}") from self.failure

    def end(self) -> None:
        """End the thread after its present call."""
        self._ended.set()
        self._thread.join()


def saved(running: Sequence[Session], number: int) -> None:
    """Wait until each session has saved so often from now on."""
    wanted = [len(session.acknowledged) + number for session in running]
    for session, least in zip(running, wanted, strict=True):
        session.reached(least)


@contextmanager
def sessions(folder: Path, ways: Mapping[str, str], each: int = 2) -> Iterator[list[Session]]:
    """Start sessions on each way, whose first saves are acknowledged."""
    started = [
        Session(f"{folder.name} {way} {number}", way, storage, folder / way / str(number))
        for way, storage in ways.items()
        for number in range(each)
    ]
    try:
        saved(started, 3)
        yield started
    finally:
        for session in started:
            session.thaw()
            session.end()
