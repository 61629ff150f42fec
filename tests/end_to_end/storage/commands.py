"""Work of a process of its own, for the tests to starve, stop and kill.

Usage: python -m tests.end_to_end.storage.commands COMMAND FOLDER [ARGUMENT ...]; what it prints are lines of JSON.
"""

import os
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from uuid import uuid4

from lamella.domain.errors import StorageError
from lamella_adapters.sqlite.schema import migrations
from tests.end_to_end.storage.migrations.older_analysis import found
from tests.end_to_end.storage.worker import NOBODY, Memory, faults, say, upgrade
from tests.patience import be_patient


def outcome(call: Callable[[], object]) -> object:
    """Return the result of a call, or the type and reason of its error."""
    try:
        return call()
    except StorageError as error:
        return [type(error).__name__, error.reason]


def save(folder: Path, tag: str, count: str, then: str = "end") -> None:
    """Save memories, or save endlessly, and print each one; then end, or stay with open files."""
    wait_for_others()
    with Memory(folder) as memory:
        for number in range(int(count) or sys.maxsize):
            observation = memory.save(f"memory {tag} {number}", session=tag)
            say([observation.id.hex, observation.content])
        if then == "stay":
            wait_for_others()


def wait_for_others() -> None:
    """Print that the process is ready, and wait for the signal to begin."""
    say("ready")
    sys.stdin.readline()


def hold(folder: Path, statement: str) -> None:
    """Hold a transaction open until told to continue."""
    with Memory(folder) as memory:
        file = memory.storage.registry.file_of(memory.id).database
        with file.writing() if statement == "write" else file.reading() as connection:
            connection.execute("SELECT count(*) FROM observation").fetchall()
            wait_for_others()


def as_nobody(folder: Path, analysis: str = "") -> None:
    """Recall and save as a user without privileges, and again whenever told to.

    With any `analysis` it is a program with a new one.
    """
    if analysis:
        migrations.PROJECT = (*migrations.PROJECT, migrations.ANALYSE_ANEW)
    if os.geteuid() == 0:
        os.setgid(NOBODY)
        os.setuid(NOBODY)
    with Memory(folder) as memory:
        for content in ("while read-only", "still read-only", "writable again"):
            say(outcome(lambda: memory.find("zebra")))
            say(outcome(lambda content=content: memory.save(content).content))  # type: ignore[misc]
            sys.stdin.readline()
        say(memory.find("writable"))


def repair(folder: Path) -> None:
    """Repair all faults."""
    with Memory(folder) as memory:
        for finding in faults(memory):
            memory.storage.diagnosis.repair(finding)


def masked(folder: Path, mask: str) -> None:
    """Saves and migrates under a umask, and stays open."""
    os.umask(int(mask, 8))
    with Memory(folder) as memory:
        memory.save("zebra")
    upgrade()
    with Memory(folder) as memory:
        memory.save("horse")
        wait_for_others()


def migrate(folder: Path) -> None:
    """Open a project made by an older version, and save into it."""
    upgrade()
    wait_for_others()
    with Memory(folder) as memory:
        content = f"upgraded {uuid4().hex}"
        say(outcome(lambda: [memory.save(content).id.hex, content]))


def maintain(folder: Path) -> None:
    """Recall, and maintain indexes until nothing is left or another process does it."""
    wait_for_others()
    with Memory(folder) as memory:
        say(found(memory, "zebra"))
        while memory.storage.maintain():
            pass


def main(arguments: Sequence[str]) -> None:
    be_patient()
    commands = (save, hold, as_nobody, repair, masked, migrate, maintain)
    command = {each.__name__: each for each in commands}[arguments[0]]
    command(Path(arguments[1]), *arguments[2:])


if __name__ == "__main__":
    main(sys.argv[1:])
