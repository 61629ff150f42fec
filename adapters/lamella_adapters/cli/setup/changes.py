"""Changes that connect a client with lamella, or disconnect it."""

import json
import shlex
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from attrs import evolve, frozen

from lamella_adapters.cli.setup import claude_code, diffs, files, plan, programs
from lamella_adapters.cli.setup.client import GATED, Client
from lamella_adapters.cli.setup.entries import (
    NAME,
    ConfigEntry,
    Format,
    UnfitFileError,
    ours_in,
    scalars_in,
    words_of,
)
from lamella_adapters.cli.setup.machine import UserMachine

_PLUGIN = "__LAMELLA_HOOK__"
"""Placeholder in a plugin for the shell line of hooks, as a string of JavaScript."""


@frozen(kw_only=True)
class Remark:
    """Remark to the user about a client.

    Attributes:
        text: A sentence without its full stop.
        command: Command to run, following the sentence.
        trouble: True if a requested change is impossible.
    """

    text: str
    command: str = ""
    trouble: bool = False


@frozen(kw_only=True)
class FileChange:
    """New content for a file.

    Attributes:
        name: Name of the file for display.
        found: The file as read.
        content: New content of the file; None to delete it.
        own: Values in the file that lamella has written.
        former: Content of the file before lamella's first change, if a copy of it exists.
        keep: True to keep a copy of its present content.
    """

    name: str
    found: files.FileSnapshot
    content: bytes | None
    own: Collection[str] = ()
    former: files.FileSnapshot | None = None
    keep: bool = False

    def lines(self) -> Iterator[str]:
        """Yield the change as lines of text."""
        before, after = ((each or b"").decode() for each in (self.found.content, self.content))
        yield from diffs.difference(self.name, before, after, self.own)

    def make(self) -> str:
        """Make the change, and return a description of the change.

        Raises:
            UnfitFileError: The file can't be written, or has changed since it was read.
        """
        files.replace(self.found, self.content, keep=self.keep)
        done = f"{'deleted' if self.content is None else 'wrote'} {self.name}"
        if self.former is None and not self.keep:
            return done
        if self.former and self.former.content == self.content:
            files.replace(self.former, None)
            return f"{done} as it was before"
        which = "its version from before the first setup" if self.former else "what it said before"
        return f"{done}; {which} is in {self.found.backup.name}"


@frozen(kw_only=True)
class ProgramChange:
    """Commands of a client's own program that change the client's configuration, and a text about their effect."""

    machine: UserMachine
    commands: Sequence[Sequence[str]]
    done: str

    def lines(self) -> Iterator[str]:
        """Yield the commands as lines of text."""
        yield from (f"$ {shlex.join(each)}" for each in self.commands)

    def make(self) -> str:
        """Run the commands. Return their effect.

        Raises:
            UnfitFileError: A command fails.
        """
        for each in self.commands:
            programs.run(self.machine, each)
        return self.done


