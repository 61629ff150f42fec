"""Two machines that share a database over a network, in network namespaces of their own. Needs root.

Usage: unshare ... python -m tests.end_to_end.postgresql.machines FOLDER, as `test_machines` does it.

The kernel takes everything down with the first process. Each printed line is something that was seen, as JSON.
"""

import json
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from attrs import frozen

from tests.end_to_end.postgresql.server import Server
from tests.end_to_end.storage.worker import say
from tests.end_to_end.support.command_line import LAMELLA
from tests.end_to_end.support.raw_client import RawClient
from tests.unit.adapters.git.git_repository import Repository
from tests.waiting import until
from tests.words_only import WORDS_ONLY

ADDRESS = "10.99.0.{}"
DATABASE = ADDRESS.format(1)
SAVED = "Deploy from the release branch only: the nightly one has no signatures."
LATER = "Invoices are sent on the second working day, after the ledger_close run."


def run(*command: str, directory: Path | None = None) -> None:
    subprocess.run(command, cwd=directory, check=True, capture_output=True)


@frozen
class Machine:
    """A machine with a network, a home and a clone of its own."""

    name: str
    folder: Path
    url: str

    @classmethod
    def joined(cls, name: str, number: int, folder: Path, url: str) -> "Machine":
        """Return a machine connected to the switch."""
        run("ip", "netns", "add", name)
        run("ip", "link", "add", f"to-{name}", "type", "veth", "peer", "name", "eth0", "netns", name)
        run("ip", "link", "set", f"to-{name}", "master", "switch", "up")
        inside = ("ip", "-n", name)
        run(*inside, "addr", "add", f"{ADDRESS.format(number)}/24", "dev", "eth0")
        for link in ("lo", "eth0"):
            run(*inside, "link", "set", link, "up")
        (folder / name / "home").mkdir(parents=True)
        return cls(name, folder / name, url)

    @property
    def clone(self) -> Path:
        return self.folder / "work" / self.name

    @property
    def environment(self) -> dict[str, str]:
        return {
            "HOME": str(self.folder / "home"),
            "LAMELLA_DATA_DIR": str(self.folder / "data"),
            "LAMELLA_STORAGE": self.url,
            "PATH": "/usr/sbin:/usr/bin:/sbin:/bin",
            **WORDS_ONLY,
        }

    def inside(self, *arguments: str) -> Sequence[str]:
        return ("ip", "netns", "exec", self.name, str(LAMELLA), *arguments)

    def serving(self) -> RawClient:
        return RawClient([*self.inside("serve")], env=self.environment, cwd=self.clone)

    def hook(self, event: str, session: str, **more: str) -> str:
        """Run a hook as Claude Code does, and return the context that it gives."""
        told: dict[str, Any] = {
            "session_id": session,
            "cwd": str(self.clone),
            "hook_event_name": event,
            **more,
        }
        done = subprocess.run(
            self.inside("hook"),
            input=json.dumps(told).encode() + b"\n",
            capture_output=True,
            env=self.environment,
            cwd=self.clone,
            check=True,
        )
        return str(json.loads(done.stdout)["hookSpecificOutput"]["additionalContext"]) if done.stdout else ""


def cloned(folder: Path, one: Machine, two: Machine) -> None:
    """Give each machine a clone of one repository, with its own path and form of the URL."""
    origin = Repository.made(folder / "origin")
    origin.commit()
    for machine, remote in ((one, "git@example.org:org/shop.git"), (two, "https://example.org/org/shop")):
        machine.clone.parent.mkdir()
        run("git", "clone", "--quiet", str(origin.root), str(machine.clone))
        run("git", "remote", "set-url", "origin", remote, directory=machine.clone)


def live(folder: Path, database: Server) -> None:
    """Save on one machine, and read on the other."""
    url = database.url(host=DATABASE)
    one, two = (Machine.joined(name, number, folder, url) for number, name in enumerate(("one", "two"), 2))
    cloned(folder, one, two)
    with one.serving() as ours, two.serving() as theirs:
        say({"hook before": two.hook("SessionStart", "a-1", source="startup")})
        saved = ours.text(1, "save_memory", text=SAVED, source="decision")
        say({"saved": saved})
        say({"recalled": theirs.text(1, "recall", query="release branch signatures", detail="full")})
        # The server looks every second.
        say({"hook": until(lambda: two.hook("SessionStart", "a-2", source="startup"))})
        ours.text(2, "save_memory", text=LATER)
        asked = "When does ledger_close run, and when are invoices sent?"
        said = until(lambda: two.hook("UserPromptSubmit", "a-3", prompt=asked))
        say({"prompt": said})
        run("ip", "link", "set", "to-two", "down")
        say({"cut off": two.hook("SessionStart", "a-4", source="startup")})


def main(folder: Path) -> None:
    run("mount", "-t", "tmpfs", "none", "/run")
    run("ip", "link", "set", "lo", "up")
    run("ip", "link", "add", "switch", "type", "bridge")
    run("ip", "addr", "add", f"{DATABASE}/24", "dev", "switch")
    run("ip", "link", "set", "switch", "up")
    database = Server(address=DATABASE)
    try:
        database.let_in(f"{ADDRESS.format(0)}/24")
        live(folder, database)
    finally:
        database.delete()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
