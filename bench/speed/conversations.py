"""Speed of importing past conversations, finding a message and zooming into it, with the real command and server.

Run: `python -m bench.speed.conversations [--messages 100000] [--calls 300] [--imports 15]`. Prints a table, and
writes it into `bench/results`. Nothing is asserted.
"""

import json
import statistics
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from bench.support.client import Client
from bench.support.timing import LAMELLA, Ran, percentile, ran
from bench.support.workload import Language, fill, memories
from bench.tables import Table, command, publish
from lamella.domain.conversations.message import Role
from lamella_adapters.git.working_tree import GitWorkingTree
from lamella_adapters.sqlite.storage import SqliteStorage

_SEED, _SESSION, _MINUTES = 7, 500, 4
"""Seed of the texts, number of messages in each session, and minutes between two messages."""

_OTHERS, _OTHER_BYTES = 2, 9_000
"""A record without a message, of this size, follows every second message. These are nine tenths of the bytes."""

_BEGINNING = datetime(2026, 1, 1, tzinfo=UTC)
_LIMIT = 5

_ROLES = (Role.HUMAN, Role.THOUGHT, Role.TOOL, Role.TOOL_RESULT, Role.ASSISTANT)
"""Roles of successive messages, repeated."""


class Desk:
    """Test bed: a project, transcripts of its conversations, and an empty data directory."""

    def __init__(self, folder: Path, messages: int) -> None:
        """Write transcripts with a number of messages."""
        self.data, self.project, self.home = folder / "data", folder / "project", folder / "home"
        self.transcripts = self.home / "projects" / "-project"
        for each in (self.project, self.transcripts):
            each.mkdir(parents=True)
        self.environment = {"LAMELLA_DATA_DIR": str(self.data), "CLAUDE_CONFIG_DIR": str(self.home)}
        self.messages = messages
        self.searched = sum(_role(number).searched for number in range(messages))
        searched = memories(Language(_SEED), self.searched)
        tools = Language(seed=5)
        for numbers in (range(first, min(first + _SESSION, messages)) for first in range(0, messages, _SESSION)):
            with self.transcript(numbers.start // _SESSION).open("w", encoding="utf-8") as file:
                for number in numbers:
                    text = next(searched).draft.content if _role(number).searched else tools.text(120)
                    file.write(self.line(number, text))
                    if number % _OTHERS == 0:
                        file.write(self._other(number))

    @property
    def megabytes(self) -> float:
        """Size of the transcripts in megabytes."""
        return sum(each.stat().st_size for each in self.transcripts.iterdir()) / 1e6

    def transcript(self, session: int) -> Path:
        """Return the path of a session's transcript."""
        return self.transcripts / f"session-{session}.jsonl"

    def line(self, number: int, text: str) -> str:
        """Return a message in Claude Code's format."""
        kind, part = _part(_role(number), text, number)
        record = {
            "type": kind,
            "uuid": f"message-{number}",
            "parentUuid": _before(number),
            "sessionId": f"session-{number // _SESSION}",
            "timestamp": (_BEGINNING + timedelta(minutes=_MINUTES * number)).isoformat(),
            "cwd": str(self.project),
            "message": {"role": kind, "content": [part]},
        }
        return json.dumps(record) + "\n"

    def _other(self, number: int) -> str:
        """Return a record that contains no message, to write after a message."""
        record = {
            "type": "attachment",
            "uuid": f"attachment-{number}",
            "parentUuid": f"message-{number}",
            "sessionId": f"session-{number // _SESSION}",
            "content": "x" * _OTHER_BYTES,
        }
        return json.dumps(record) + "\n"

    def save(self) -> None:
        """Save memories that have the same texts as the searched messages."""
        with closing(SqliteStorage(self.data)) as storage:
            project = storage.registry.at(GitWorkingTree().locate(self.project), now=datetime.now(UTC))
            fill(storage, project.id, self.searched, _SEED)

    def run(self, *arguments: str | Path) -> Ran:
        """Run a command of `lamella`, and wait until it ends."""
        return ran(*arguments, folder=self.project, environment=self.environment)

    def server(self) -> Client:
        """Start a server with both toolsets for recalls."""
        command = [LAMELLA, "serve", "--toolset", "unified,conversation"]
        environment = {**self.environment, "LAMELLA_EMBEDDER": "none"}
        return Client(command, environment=environment, directory=self.project)


def _role(number: int) -> Role:
    return _ROLES[number % len(_ROLES)]


def _before(number: int) -> str:
    """Return the id of the transcript record before a message."""
    return f"{'message' if (number - 1) % _OTHERS else 'attachment'}-{number - 1}"


def _part(role: Role, text: str, number: int) -> tuple[str, dict[str, Any]]:
    """Return the role of a message's record, and the part of the record with the text."""
    match role:
        case Role.THOUGHT:
            return "assistant", {"type": "thinking", "thinking": text}
        case Role.TOOL:
            return "assistant", {"type": "tool_use", "id": f"{number}", "name": "Bash", "input": {"command": text}}
        case Role.TOOL_RESULT:
            return "user", {"type": "tool_result", "tool_use_id": f"{number - 1}", "content": text}
    return "user" if role is Role.HUMAN else "assistant", {"type": "text", "text": text}


def _imports(desk: Desk, imports: int) -> Iterator[Sequence[str]]:
    """Measure an import of all messages, then imports of one new message each."""
    everything = desk.run("import", "claude-code")
    yield [
        f"import of {desk.messages:,} messages ({desk.megabytes:.0f} MB)",
        f"{everything.cpu:.1f} / {everything.wall:.1f} s, {everything.megabytes:.0f} MB",
        "",
        "≤ 60 s, ≤ 300 MB",
    ]
    language, last = Language(seed=17), desk.transcript((desk.messages - 1) // _SESSION)
    known = desk.home / "known"
    known.mkdir()
    (known / "session-known.jsonl").write_text(desk.line(0, "Nothing new."), "utf-8")
    desk.run("import", "claude-code", known)
    started: list[Ran] = []
    nothing: list[Ran] = []
    one: list[Ran] = []
    among_all: list[Ran] = []
    number = desk.messages
    for _ in range(imports):
        started.append(desk.run("project", "list"))
        nothing.append(desk.run("import", "claude-code", known))
        for place, runs in ((last, one), (desk.transcripts.parent, among_all)):
            with last.open("a", encoding="utf-8") as file:
                file.write(desk.line(number, language.text(60)))
            number += 1
            runs.append(desk.run("import", "claude-code", place))
    for what, runs in (("of its transcript", one), ("of all transcripts", among_all)):
        for base, floor in (("`project list`", started), ("an import of nothing new", nothing)):
            cpu, wall = (1000 * (mine - bare) for mine, bare in zip(_medians(runs), _medians(floor), strict=True))
            yield [
                f"import {what} with one message more, beyond {base}",
                _both(runs),
                _both(floor),
                f"{cpu:+.0f} / {wall:+.0f} ms, ≤ +50 ms",
            ]


def _recalls(desk: Desk, server: Client, calls: int) -> Iterator[Sequence[str]]:
    """Measure recalls of messages, and of as many memories with the same texts."""
    language = Language(seed=11)
    questions: dict[str, Callable[[], str]] = {
        "by an eight-word question": language.eight_words,
        "of five terms": language.five_terms,
    }
    for name, question in questions.items():
        messages: list[float] = []
        memories: list[float] = []
        for asked in [question() for _ in range(calls)]:
            # Measure the second recall, because the first one caches counts of the question's words.
            for _ in range(2):
                memory = server.call("recall", query=asked, limit=_LIMIT)[1]
                message = server.call("conversation_recall", query=asked)[1]
            memories.append(memory)
            messages.append(message)
        for percent in (50, 95):
            mine, theirs = percentile(messages, percent), percentile(memories, percent)
            yield [
                f"conversation recall {name}, {desk.searched:,} of either, p{percent}",
                f"{1000 * mine:.2f} ms",
                f"{1000 * theirs:.2f} ms",
                f"{mine / theirs:.2f}x of unified",
            ]


def _zooms(desk: Desk, server: Client) -> Iterator[Sequence[str]]:
    """Measure zooming into the middle of each session, before and after summaries are cached."""
    middles = range(min(_SESSION, desk.messages) // 2, desk.messages, _SESSION)
    first, again = ([server.call("remember", message_id=number)[1] for number in middles] for _ in range(2))
    yield [f"remember, first in a session of {_SESSION}, against again", _ms(first), _ms(again), ""]


def _both(runs: Sequence[Ran]) -> str:
    return " / ".join(f"{1000 * each:.0f}" for each in _medians(runs)) + " ms"


def _medians(runs: Sequence[Ran]) -> tuple[float, float]:
    return statistics.median(run.cpu for run in runs), statistics.median(run.wall for run in runs)


def _ms(seconds: Sequence[float]) -> str:
    return f"{1000 * statistics.median(seconds):.2f} ms"


def main() -> None:
    """Measure, print and write."""
    parser = command(__doc__)
    parser.add_argument("--messages", type=int, default=100_000)
    parser.add_argument("--calls", type=int, default=300)
    parser.add_argument("--imports", type=int, default=15)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        desk = Desk(Path(folder), options.messages)
        rows = list(_imports(desk, options.imports))
        desk.save()
        with desk.server() as server:
            rows += [*_recalls(desk, server, options.calls), *_zooms(desk, server)]
    table = Table(
        title=f"Conversations of {options.messages:,} messages; of commands CPU / wall",
        head=["figure (p50)", "measured", "baseline", "result, bar"],
        rows=rows,
    )
    publish(options.results / "conversations.md", [table])


if __name__ == "__main__":
    main()
