"""Amount of code that an action runs: called functions, entered modules, and calls between modules.

Run: `python -m bench.speed.calls [--memories 1000] [--functions recall]`. Prints a table, and writes it into
`bench/results`. Nothing is asserted. `--functions` also prints how often one action calls each function.

Only functions of lamella's packages count. Comprehensions don't count, and a generator counts once, however often
it is resumed. Each action is done twice, and the second time counts: the first time, modules are imported and
caches are filled.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Mapping
from inspect import CO_GENERATOR
from pathlib import Path
from types import FrameType
from typing import cast

from attrs import define, field

import lamella
import lamella_adapters
from bench.support.workload import Language, fill
from bench.tables import Table, command, publish
from lamella.container import Lamella, running
from lamella.domain.call import Call
from lamella.settings import Settings
from lamella_adapters.mcp.toolsets.registry import chosen
from lamella_adapters.mcp.toolsets.tool import Tool, ToolCall
from lamella_adapters.sqlite.storage import SqliteStorage

_PACKAGES = tuple(f"{Path(each).parent}{os.sep}" for each in (lamella.__file__, lamella_adapters.__file__))
_HOOK = (sys.executable, "-m", "lamella_adapters.hooks.hook")
_SESSION = "6f1d3f0e-0000-4000-8000-000000000001"
_EDIT = {
    "oldStart": 1,
    "oldLines": 2,
    "newStart": 1,
    "newLines": 2,
    "lines": [" def pay(order):", "-    return retry(order, times=3)", "+    return order"],
}


@define
class Way:
    """Function calls of one action.

    Attributes:
        calls: Number of calls by module and qualified name.
        changes: Number of calls into a different module from the previous call's.
    """

    calls: Counter[tuple[str, str]] = field(factory=Counter)
    changes: int = 0
    _module: str = ""
    _generators: set[FrameType] = field(factory=set)

    @classmethod
    def of(cls, act: Callable[[], object]) -> "Way":
        """Trace `act`."""
        way = cls()
        sys.setprofile(way._note)
        try:
            act()
        finally:
            sys.setprofile(None)
        return way

    @property
    def modules(self) -> set[str]:
        """Files with at least one called function."""
        return {module for module, _ in self.calls}

    def _note(self, frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event != "call" or not code.co_filename.startswith(_PACKAGES):
            return
        if code.co_name.startswith("<") and code.co_name != "<lambda>":
            return
        if code.co_flags & CO_GENERATOR:
            if frame in self._generators:
                return
            self._generators.add(frame)
        self.calls[code.co_filename, code.co_qualname] += 1
        self.changes += code.co_filename != self._module
        self._module = code.co_filename


@define
class Desk:
    """Test bed: a project with memories, and a client that calls tools and hooks."""

    lamella: Lamella
    project: Path
    data: Path
    tools: Mapping[str, Tool] = field(factory=lambda: chosen("unified"))
    _edits: int = 0

    def tool(self, name: str, **arguments: object) -> object:
        """Call a tool as the server does, and return its reply."""
        tool = self.tools[name]
        call = Call(directory=self.project, session=_SESSION)
        return tool.answer(ToolCall(self.lamella, call, tool.structure(arguments), tool.registered))

    def captured(self) -> None:
        """Capture an edit of a new file as a hook does."""
        self._edits += 1
        path = self.project / f"pay{self._edits}.py"
        told = {
            "session_id": _SESSION,
            "cwd": str(self.project),
            "hook_event_name": "PostToolUse",
            "tool_name": "Edit",
            "tool_input": {"file_path": str(path)},
            "tool_response": {"structuredPatch": [_EDIT]},
        }
        environment = {**os.environ, "LAMELLA_DATA_DIR": str(self.data)}
        subprocess.run(_HOOK, input=json.dumps(told), text=True, env=environment, check=True)

    def drained(self) -> None:
        """Store the captures of hooks."""
        accounts = [*self.lamella.drain()]
        if not (accounts and sum(accounts[-1].edits.values())):
            raise SystemExit(f"no edit was stored: {accounts}")


def ways(folder: Path, memories: int) -> Mapping[str, Way]:
    """Trace each action in a new project with a number of memories. Return the results by name of the action."""
    project, data = folder / "project", folder / "data"
    subprocess.run(["git", "init", "--quiet", project], check=True)
    with running(Settings(data_directory=data, embedder="none")) as opened:
        desk, language = Desk(opened, project, data), Language(seed=11)
        desk.tool("save_memory", text="The first memory makes the project.")
        fill(cast("SqliteStorage", opened.storage), opened.projects.find(Call(directory=project)).id, memories)
        questions = [language.eight_words() for _ in range(20)]
        for question in questions:
            desk.tool("recall", query=question)
        desk.tool("save_memory", text=language.text(40))
        desk.captured()
        desk.drained()
        desk.captured()
        query, text = questions[0], language.text(40)
        return {
            "recall": Way.of(lambda: desk.tool("recall", query=query)),
            "recall, 1 hit": Way.of(lambda: desk.tool("recall", query=query, limit=1)),
            "save": Way.of(lambda: desk.tool("save_memory", text=text)),
            "drained edit": Way.of(desk.drained),
        }


def main() -> None:
    """Trace each action, and print the table."""
    parser = command(__doc__)
    parser.add_argument("--memories", type=int, default=1_000)
    parser.add_argument("--functions", default="")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        traced = ways(Path(folder), options.memories)
    for (module, function), count in traced[options.functions].calls.most_common() if options.functions else ():
        print(f"{count:5}  {Path(module).stem}.{function}")
    rows = [
        [name, f"{way.calls.total():,}", str(len(way.modules)), str(way.changes)] for name, way in traced.items()
    ]
    table = Table(
        title=f"Functions on the way of a call, SQLite with {options.memories:,} memories",
        head=["way", "calls", "modules", "changes of module"],
        rows=rows,
    )
    publish(options.results / "calls.md", [table])


if __name__ == "__main__":
    main()
