"""Comparison of lamella with other memory programs over stdio: start, save, search, memory, tokens, found facts.

    python -m bench.peers [--server-memory COMMAND] [--basic-memory COMMAND] [--mcp-memory-service COMMAND]
                          [--claude-mem COMMAND] [--memories 72] [--starts 5] [--pause 30]

Each COMMAND starts an installed MCP server. Programs without a COMMAND are left out. For claude-mem, it is `node
FOLDER/plugin/scripts/mcp-server.cjs`, where FOLDER is its package, and bun must be on PATH. Settings of the
programs, such as their model, come from the environment. Prints a table, and writes it into `bench/results`.
"""

import json
import re
import shlex
import statistics
import subprocess
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from attrs import frozen

from bench.peers.programs import PEERS, Program, lamella
from bench.quality.collections.facts import facts
from bench.support.client import Client
from bench.support.timing import LAMELLA
from bench.tables import Table, command, publish
from lamella.domain.memories.titles import generated_title
from lamella_adapters.embedders.minilm.fetch import fetch
from lamella_adapters.tokenizers.character_classes import ClassTokenizer

_MODEL = Path(__file__).parents[2] / "build" / "model"
_FIRST = 3
"""Number of first results; a fact among them counts as found."""

_LISTED = ("name", "description", "inputSchema")
"""Parts of a tool that clients show to their model."""


@frozen
class Running:
    """A program to measure, the command that starts it, and a folder for its data."""

    program: Program
    command: Sequence[str]
    folder: Path

    def started(self) -> Client:
        """Start the program."""
        return self.program.client(
            self.command, environment=self.program.settings(self.folder), directory=self.folder
        )

    def used(self, memories: int, pause: float) -> Sequence[str]:
        """Save facts, ask questions about them, and return the measured figures."""
        collection = facts()
        saves, searches, replies, ids, found = [], [], [], {}, 0
        tool, argument = self.program.search
        with self.started() as client:
            for memory in collection.memories[:memories]:
                saving, arguments = self.program.save(generated_title(memory.text), memory.text)
                said, seconds = client.call(saving, **arguments)
                (ids[memory.key],) = re.findall(self.program.saved, said)
                saves.append(seconds)
            # From the first question on, programs load models and compute vectors in the background.
            client.call(tool, **{argument: collection.questions[0].text})
            time.sleep(pause)
            for question in collection.questions[:memories]:
                said, seconds = client.call(tool, **{argument: question.text})
                first = re.findall(self.program.result, said, re.MULTILINE)[:_FIRST]
                found += any(ids.get(key) in first for key in question.relevant)
                searches.append(seconds)
                replies.append(_tokens(said))
            resident, _ = client.resident_megabytes()
            tools = [{part: each[part] for part in _LISTED} for each in client.request("tools/list", {})["tools"]]
        return [
            f"{1000 * statistics.median(saves):,.1f}",
            f"{1000 * statistics.median(searches):,.1f}",
            f"{resident:,.0f}",
            f"{_tokens(json.dumps(tools, ensure_ascii=False)):,}",
            f"{statistics.median(replies):,.0f}",
            f"{found}/{len(searches)}",
        ]


def _tokens(text: str) -> int:
    return ClassTokenizer().count(text)


def _version(command: Sequence[str]) -> str:
    """Return the version of a program, from its npm package or from itself."""
    for folder in Path(command[-1]).resolve().parents:
        if (package := folder / "package.json").exists():
            return str(json.loads(package.read_text("utf-8"))["version"])
    done = subprocess.run([command[0], "--version"], capture_output=True, text=True, check=True)
    return done.stdout.split()[-1]


def main() -> None:
    """Measure lamella, and each program with a command."""
    parser = command(__doc__)
    parser.add_argument("--memories", type=int, default=72)
    parser.add_argument("--starts", type=int, default=5)
    parser.add_argument("--pause", type=float, default=30, help="seconds between saves and questions")
    for name in PEERS:
        parser.add_argument(f"--{name}", type=shlex.split, metavar="COMMAND", help=f"starts {name}")
    options = parser.parse_args()
    serve = [LAMELLA, "serve"]
    chosen = {
        "lamella, words alone": (lamella("none"), serve),
        "lamella with its model": (lamella(f"onnx:{fetch(_MODEL)}"), serve),
        **{
            f"{name} {_version(given)}": (program, given)
            for name, program in PEERS.items()
            if (given := vars(options)[name.replace("-", "_")])
        },
    }
    with tempfile.TemporaryDirectory() as folder:
        running = {}
        for number, (name, (program, given)) in enumerate(chosen.items()):
            running[name] = Running(program, given, Path(folder, f"{number}"))
            running[name].folder.mkdir()
        figures = {name: each.used(options.memories, options.pause) for name, each in running.items()}
        listed: dict[str, list[float]] = {name: [] for name in running}
        for _ in range(options.starts):
            for name, each in running.items():
                with each.started() as client:
                    listed[name].append(client.listed_in)
    table = Table(
        title=f"{options.memories} facts saved, and asked for in other words",
        head=[f"{datetime.now(UTC):%Y-%m-%d}", "start s", "save ms", "search ms", "MB", "tools", "reply", "found"],
        rows=[[name, f"{statistics.median(listed[name]):.2f}", *figures[name]] for name in running],
    )
    publish(options.results / "peers.md", [table])


if __name__ == "__main__":
    main()
