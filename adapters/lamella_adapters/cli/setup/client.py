"""The clients, from `clients.toml`: the files of their servers and hooks, and the form of their entries."""

import shlex
from collections.abc import Callable, Iterator, Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from attrs import evolve, field, frozen

from lamella_adapters.cli.setup.entries import NAME, ConfigEntry, Format
from lamella_adapters.cli.setup.formats import json_text, marked_block, toml_text
from lamella_adapters.cli.setup.formats.yaml_text import YAML
from lamella_adapters.cli.setup.machine import UserMachine
from lamella_adapters.process.tables import table

Command = Sequence[str]

_ENDS = ("SessionEnd", "sessionEnd")
"""Events that end a session. Their hooks store captures in the background, as the session's server may be gone."""

_TOOLSET = "granular"
GATED = ("--toolset", _TOOLSET)
"""Server arguments for clients that ask the user before each tool call."""

_SECONDS = 5
"""Time limit that the client sets for a hook. The hook's own limit is shorter."""

_HOOK = MappingProxyType({"type": "command", "command": "{line}", "timeout": "{seconds}"})
_GROUPED = MappingProxyType({"matcher": "{tools}", "hooks": [_HOOK]})
"""Hook entry in Claude Code's format."""


@frozen(kw_only=True)
class Servers:
    """A client's list of servers.

    Attributes:
        files: Possible names of the file with the list. The first existing file is edited. If no file exists, the
            last name is used for a new file.
        format: Format of the file.
        path: Keys that lead to the list.
        entry: Template of an entry, with placeholders `{command}`, `{program}` and `{arguments}`.
        listed: True if entries are list elements with a name inside, False if they are values with a key.
    """

    files: Sequence[str]
    format: Format
    path: tuple[str, ...] = field(default=("mcpServers",), converter=tuple)
    entry: Mapping[str, Any] = MappingProxyType({"command": "{program}", "args": "{arguments}"})
    listed: bool = False


@frozen(kw_only=True)
class Hooks:
    """A client's list of hooks.

    Attributes:
        file: Name of the file in the client's folder, or a path that begins with `~`.
        events: Pattern of tool names, keyed by event. The pattern is empty for events without tools.
        path: Keys that lead to the list of an event. `{event}` stands for the event's name.
        entry: Template of an entry, with placeholders `{line}` (shell line), `{tools}` (pattern), and `{seconds}`
            and `{milliseconds}` (time limit). Keys with empty values are omitted.
        bare: Template for events without tools, if it differs from `entry`.
        format: Format of the file.
        limits: Shorter time limits in seconds, keyed by event.
        trust: Steps that the user must take before the hooks run.
    """

    file: str
    events: Mapping[str, str]
    format: Format
    path: tuple[str, ...] = field(default=("hooks", "{event}"), converter=tuple)
    entry: Mapping[str, Any] = _GROUPED
    bare: Mapping[str, Any] | None = None
    limits: Mapping[str, int] = MappingProxyType({})
    trust: str = ""


@frozen(kw_only=True)
class Instructions:
    """A client's file of instructions for the model, with a block for lamella.

    Attributes:
        file: Name of the file.
        format: Format of the file. The format's `empty` is the front matter of a new file.
    """

    file: str
    format: Format


