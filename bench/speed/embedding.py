"""Cost of search by meaning: time of embedding and of a recall, and a server's memory, with and without the model.

Run: `python -m bench.speed.embedding [--memories 1000] [--calls 100]`. Prints a table, and writes it into
`bench/results`. Nothing is asserted. The first run downloads the model from the package index or the hub.
"""

import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median

from bench.speed.measure import Bench
from bench.support.client import Client, processor_seconds
from bench.support.timing import ran
from bench.tables import Table, command, publish
from lamella_adapters.embedders.minilm.fetch import fetch
from lamella_adapters.embedders.onnx import OnnxEmbedder

_MODEL = Path(__file__).parents[2] / "build" / "model"
_WARM = 20
"""Recalls that are not counted."""


def _embedding(model: Path, calls: int, text: Callable[[], str]) -> str:
    """Return the median processor time of embedding a text."""
    embedder = OnnxEmbedder(model)
    times = []
    for _ in range(calls):
        asked = text()
        begun = time.process_time()
        embedder.embed([asked])
        times.append(1000 * (time.process_time() - begun))
    return f"{median(times):.1f} ms"


def _recalls(client: Client, bench: Bench) -> tuple[str, str]:
    """Return the mean processor time of a recall, and the resident memory of the server after it."""
    while "keyword only" in client.call("recall", query=bench.language.eight_words())[0]:
        time.sleep(0.1)
    for _ in range(_WARM):
        client.call("recall", query=bench.language.eight_words())
    begun = processor_seconds(client.process.pid)
    for _ in range(bench.calls):
        client.call("recall", query=bench.language.eight_words())
    each = 1000 * (processor_seconds(client.process.pid) - begun) / bench.calls
    return f"{each:.1f} ms", f"{client.resident_megabytes()[0]:.0f} MB"


def measured(bench: Bench) -> Iterator[tuple[str, str, str]]:
    """Yield the rows of the table: each cost with the model, and for search by words without the model."""
    model = fetch(_MODEL)
    language = bench.language
    yield "embedding a question of eight words", _embedding(model, bench.calls, language.eight_words), ""
    yield (
        "embedding a memory of 300 characters",
        _embedding(model, bench.calls, lambda: language.text(200)[:300]),
        "",
    )
    environment = {"LAMELLA_DATA_DIR": str(bench.data), "LAMELLA_EMBEDDER": f"onnx:{model}"}
    cpu = ran("embed", environment=environment, folder=bench.project).cpu / bench.memories
    yield "`lamella embed`, a memory of 20 to 120 words", f"{1000 * cpu:.0f} ms", ""
    yield "the same for 100,000 memories, calculated", f"{cpu * 100_000 / 60:.0f} minutes", ""
    with bench.lamella(environment["LAMELLA_EMBEDDER"]) as both:
        by_both = _recalls(both, bench)
    with bench.lamella() as words:
        by_words = _recalls(words, bench)
    yield from zip(("recall by eight words", "resident memory of the server"), by_both, by_words, strict=True)


def main() -> None:
    """Measure and print the table."""
    parser = command(__doc__)
    parser.add_argument("--memories", type=int, default=1_000)
    parser.add_argument("--calls", type=int, default=100)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = list(measured(Bench(Path(folder), options.memories, starts=0, calls=options.calls)))
    table = Table(
        title=f"Search by meaning among {options.memories:,} memories, times of one processor",
        head=["cost", "with the model", "by words alone"],
        rows=rows,
    )
    publish(options.results / "embedding.md", [table])


if __name__ == "__main__":
    main()