@frozen(kw_only=True)
class Setup:
    """Setup of the clients on a machine.

    Attributes:
        machine: The machine.
        command: Command line that starts the server.
        hook: Makes the shell line of a hook from the names of client and event.
        plugins: Source code of plugins, keyed by client.
        folders: File with a list of the folders created for clients.
    """

    machine: UserMachine
    command: Sequence[str]
    hook: Callable[[str, str], str]
    plugins: Mapping[str, str]
    folders: Path

    def changes(self, client: Client, *, remove: bool = False) -> Iterator[FileChange | ProgramChange | Remark]:
        """Yield the changes for a client, and remarks about them.

        If a file can't be changed, connect nothing: hooks and instructions are useless without the server.
        """
        found = [*self._each(client, remove=remove)]
        remarks = [each for each in found if isinstance(each, Remark)]
        if remove or not any(each.trouble for each in remarks):
            yield from found
            return
        yield from remarks
        if len(found) > len(remarks):
            yield Remark(text="nothing was written for this client, because its files only work together")

    def _each(self, client: Client, *, remove: bool) -> Iterator[FileChange | ProgramChange | Remark]:
        if client.servers is None:
            yield from self._of_claude_code(client, remove=remove)
            return
        if why := "" if remove else programs.outdated(client, self.machine):
            yield Remark(text=why, command=client.update)
        for path, (format_, entries) in self.configurations(client).items():
            servers = [each for each in entries if each.path == client.servers.path]
            try:
                yield from self._change(path, format_, entries, servers, remove=remove)
            except UnfitFileError as error:
                yield Remark(text=f"left alone {self.machine.shown(path)}: {error}", trouble=True)
        if (client.script or client.name) in self.plugins:
            yield from self._of_plugin(client, remove=remove)

    def configurations(self, client: Client) -> Mapping[Path, tuple[Format, Sequence[ConfigEntry]]]:
        """Return the format and the entries of each configuration file that setup edits for a client."""
        return client.configurations(self.machine, self.command, self.hook)

    def _change(
        self,
        path: Path,
        format_: Format,
        entries: Sequence[ConfigEntry],
        servers: Sequence[ConfigEntry],
        *,
        remove: bool,
    ) -> Iterator[FileChange | Remark]:
        found, name = files.read(path), self.machine.shown(path)
        text, copy = found.text, files.read(found.backup)
        data, former = format_.parsed(text or ""), plan.parsed_if_sound(copy.text, format_)
        held = [value for _, value in ours_in(data, servers)]
        if remove:
            replaced = [value for _, value in ours_in(former, servers)]
            may_go = [each not in replaced and (copy.text is not None or self._writes(each)) for each in held]
            stays = not all(may_go)
        else:
            stays = any(self.machine.program(program_of(each)) for each in held)
        wanted = [each for each in entries if not stays or each not in servers]
        own = {printed for each in entries for printed in scalars_in(each.value)}
        if not remove:
            after = plan.connected(text, format_, wanted)
            hooked = len(list(ours_in(data, entries))) > len(held)
            keep = text is not None and not hooked and not self._wrote(found, copy, format_, servers, held)
            if after != text:
                yield FileChange(name=name, found=found, content=after.encode(), own=own, keep=keep)
            return
        if stays:
            yield Remark(text=f"left alone {NAME} in {name}: not written by lamella setup")
        if text is not None and any(ours_in(data, wanted)):
            rest = plan.disconnected(text, format_, wanted, before=copy.text)
            content = None if rest is None else rest.encode()
            kept = copy if copy.content is not None else None
            yield FileChange(name=name, found=found, content=content, own=own, former=kept)

    def _writes(self, value: Any) -> bool:
        """Return True if an entry starts the server with setup's command, even if the program has moved since."""
        (program, *arguments), (own, *rest) = words_of(value) or ("",), self.command
        moved = Path(program).is_absolute() and Path(program).name == Path(own).name
        return arguments in (rest, [*rest, *GATED]) and (program == own or moved)

    def _wrote(
        self,
        found: files.FileSnapshot,
        copy: files.FileSnapshot,
        format_: Format,
        servers: Sequence[ConfigEntry],
        held: Sequence[Any],
    ) -> bool:
        """Return True if setup itself wrote the server entries `held` into a file.

        Setup wrote the entries if a copy of the former file exists, or if the file has no other content.
        """
        if not held or not all(map(self._writes, held)):
            return False
        made = [evolve(each, value=value) for each, value in zip(servers, held, strict=False)]
        return copy.content is not None or found.text == plan.connected(None, format_, made)

    def _of_plugin(self, client: Client, *, remove: bool) -> Iterator[FileChange | Remark]:
        path = client.home(self.machine) / client.plugin
        name = self.machine.shown(path)
        script = self.plugins[client.script or client.name]
        text = script.replace(_PLUGIN, json.dumps(self.hook(client.name, "")))
        try:
            found = files.read(path)
            if NAME not in (found.text or NAME):
                yield Remark(text=f"left alone {name}: it is another program's", trouble=True)
            elif remove and found.content is not None:
                yield FileChange(name=name, found=found, content=None)
            elif not remove and found.text != text:
                yield FileChange(name=name, found=found, content=text.encode())
        except UnfitFileError as error:
            yield Remark(text=f"left alone {name}: {error}", trouble=True)

    def _of_claude_code(self, client: Client, *, remove: bool) -> Iterator[ProgramChange | Remark]:
        home = client.home(self.machine)
        plugged, served = claude_code.has_plugin(home), claude_code.has_server(home, self.machine)
        if served and not remove:
            text = claude_code.TWICE if plugged else claude_code.TOOLS_ALONE
            yield Remark(text=text, command=claude_code.REMOVE_SERVER, trouble=plugged)
            return
        if served:
            yield Remark(text="its server was added by hand; to remove it", command=claude_code.REMOVE_SERVER)
        if plugged == remove or (plugged and claude_code.lost_folder(home)):
            wanted = claude_code.commands(remove=remove)
            if why := "" if remove else programs.outdated(client, self.machine):
                yield Remark(text=why, command=client.update, trouble=True)
            elif self.machine.program(wanted[0][0]):
                done = f"{'removed' if remove else 'installed'} the plugin"
                yield ProgramChange(machine=self.machine, commands=wanted, done=done)
            else:
                command = " && ".join(map(shlex.join, wanted))
                yield Remark(text="its program is not on PATH; run", command=command, trouble=True)


def program_of(value: Any) -> str:
    """Return the program that a server's entry starts; empty if the entry names no program."""
    return next(iter(words_of(value)), "")
