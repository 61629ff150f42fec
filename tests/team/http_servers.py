"""Servers over HTTP behind HAProxy, which are restarted one by one while callers ask without pause."""

import os
import subprocess
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPException
from itertools import count
from pathlib import Path
from random import Random
from threading import Event, Thread

from attrs import define, field

from tests.end_to_end.support.http_server import Caller
from tests.end_to_end.support.tools import SERVE
from tests.faults.fault import Injections
from tests.team.cluster import Cluster, running_cluster
from tests.team.machines import LOGS
from tests.team.oracle import Survived, check
from tests.team.sessions import RECALL_EVERY
from tests.waiting import until
from tests.words_only import WORDS_ONLY

FRONT, PORTS = 8080, (8081, 8082, 8083)

CALLERS = 4

CALLS_OF_A_RESTART = 3_400
"""Least number of calls of all callers between two restarts: more than 10,000 while each server restarts once."""

_BALANCER = f"""
defaults
  mode http
  timeout connect 2s
  timeout client 30s
  timeout server 30s
  timeout check 2s
listen memory
  bind 127.0.0.1:{FRONT}
  option httpchk
  http-check send meth GET uri /readyz ver HTTP/1.1 hdr Host 127.0.0.1:{FRONT}
  http-check expect status 200
  default-server inter 500ms fall 1 rise 1
""" + "".join(f"  server lamella{port} 127.0.0.1:{port} check\n" for port in PORTS)
"""Settings of HAProxy: requests go to servers that say that they are ready."""


@contextmanager
def _running(name: str, command: list[str], **environment: str) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program until the block ends, unless it has ended before."""
    with (LOGS / f"{name}.log").open("ab") as file:
        process = subprocess.Popen(command, stdout=file, stderr=file, env={**os.environ, **environment})
    try:
        yield process
    finally:
        process.kill()
        process.wait()


@define(eq=False)
class _Server:
    """A server, whose present process may be replaced."""

    folder: Path
    storage: str
    port: int
    _stack: ExitStack = field(factory=ExitStack)
    _process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it, and wait until it is ready."""
        own = {"LAMELLA_DATA_DIR": str(self.folder), "LAMELLA_STORAGE": self.storage, **WORDS_ONLY}
        options = ["--http", "--port", str(self.port), "--url", f"http://127.0.0.1:{FRONT}/mcp", "--rate", "10000"]
        command = [*map(str, SERVE), *options]
        self._process = self._stack.enter_context(_running(f"http-{self.port}", command, **own))
        until(lambda: Caller(self.port).ask("GET", "/readyz").status == 200)

    def end(self) -> None:
        """End it as an operator does: it answers until the balancer has seen that it is to end."""
        assert self._process is not None
        self._process.terminate()
        assert self._process.wait() == 0

    def close(self) -> None:
        """Kill it, if it runs."""
        self._stack.close()


@define(eq=False)
class _Asking:
    """A thread that saves and recalls without pause, and expects an answer to each first attempt."""

    name: str
    calls: int = 0
    saved: list[str] = field(factory=list)
    longest: float = 0
    failure: str = ""
    _ended: Event = field(factory=Event)
    _thread: Thread = field(init=False)

    def __attrs_post_init__(self) -> None:
        self._thread = Thread(target=self._ask, daemon=True)
        self._thread.start()

    def _ask(self) -> None:
        caller = Caller(FRONT, {"lamella-project": "app"})
        for number in count():
            if self._ended.is_set():
                return
            text, began = f"zebra {number} of {self.name}", time.monotonic()
            if not self._answered(caller, "save_memory", text=text):
                return
            self.longest = max(self.longest, time.monotonic() - began)
            self.saved.append(text)
            if len(self.saved) % RECALL_EVERY == 0 and not self._answered(caller, "recall", query=str(number)):
                return

    def _answered(self, caller: Caller, tool: str, **arguments: str) -> bool:
        """Return True if a call was answered. Note why if it failed."""
        self.calls += 1
        try:
            answer = caller.call(tool, **arguments)
        except (OSError, HTTPException) as error:
            self.failure = f"{tool} {arguments}: {error!r}"
            return False
        if answer.status != 200 or answer.failed:
            self.failure = f"{tool} {arguments}: {answer}"
            return False
        return True

    def end(self) -> None:
        """End the thread after its present call."""
        self._ended.set()
        self._thread.join()


def rolling(folder: Path, _: Random) -> Injections:
    """Restart servers one by one: no request fails."""
    cluster = running_cluster()
    cluster.heal()
    settings = folder / "haproxy.cfg"
    settings.write_text(_BALANCER, encoding="utf-8")
    with ExitStack() as stack:
        servers = [_Server(folder / str(port), cluster.ways["PgBouncer"], port) for port in PORTS]
        for server in servers:
            stack.callback(server.close)
            server.start()
        stack.enter_context(_running("http-haproxy", ["haproxy", "-db", "-f", str(settings)]))
        until(lambda: Caller(FRONT).ask("GET", "/healthz").status == 200)
        asking = [_Asking(f"{folder.name} {number}") for number in range(CALLERS)]
        for each in asking:
            stack.callback(each.end)
        while True:
            yield _unnoticed(cluster, servers, asking)


def _unnoticed(cluster: Cluster, servers: list[_Server], asking: list[_Asking]) -> Survived:
    """Restart each server. No request fails."""

    def done() -> int:
        failures = [each.failure for each in asking if each.failure]
        assert not failures, failures
        return sum(each.calls for each in asking)

    def acknowledged() -> int:
        return sum(len(each.saved) for each in asking)

    before, saved_before = done(), acknowledged()
    for server in servers:
        wanted = done() + CALLS_OF_A_RESTART
        server.end()
        server.start()
        until(lambda wanted=wanted: done() >= wanted)  # type: ignore[misc]
    check(cluster, [text for each in asking for text in tuple(each.saved)])
    longest = max(each.longest for each in asking)
    outages = (("PgBouncer", longest),)
    return Survived(done() - before, acknowledged() - saved_before, 0, outages, "no call failed")
