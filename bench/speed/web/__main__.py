"""Pages of `lamella web` for a large project: time to generate each page, and its size.

Run: `python -m bench.speed.web [--rows 100000] [--asked 40] [--starts 5]`. Prints tables, and writes them into
`bench/results`. Pages are requested inside this process, without a network. Searches alternate with recalls of the
same questions. Nothing is asserted.
"""

import asyncio
import gc
import http.client
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

from attrs import frozen
from starlette.concurrency import run_in_threadpool

from bench.speed.web.project import populate
from bench.support.timing import Times, in_turns, percentile
from bench.support.workload import Language
from bench.tables import Table, command, publish
from lamella.application.memories.save import SaveRequest
from lamella.application.search.recall import RecallRequest
from lamella.container import Lamella, running
from lamella.domain.call import USER, Call
from lamella.domain.memories.query import ByText
from lamella.settings import Settings
from lamella_adapters.process.settings import caller_from
from lamella_adapters.web.app import guarded
from lamella_adapters.web.guards.gate import Gate
from lamella_adapters.web.live import Live
from lamella_adapters.web.pages.search import PAGE

_PORT = 1
_ROUNDS = 3
"""Number of times that each page is requested. Its best time counts, as on an idle machine."""


@frozen
class Browser:
    """Client that requests pages in this process, and counts their bytes."""

    gate: Gate

    def get(self, target: str) -> bytes:
        """Return the body of a page."""
        path, _, query = target.partition("?")
        body, status = bytearray(), []
        headers = {"host": f"127.0.0.1:{_PORT}", "cookie": f"{self.gate.cookie_name}={self.gate.cookie}"}
        scope = {
            "type": "http",
            "http_version": "1.1",
            "method": "GET",
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "root_path": "",
            "query_string": query.encode(),
            "headers": [(name.encode(), value.encode()) for name, value in headers.items()],
        }

        asked = iter([{"type": "http.request", "body": b"", "more_body": False}])

        async def receive() -> dict[str, object]:
            # Event streams last until the browser disconnects.
            return next(asked, None) or await asyncio.get_running_loop().create_future()

        async def send(message: dict[str, object]) -> None:
            if message["type"] == "http.response.start":
                status.append(message["status"])
            body.extend(message.get("body", b""))  # type: ignore[arg-type]

        _LOOP.run_until_complete(self.gate(scope, receive, send))  # type: ignore[arg-type]
        assert status == [200], (target, status)
        return bytes(body)

    def settled(self, target: str) -> None:
        """Request a page until nothing is computed for it in the background."""
        while b"being compared" in self.get(target):
            time.sleep(1)

    def links(self, target: str, begin: str) -> list[str]:
        """Return the links of a page that begin with the prefix `begin`."""
        found = re.findall(rf'href="({begin}\?[^"]*)"', self.get(target).decode())
        return [each.replace("&amp;", "&") for each in dict.fromkeys(found)]


_LOOP = asyncio.new_event_loop()


