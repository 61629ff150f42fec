"""Sessions whose servers die: by signals, by the end of their input or output, and in the middle of calls.

And one whose server lives for long.
"""

import json
import signal
import time
from collections import Counter
from contextlib import closing, suppress
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import apsw

from tests.end_to_end.support.processes import processes_of
from tests.end_to_end.support.raw_client import ENVELOPE, RawClient, peak_memory
from tests.end_to_end.support.tools import Memory, started
from tests.faults.fault import Injections
from tests.waiting import until

CALLS = 6
WARM_BYTES = 80_000_000
CALLS_OF_A_DAY = 100


def _save(number: int, call: int) -> bytes:
    """Return the line that saves a text of its own, with the client's id of the call."""
    meta = {**ENVELOPE, "claudecode/toolUseId": f"use-{number}-{call}"}
    params = {"name": "save_memory", "arguments": {"text": f"zebra {number} of call {call}"}, "_meta": meta}
    return json.dumps({"jsonrpc": "2.0", "id": call, "method": "tools/call", "params": params}).encode() + b"\n"


def _acknowledged(messages: list[dict[str, Any]]) -> set[int]:
    return {each["id"] for each in messages if not each.get("result", {"isError": True}).get("isError")}


def _end(client: RawClient, noise: Random) -> None:
    """End a server in one of the ways in which sessions end."""
    how = noise.choice(["SIGKILL", "SIGKILL", "SIGTERM", "SIGINT", "SIGHUP", "its input has ended"])
    if how.startswith("SIG"):
        client.process.send_signal(getattr(signal, how))
    else:
        client.stdin.close()


def stored_texts(data: Path) -> Counter[str]:
    """Return how often each text is stored, read past lamella."""
    (path,) = (data / "projects").glob("*.db")
    with closing(apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)) as connection:
        assert connection.execute("PRAGMA integrity_check").get == "ok"
        return Counter(text for (text,) in connection.execute("SELECT content FROM observation"))


def dying(folder: Path, noise: Random) -> Injections:
    """End servers while they save. A client repeats its calls with another server, and each text is there once."""
    with started(folder) as survivor:
        memory = Memory(survivor, folder / "project")
        memory.save("The first of all.")
        for number in count():
            with started(folder) as victim:
                for call in range(CALLS):
                    victim.send_bytes(_save(number, call))
                done = [victim.next_message() for _ in range(noise.randint(1, CALLS))]
                time.sleep(noise.random() / 100)
                _end(victim, noise)
                done += victim.rest()
                victim.process.wait()
                pid = victim.process.pid
            stored = stored_texts(folder / "data")
            acknowledged = _acknowledged(done)
            assert all(stored[f"zebra {number} of call {call}"] for call in acknowledged)
            for call in range(CALLS):
                memory.answered("save_memory", use=f"use-{number}-{call}", text=f"zebra {number} of call {call}")
            stored = stored_texts(folder / "data")
            assert {stored[f"zebra {number} of call {call}"] for call in range(CALLS)} == {1}
            assert not Path(f"/proc/{pid}").exists()
            yield "nothing lost, nothing doubled, no process left"
            if number % 20 == 19:
                _nothing_left(folder, survivor)


def warm(folder: Path, noise: Random) -> Injections:
    """Save and recall again and again in one server: it never takes more than `WARM_BYTES`."""
    with started(folder, fresh=True) as client:
        memory = Memory(client, folder / "project")
        for number in count():
            for call in range(CALLS_OF_A_DAY // 2):
                what = noise.choice(["tax", "rounding", "parser", "queue", "retry"])
                memory.save(f"The {what} of release {number}.{call} changed, because {noise.random()} was wrong.")
                memory.recall(query=f"why did the {what} change", detail=noise.choice(["compact", "full"]))
            taken = peak_memory(client.process.pid)
            assert taken <= WARM_BYTES, taken
            yield f"{CALLS_OF_A_DAY} calls, never more than 80 MB"


def _nothing_left(folder: Path, survivor: RawClient) -> None:
    """Check that servers that ended have left no process and no file, and the one that lives no descriptors."""
    until(lambda: not processes_of(folder))
    names = {path.suffix for path in (folder / "data").rglob("*") if path.is_file()}
    assert names <= {".db", ".db-wal", ".db-shm", ".count", ".json", ""}, names
    with suppress(FileNotFoundError):
        assert len(list(Path(f"/proc/{survivor.process.pid}/fd").iterdir())) < 64
