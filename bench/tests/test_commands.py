"""Each benchmark runs to its end at its smallest size, and writes its results."""

import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest

from tests.end_to_end.git.git_repository import Repository

ROOT = Path(__file__).parents[2]
SMALLEST = {
    "bench.peers": "--memories 1 --starts 1 --pause 0",
    "bench.prose": "--beside attr",
    "bench.quality": "--functions 100 --questions 3 --repository REPOSITORY",
    "bench.quality.ledger": "--files 5 --repository REPOSITORY",
    "bench.quality.prompts": "--functions 20 --questions 3 --repository REPOSITORY",
    "bench.quality.review": "",
    "bench.speed.calls": "--memories 20",
    "bench.speed.conversations": "--messages 10 --calls 1 --imports 1",
    "bench.speed.copies": "--memories 10",
    "bench.speed.embedding": "--memories 10 --calls 2",
    "bench.speed.exchange": "--memories 10",
    "bench.speed.hooks": "--memories 10 20 --runs 1",
    "bench.speed.identifiers": "--memories 100 --calls 2",
    "bench.speed.importers": "--records 20",
    "bench.speed.measure": "--memories 10 --starts 1 --calls 2",
    "bench.speed.nearest": "--rows 500",
    "bench.speed.over_http": "--memories 10 --calls 2",
    "bench.speed.scale": "--rows 100 200 --seconds 0.1",
    "bench.speed.web": "--rows 1000 --asked 2 --starts 1",
    "bench.speed.web.paint": "--rows 1000 --loads 1",
    "bench.speed.year": "--days 2 --lines-days 1 --calls 1",
    "bench.team": "--sizes 20/2 40/2 --one 30 --clients 1 2 --seconds 0.1 --tenants 2 --operations 4",
    "bench.tokens.lines": "--functions 20 --questions 2",
    "bench.tokens.measure": "--bytes 1000",
}


def test_every_bench_of_the_makefile_has_a_smallest_size() -> None:
    started = re.findall(
        r"^\t\$\(BIN\)/python (?:-m )?(bench\S+)", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE
    )

    assert {*started} - {"bench.figures", "bench/tests"} == {*SMALLEST}


@pytest.mark.parametrize("name", SMALLEST)
def test_it_runs_to_its_end_and_writes_its_results(name: str, tmp_path: Path) -> None:
    repository = Repository.made(tmp_path / "repository")
    repository.commit(pay="def pay(order):\n    return retry(order, times=3)\n")
    repository.commit(pay="def pay(order):\n    return order\n")
    sizes = SMALLEST[name].replace("REPOSITORY", str(repository.root))
    results = tmp_path / "results"
    results.mkdir()

    done = subprocess.run(
        [sys.executable, "-m", name, *shlex.split(sizes), "--results", str(results)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )

    assert done.returncode == 0, done.stdout
    (written,) = results.glob("*.md")
    assert re.search(r"^\| ", written.read_text("utf-8"), re.MULTILINE)