def pages(browser: Browser, asked: int, rows: int) -> dict[str, list[str]]:
    """Return `asked` URLs of each kind of page, in a project of `rows` memories."""
    memories = [link for number in (1, 2, 3) for link in browser.links(f"/search?page={number}", "/memory")]
    edits = [link for number in (1, 2) for link in browser.links(f"/search?kind=change&page={number}", "/memory")]
    talks = browser.links("/conversations", "/conversation")
    changed = [link for number in range(1, 6) for link in browser.links(f"/log?page={number}", "/memory")]
    return {
        "home": ["/"] * asked,
        "latest memories": [f"/search?page={1 + number % 5}" for number in range(asked)],
        "filtered": [f"/search?kind=change&path=src/module_{number}.py" for number in range(asked)],
        "memory": [memories[number % len(memories)] for number in range(asked)],
        "change with its lines": [edits[number % len(edits)] for number in range(asked)],
        "timeline": [f"/timeline?until={datetime.now(UTC) - timedelta(days=n):%Y-%m-%d}" for n in range(asked)],
        "year": ["/year"] * asked,
        "files": ["/files"] * asked,
        "file": [f"/file?path=src/module_{number}.py" for number in range(asked)],
        "conversations": ["/conversations"] * asked,
        "conversation": [f"{talks[number % len(talks)]}&page={1 + number % 20}" for number in range(asked)],
        "message": [f"/message?number={rows // 500 * (1 + number)}" for number in range(asked)],
        "what the model was shown": ["/shown?days=90", "/shown"] * (asked // 2),
        "what a session was shown": [f"/shown?session=session-{number % 5}" for number in range(asked)],
        "review": ["/review"] * asked,
        "log": [f"/log?page={1 + number % 5}" for number in range(asked)],
        "changes of a memory": [link.replace("/memory?id", "/log?memory") for link in changed[:asked]],
        "undo, preview": [f"/undo?number={2 + number}" for number in range(asked)],
        "projects": ["/projects"] * asked,
        "import": ["/import"] * asked,
        "export": ["/export"] * asked,
        "backups": ["/backups"] * asked,
    }


def measured(browser: Browser, asked: int, rows: int) -> Table:
    """Return the duration and the size of each kind of page."""
    measurements = []
    for name, targets in pages(browser, asked, rows).items():
        browser.settled(targets[0])
        sizes: list[int] = []
        calls = {name: [partial(_sized, browser, target, sizes) for target in targets]}
        rounds = [in_turns(calls)[name] for _ in range(_ROUNDS)]
        times = rounds[0]
        best = [min(each) for each in zip(*(each.cpu for each in rounds), strict=True)]
        measurements.append(
            (
                name,
                f"{times.p50:.1f}",
                f"{percentile(times.cpu, 95):.1f}",
                f"{percentile(best, 95):.1f}",
                f"{statistics.median(times.wall):.1f}",
                f"{percentile(times.wall, 95):.1f}",
                f"{max(sizes) / 1_000:.1f}",
            )
        )
    head = ("page", "CPU p50 ms", "CPU p95 ms", f"CPU p95 ms, best of {_ROUNDS}", "p50 ms", "p95 ms", "largest kB")
    return Table(title="Pages", head=head, rows=measurements)


def reviewed(browser: Browser, lamella: Lamella, call: Call, number: int) -> Table:
    """Return the durations of reviews right after a save, and of the comparison of all notes that follows."""
    language, times, compared = Language(13), list[Times](), list[float]()
    for _ in range(number):
        lamella.save(call, SaveRequest(text=language.text(20)))
        times.append(in_turns({"review": [partial(browser.get, "/review")]})["review"])
        begun = time.process_time()
        browser.settled("/review")
        compared.append(time.process_time() - begun)
    cpu, wall = ([getattr(each, name)[0] for each in times] for name in ("cpu", "wall"))
    row = tuple(
        f"{value:.1f}" for each in (cpu, wall) for value in (statistics.median(each), percentile(each, 95))
    )
    head = ("CPU p50 ms", "CPU p95 ms", "p50 ms", "p95 ms", "CPU of the comparison in the background, p50 s")
    return Table(title="Review after a save", head=head, rows=[(*row, f"{statistics.median(compared):.2f}")])


def moved(browser: Browser) -> Table:
    """Return the durations of actions that read all memories: exports, and the preview of a backup."""
    (preview,) = browser.links("/backups", "/backups/preview")
    targets = {
        "export, JSON Lines": "/export/file?conversations=yes",
        "export, Markdown": "/export/file?conversations=yes&format=markdown",
        "preview of a backup": preview,
    }
    rows = []
    for name, target in targets.items():
        begun = time.perf_counter()
        size = len(browser.get(target))
        rows.append((name, f"{time.perf_counter() - begun:.1f}", f"{size / 1e6:.1f}"))
    return Table(title="What reads everything", head=("what", "s", "MB"), rows=rows)


def searched(browser: Browser, lamella: Lamella, call: Call, number: int) -> Table:
    """Return the durations of searches, and of recalls of the same questions."""
    language, rows = Language(11), []
    for name, question in (("five rare words", language.five_terms), ("eight common words", language.eight_words)):
        asked = [question() for _ in range(number)]
        calls: dict[str, Sequence[Callable[[], object]]] = {
            "search": [partial(browser.get, f"/search?q={each.replace(' ', '+')}") for each in asked],
            "recall": [
                partial(_in_thread, lamella, call, RecallRequest(selector=ByText(each), limit=PAGE + 1))
                for each in asked
            ],
        }
        in_turns({name: each[:5] for name, each in calls.items()})  # load modules and fill caches
        times = in_turns(calls)
        page, recall = times["search"], times["recall"]
        rows.append(
            (
                name,
                *(f"{percentile(each, 95):.1f}" for each in (page.cpu, page.wall, recall.cpu, recall.wall)),
                f"{page.p50 / recall.p50:.2f}",
            )
        )
    head = (
        "question",
        "page CPU p95 ms",
        "page p95 ms",
        "recall CPU p95 ms",
        "recall p95 ms",
        "page/recall (CPU p50)",
    )
    return Table(title="Search", head=head, rows=rows)


def _in_thread(lamella: Lamella, call: Call, request: RecallRequest) -> None:
    """Recall in a worker thread, as servers do."""
    _LOOP.run_until_complete(run_in_threadpool(lamella.recall, call, request))


def started(data: Path, folder: Path, starts: int) -> Table:
    """Measure the time from starting `lamella web` until its first page has been received."""
    wall, cpu = [], []
    for _ in range(starts):
        begun = time.perf_counter()
        process = subprocess.Popen(
            [Path(sys.executable).with_name("lamella"), "web", "--no-open"],
            cwd=folder,
            env={**os.environ, "LAMELLA_DATA_DIR": str(data), "LAMELLA_EMBEDDER": "none"},
            stdout=subprocess.PIPE,
            text=True,
        )
        assert process.stdout is not None
        found = re.search(r":(\d+)(/enter\S+)", process.stdout.readline())
        assert found is not None
        with closing(http.client.HTTPConnection("127.0.0.1", int(found[1]))) as connection:
            connection.request("GET", found[2])
            answer = connection.getresponse()
            answer.read()
            connection.request("GET", "/", headers={"Cookie": answer.headers["Set-Cookie"].partition(";")[0]})
            assert connection.getresponse().read()
        wall.append(time.perf_counter() - begun)
        process.terminate()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        cpu.append(used.ru_utime + used.ru_stime)
    row = (f"{statistics.median(cpu):.2f}", f"{statistics.median(wall):.2f}", f"{min(wall):.2f}")
    return Table(title="From the start to the first page", head=("CPU s", "median s", "best s"), rows=[row])


def _sized(browser: Browser, target: str, sizes: list[int]) -> None:
    sizes.append(len(browser.get(target)))


def main() -> None:
    """Measure, print and write."""
    parser = command(__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--asked", type=int, default=40, help="requests of each kind")
    parser.add_argument("--starts", type=int, default=5)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="web") as name:
        data, folder = Path(name) / "data", Path(name) / "project"
        (folder / ".git").mkdir(parents=True)
        populate(data, folder, options.rows)
        tables = [started(data, folder, options.starts)]
        with running(Settings(data_directory=data, embedder="none")) as lamella:
            caller = caller_from({"LAMELLA_DATA_DIR": str(data)}, folder, actor=USER)
            browser = Browser(guarded(lamella, caller, _PORT, data, Live()))
            gc.freeze()  # as the server does
            tables += [
                measured(browser, options.asked, options.rows),
                reviewed(browser, lamella, caller.call(), options.asked),
                searched(browser, lamella, caller.call(), options.asked),
                moved(browser),
            ]
    publish(options.results / "web.md", tables, f"{options.rows:,} memories in one project")


if __name__ == "__main__":
    main()
