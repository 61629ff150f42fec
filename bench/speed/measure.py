"""Start, recall, save and memory of the real server over stdio, compared with a bare server in the same run.

Run: `python -m bench.speed.measure [--memories 40000] [--starts 15] [--calls 300]`. Prints a table, and writes it
into `bench/results`. Nothing is asserted. The default of 40,000 memories is the size of the largest project of
`bench.speed.scale` with 100,000 memories.
"""

import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple
from uuid import uuid4

import apsw

from bench.support.client import Client
from bench.support.workload import Language, fill
from bench.tables import Table, command, publish
from lamella.domain.memories.titles import generated_title
from lamella.domain.projects.project import Location
from lamella.domain.search.indexing import all_hidden_forms, context
from lamella_adapters.git.working_tree import GitWorkingTree
from lamella_adapters.sqlite.storage import SqliteStorage

_HERE = Path(__file__).parent
# Without -P, modules beside the script would shadow imported ones.
_BARE = [sys.executable, "-P", str(_HERE / "bare_server.py")]
_LAMELLA = [str(Path(sys.executable).with_name("lamella")), "serve"]


class Figure(NamedTuple):
    """One row of the table: a name, and the measured times."""

    what: str
    measured: str
    baseline: str
    result: str
    bar: str


class Bench:
    """Test bed: a data directory with a large project, and the project's folder."""

    def __init__(self, folder: Path, memories: int, starts: int, calls: int) -> None:
        """Create the project with its memories."""
        self.starts, self.calls = starts, calls
        self.data, self.project, self.memories = folder / "data", folder / "project", memories
        self.project.mkdir()
        subprocess.run(["git", "init", "--quiet", self.project], check=True)
        self.language = Language(seed=11)
        storage = SqliteStorage(self.data)
        location: Location = GitWorkingTree().locate(self.project)
        self.id = storage.registry.at(location, now=datetime.now(UTC)).id
        begun = time.perf_counter()
        fill(storage, self.id, memories)
        storage.close()
        self.built_in = time.perf_counter() - begun

    def bare(self) -> Client:
        """Start the baseline, `bare_server`, and return a client of this server."""
        return Client(_BARE, environment={}, directory=self.project)

    def lamella(self, embedder: str = "none") -> Client:
        """Start the real server, and return a client of this server."""
        environment = {"LAMELLA_DATA_DIR": str(self.data), "LAMELLA_EMBEDDER": embedder}
        return Client(_LAMELLA, environment=environment, directory=self.project)

    def start(self) -> Iterator[Figure]:
        """Measure the time from the start of a process to its first answers, alternating between the servers."""
        bare: list[tuple[float, float, float]] = []
        own: list[tuple[float, float, float]] = []
        for _ in range(self.starts):
            with self.bare() as client:
                bare.append((client.started_in, client.listed_in, client.called_in("empty", text="x")))
            with self.lamella() as client:
                own.append((client.started_in, client.listed_in, client.called_in("recall", query="x")))
        bars = {"answer": "≤ 0.1x", "list of tools": "≤ 0.1x", "call of a tool": "≤ 1.15x"}
        for (name, bar), floor, ours in zip(
            bars.items(), zip(*bare, strict=True), zip(*own, strict=True), strict=True
        ):
            ratio = statistics.median(ours) / statistics.median(floor)
            yield Figure(f"start to first {name}", _ms(ours), _ms(floor), f"{ratio:.2f}x", bar)

    def recall(self, name: str, question: Callable[[], str]) -> Figure:
        """Measure a recall among `memories` memories, and for comparison a call of the empty tool."""
        with self.bare() as bare, self.lamella() as own:
            for _ in range(20):
                own.call("recall", query=question())
            empty, calls = [], []
            for _ in range(self.calls):
                empty.append(bare.call("empty", text="x")[1])
                calls.append(own.call("recall", query=question())[1])
        above = 1000 * (statistics.median(calls) - statistics.median(empty))
        return Figure(
            f"recall {name}, {self.memories:,} memories",
            _ms(calls),
            _ms(empty),
            f"floor {above:+.2f} ms",
            "≤ +3 ms",
        )

    def save(self) -> Figure:
        """Measure a durable save, a bare durable insert and the empty tool, in the same folder."""
        bare_file = apsw.Connection(str(self.data / "bare.db"))
        for pragma in ("journal_mode = WAL", "synchronous = FULL"):
            bare_file.execute(f"PRAGMA {pragma}").fetchall()
        bare_file.execute("CREATE TABLE memory (id TEXT PRIMARY KEY, text TEXT)")
        floor, calls = [], []
        with self.bare() as bare, self.lamella() as own:
            for _ in range(self.calls):
                text = self.language.text(80)
                empty = bare.call("empty", text=text)[1]
                begun = time.perf_counter()
                bare_file.execute("INSERT INTO memory VALUES (?, ?)", (str(uuid4()), text))
                floor.append(empty + time.perf_counter() - begun)
                calls.append(own.call("save_memory", text=text)[1])
        bare_file.close()
        ratio = statistics.median(calls) / statistics.median(floor)
        return Figure("durable save", _ms(calls), _ms(floor), f"{ratio:.2f}x", "≤ 1.5x")

    def memory(self) -> Iterator[Figure]:
        """Measure the memory of the process after 10,000 saves and searches, compared with the bare server's."""
        with self.bare() as bare, self.lamella() as own:
            for _ in range(50):
                bare.call("empty", text="x")
                own.call("recall", query=self.language.five_terms())
            for _ in range(200):
                own.call("save_memory", text=self.language.text(80))
            measured = zip(own.resident_megabytes(), bare.resident_megabytes(), strict=True)
        names = (f"resident memory, {self.memories:,} memories", "the same, what is shared by shares")
        for name, bar, (mine, base) in zip(names, ("≤ 1.3x", ""), measured, strict=True):
            yield Figure(name, f"{mine:.1f} MB", f"{base:.1f} MB", f"{mine / base:.2f}x", bar)

    def analysis(self) -> Figure:
        """Measure preparing a text of 1,000 characters for the index."""
        text = self.language.text(200)[:1_000]
        times = []
        for _ in range(self.calls):
            begun = time.perf_counter()
            title = generated_title(text)
            all_hidden_forms(title, text)
            context([(title, text), (title, text)])
            times.append(time.perf_counter() - begun)
        return Figure("analysis of 1,000 characters", _ms(times), "", _ms(times), "≤ 0.3 ms")


def _ms(seconds: Sequence[float]) -> str:
    return f"{1000 * statistics.median(seconds):.2f} ms"


def main() -> None:
    """Measure everything and print the table."""
    parser = command(__doc__)
    parser.add_argument("--memories", type=int, default=40_000)
    parser.add_argument("--starts", type=int, default=15)
    parser.add_argument("--calls", type=int, default=300)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(Path(folder), options.memories, options.starts, options.calls)
        print(f"{options.memories:,} memories built in {bench.built_in:.1f} s")
        language = bench.language
        figures = [
            *bench.start(),
            bench.recall("of five terms", language.five_terms),
            bench.recall("by an eight-word question", language.eight_words),
            bench.save(),
            *bench.memory(),
            bench.analysis(),
        ]
    table = Table(
        title=f"Start, calls and memory over stdio, {options.memories:,} memories",
        head=["figure", "measured (p50)", "baseline (p50)", "result", "bar"],
        rows=figures,
    )
    publish(options.results / "measure.md", [table])


if __name__ == "__main__":
    main()
