"""Taking over memories of another program is killed; `sessions/peers.txt` has the rest of it."""

from pathlib import Path

from tests.end_to_end.support.command_line import CommandLine
from tests.unit.adapters.peers.databases import mcp_memory_rows
from tests.unit.adapters.peers.making import database
from tests.waiting import until


def test_an_import_that_was_killed_is_finished_by_the_next(lamella: CommandLine, tmp_path: Path) -> None:
    row = mcp_memory_rows()[0]
    rows = [row | {"content_hash": str(n), "content": f"Row {n} of pears."} for n in range(3_000)]
    path = database(tmp_path / "sqlite_vec.db", {"memories": rows})
    arguments = ("import", "mcp-memory-service", str(path), "--project", ".")
    with lamella.started(*arguments) as process:
        until(lambda: sum(each.stat().st_size for each in (lamella.data / "projects").glob("*.db*")) > 500_000)
        process.kill()
    assert lamella.run("doctor").code == 0
    done = lamella.run(*arguments).out.splitlines()
    new = int(done[0].removeprefix("Imported ").partition(" ")[0].replace(",", ""))
    known = [
        int(line.removeprefix("Here already: ").split()[0].replace(",", ""))
        for line in done
        if line.startswith("Here")
    ]
    assert new + sum(known) == 3_000
    assert sum(known) % 500 == 0
    assert lamella.run(*arguments).out.splitlines()[1:] == ["Here already: 3,000 memories."]
