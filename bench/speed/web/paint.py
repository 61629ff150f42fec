"""Time until Chromium paints the home page of `lamella web` for a large project.

Run: `python -m bench.speed.web.paint [--rows 100000] [--loads 20]`. Prints a table, and writes it into
`bench/results`. Each load has a new browser context without a cache. The browser itself measures the paints, from
the start of the navigation. Needs Chromium. Nothing is asserted.
"""

import os
import subprocess
import tempfile
from pathlib import Path

from bench.speed.web.project import populate
from bench.support.timing import LAMELLA, percentile
from bench.tables import Table, command, publish
from tests.end_to_end.support.chromium import chromium

_PAINTS = """[["response", performance.getEntriesByType("navigation")[0].responseEnd],
  ...performance.getEntriesByType("paint").map((each) => [each.name, each.startTime])]"""


def painted(data: Path, folder: Path, loads: int) -> Table:
    """Load the home page `loads` times. Return the times until the response, and until each paint."""
    server = subprocess.Popen(
        [LAMELLA, "web", "--no-open"],
        cwd=folder,
        env={**os.environ, "LAMELLA_DATA_DIR": str(data), "LAMELLA_EMBEDDER": "none"},
        stdout=subprocess.PIPE,
        text=True,
    )
    times: dict[str, list[float]] = {"response": [], "first-paint": [], "first-contentful-paint": []}
    try:
        assert server.stdout is not None
        entrance = next(word for word in server.stdout.readline().split() if "/enter" in word)
        with chromium() as browser:
            first = browser.new_context()
            first.new_page().goto(entrance)
            for _ in range(loads):
                context = browser.new_context(storage_state=first.storage_state())
                page = context.new_page()
                page.goto(entrance.partition("/enter")[0])
                # The number of reviews comes after the paints, and would slow down the next load.
                page.wait_for_selector("#waiting:not([hx-get])")
                for name, at in page.evaluate(_PAINTS):
                    times[name].append(at)
                context.close()
    finally:
        server.terminate()
        server.wait()
    rows = [
        (
            name.replace("-", " "),
            *(f"{each:.0f}" for each in (min(found), percentile(found, 50), percentile(found, 95))),
        )
        for name, found in times.items()
    ]
    return Table(title="First page in Chromium", head=("until", "best ms", "p50 ms", "p95 ms"), rows=rows)


def main() -> None:
    """Measure, print and write."""
    parser = command(__doc__)
    parser.add_argument("--rows", type=int, default=100_000)
    parser.add_argument("--loads", type=int, default=20)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="paint") as name:
        data, folder = Path(name) / "data", Path(name) / "project"
        (folder / ".git").mkdir(parents=True)
        populate(data, folder, options.rows)
        table = painted(data, folder, options.loads)
    publish(options.results / "web-paint.md", [table], f"{options.rows:,} memories in one project")


if __name__ == "__main__":
    main()