@frozen(kw_only=True, eq=False)
class Client:
    """A program compatible with lamella.

    Attributes:
        name: Name of the client on the command line, and of its module in `hooks/clients`.
        title: Name of the client for display.
        program: Name of the client's executable.
        folder: Folder of the client's configuration files.
        windows: Folder on Windows, if different.
        variable: Environment variable that overrides the folder.
        others: Patterns of files in the client's folder that belong to other programs.
        servers: List of servers of the client; None if a plugin provides the server.
        hooks: List of hooks of the client.
        plugin: Path of the plugin that calls hooks, relative to `folder`.
        script: Name of another client whose plugin this client shares, if any.
        instructions: File of instructions of the client, if the model needs instructions about lamella.
        gates: True if the client asks for permission before each call of a tool without `readOnlyHint`. `recall`
            can't have this hint, because it can also purge. So such clients get a toolset with a tool for each
            verb.
        needs: Oldest version that works with lamella, as three numbers. Empty if every tried version works.
        update: Command to install the newest version.
    """

    name: str
    title: str
    program: str
    folder: str
    windows: str = ""
    variable: str = ""
    others: Sequence[str] = ()
    servers: Servers | None = None
    hooks: Hooks | None = None
    plugin: str = ""
    script: str = ""
    instructions: Instructions | None = None
    gates: bool = False
    needs: str = ""
    update: str = ""

    @property
    def has_hooks(self) -> bool:
        """True if the client can call hooks."""
        return bool(self.hooks or self.plugin or self.servers is None)

    def home(self, machine: UserMachine) -> Path:
        """Return the folder of the client's configuration files."""
        named = self.variable and machine.environment.get(self.variable)
        return machine.path(named or (machine.platform == "win32" and self.windows) or self.folder)

    def installed(self, machine: UserMachine) -> bool:
        """Return True if the client seems to be installed on the machine."""
        if machine.program(self.program) is not None:
            return True
        try:
            held = [each.name for each in self.home(machine).iterdir()]
        except OSError:
            return False
        return not held or not all(any(fnmatchcase(each, other) for other in self.others) for each in held)

    def configurations(
        self, machine: UserMachine, command: Command, hook: Callable[[str, str], str]
    ) -> Mapping[Path, tuple[Format, Sequence[ConfigEntry]]]:
        """Return the format and the entries of each file edited by lamella.

        Args:
            machine: The machine.
            command: Command line that starts the server.
            hook: Makes the shell line of a hook from the names of client and event.
        """
        found: dict[Path, tuple[Format, list[ConfigEntry]]] = {}
        home = self.home(machine)
        if servers := self.servers:
            file = next((each for each in servers.files if (home / each).exists()), servers.files[-1])
            name = None if servers.listed else NAME
            served = [*command, *GATED] if self.gates else [*command]
            server = {"command": served, "program": served[0], "arguments": served[1:]}
            entry = ConfigEntry(path=servers.path, name=name, value=_filled(servers.entry, server))
            found[home / file] = (servers.format, [entry])
        if hooks := self.hooks:
            place = machine.path(hooks.file) if hooks.file.startswith("~") else home / hooks.file
            _, entries = found.setdefault(place, (hooks.format, []))
            drain = f"; (nohup {shlex.quote(command[0])} drain </dev/null >/dev/null 2>&1 &)"
            for event, tools in hooks.events.items():
                naming = f"LAMELLA_TOOLSET={_TOOLSET} " if self.gates else ""
                line = naming + hook(self.name, event) + (drain if event in _ENDS else "")
                seconds = hooks.limits.get(event, _SECONDS)
                about = {"line": line, "tools": tools, "seconds": seconds, "milliseconds": 1_000 * seconds}
                path = tuple(event if each == "{event}" else each for each in hooks.path)
                template = hooks.entry if tools or hooks.bare is None else hooks.bare
                entries.append(ConfigEntry(path=path, value=_filled(template, about)))
        if instructions := self.instructions:
            block = ConfigEntry(path=(), name=NAME, value=marked_block.ADVICE)
            found[home / instructions.file] = (instructions.format, [block])
        return found


def _filled(template: Any, values: Mapping[str, Any]) -> Any:
    """Fill a template's placeholders, and drop keys with empty values."""
    if isinstance(template, Mapping):
        filled = {key: _filled(each, values) for key, each in template.items()}
        return {key: each for key, each in filled.items() if each != ""}
    if isinstance(template, list):
        return [_filled(each, values) for each in template]
    named = template[1:-1] if isinstance(template, str) and template.startswith("{") else None
    return template if named is None else values[named]


_FORMATS = {"json": json_text.JSON, "toml": toml_text.TOML, "yaml": YAML, "block": marked_block.MARKED_BLOCK}
_PARTS = (("servers", Servers, "json"), ("hooks", Hooks, "json"), ("instructions", Instructions, "block"))
"""Parts of a client's table, each with its class and its default format."""


def _clients() -> Iterator[Client]:
    for name, written in table(__file__, "clients").items():
        for key, kind, usual in _PARTS:
            if key in written:
                written[key] = _part(kind, **{"format": usual, **written[key]})
        yield Client(name=name, **written)


def _part(kind: type[Any], *, format: str, empty: str = "", **fields: Any) -> Any:
    known = _FORMATS[format]
    return kind(format=evolve(known, empty=empty or known.empty), **fields)


CLIENTS: Final[Mapping[str, Client]] = MappingProxyType({each.name: each for each in _clients()})
"""The clients, keyed by name."""
