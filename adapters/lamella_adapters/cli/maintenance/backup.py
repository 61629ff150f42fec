"""The commands that back up memories and restore them."""

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import click

from lamella.application.maintenance.backup import Counted
from lamella.container import Lamella
from lamella.domain.errors import AdvisedError, StorageError
from lamella.domain.text.printing import counted, printed_line, shortened
from lamella.ports.storage.backups import Archived, Copy, Difference, Held, Preview, Restored
from lamella.ports.storage.storage import Capability
from lamella_adapters.cli.options import ANY_PATH, options
from lamella_adapters.cli.output import BEGINS_ANEW, echo, minute, print_rows, printed_size, progress_bar
from lamella_adapters.cli.runtime import from_here, opened

_OUT_OF_REACH = "An erase cannot reach that file: erased memories stay in it. Delete it if it must not keep them."
_NO_COPIES = "No copies yet. To make some: lamella backup"
_TITLE_CHARACTERS = 60


@click.command(short_help="Back up all projects.")
@click.argument("file", required=False, type=ANY_PATH)
def backup(file: str | None) -> None:
    """Back up every project. Other programs can use the memory meanwhile.

    Without FILE, copy each changed project into the memory folder. With FILE, write all projects into a single new
    file, to keep elsewhere. Each backup is verified. `restore-backup` restores it.
    """
    with opened() as (lamella, _):
        _require_backups(lamella)
        if file is not None:
            path = _new_file(Path(from_here(file)))
            with progress_bar("Backing up", again=BEGINS_ANEW):
                written = lamella.storage.backups.write(path)
            echo("\n".join(_written(path, written)))
            return
        done = []
        with progress_bar("Backing up") as shown:
            for project_copy in lamella.back_up():
                done.append(project_copy)
                shown(f"Backing up, {counted(len(done), 'project')} done", 0, 0)
    made = [each for _, each in done if each is not None]
    for each in made:
        echo(f"{printed_line(each.name)}: {_held(each.held)}, {printed_size(each.copy.size)}\n  {each.copy.place}")
    unchanged = len(done) - len(made)
    echo(
        f"Copied and verified {counted(len(made), 'project')}"
        + (f"; unchanged since the latest copy: {unchanged}." if unchanged else ".")
    )


def _require_backups(lamella: Lamella) -> None:
    """Raise an error if the storage is a database server, which has its own backups."""
    if Capability.BACKUP not in lamella.storage.capabilities:
        raise StorageError(
            reason="lamella can't back up this storage.",
            advice="Use the storage's own tools. To see which: lamella doctor",
        )


def _new_file(path: Path) -> Path:
    """Return a path after checking that a file can be created there.

    Raises:
        AdvisedError: The path is for stdout, the file exists already, or its folder doesn't exist.
    """
    if path.name == "-":
        raise AdvisedError(reason="A backup can't go to stdout.", advice="Name a new file.")
    if os.path.lexists(path):
        raise AdvisedError(reason=f"{path} exists.", advice="Back up into a new file.")
    if not path.parent.is_dir():
        raise AdvisedError(reason=f"{path.parent} is not a folder.", advice="Create it, or choose another file.")
    return path


@click.command("restore-backup", short_help="List backups, or restore one.")
@click.argument("file", required=False, type=ANY_PATH)
@options("restore-backup")
def restore_backup(file: str | None, yes: bool) -> None:
    """Replace the present memories by a backup. Without FILE, list the copies in the memory folder.

    FILE is a file written by `lamella backup FILE`, or the name of a copy. The backup is verified, and all
    differences are shown first. The present state is kept as a copy. Running servers continue with the restored
    state.
    """
    with opened(drain=file is not None) as (lamella, _):
        _require_backups(lamella)
        copies = lamella.back_up.copies()
        if file is None:
            print_rows(((_cells(each), _entry(each)) for each in copies), empty=_NO_COPIES)
            return
        with lamella.storage.backups.opened(_chosen(file, copies)) as found:
            echo("\n".join(line for each in found.previews for line in _previewed(each)))
            if not yes and not _asked(len(found.previews)):
                raise click.Abort
            restored = found.restore()
        aliases = {each.id: each.aliases for each in lamella.storage.registry.all()}
    echo("\n".join(line for each in restored for line in _restored(each, aliases.get(each.project, ()))))


def _chosen(file: str, copies: Sequence[Counted]) -> Path | Copy:
    """Return the copy named `file`, or else the path `file`.

    Raises:
        click.UsageError: Neither exists.
    """
    for each in copies:
        if each.copy.name == file:
            return each.copy
    path = Path(from_here(file))
    if not path.is_file():
        raise click.UsageError(
            f"There is no backup {printed_line(file)!r}. To list backups: lamella restore-backup"
        )
    return path


def _asked(projects: int) -> bool:
    if not sys.stdin.isatty():
        raise AdvisedError(reason="Not a terminal.", advice="To restore without confirmation, pass --yes.")
    return click.confirm(f"Restore {counted(projects, 'project')}?", err=True)


def _written(path: Path, written: Sequence[Archived]) -> Iterator[str]:
    for each in written:
        yield f"{printed_line(each.name)}: {_held(each.held)}"
    size = printed_size(path.stat().st_size)
    yield f"Wrote and verified {counted(len(written), 'project')}, {size}: {printed_line(str(path))}"
    yield _OUT_OF_REACH


def _previewed(each: Preview) -> Iterator[str]:
    now = "nothing" if each.now is None else f"{counted(each.now, 'memory')}"
    yield f"{printed_line(each.name)}: {now} now, {each.then:,} in the backup"
    for verb, found in (("be gone", each.gone), ("come back", each.back)):
        if found.count:
            yield f"  {found.count:,} would {verb}: {_titles(found)}"


def _titles(found: Difference) -> str:
    titles = ", ".join(shortened(printed_line(title), _TITLE_CHARACTERS) for title in found.titles)
    return titles + (", …" if found.count > len(found.titles) else "")


def _restored(each: Restored, aliases: Sequence[str]) -> Iterator[str]:
    yield f"Restored {printed_line(each.name)}: {counted(each.memories, 'memory')}, purged ones included."
    if each.aside is not None:
        yield f"  The previous state is kept: {printed_line(each.aside)}"
    places = [place for kind, _, place in (alias.partition(":") for alias in aliases) if kind in ("git", "dir")]
    if places and not any(map(os.path.lexists, places)):
        yield f"  Its folder is missing. In its present folder, run: lamella project merge {each.project} ."


def _cells(each: Counted) -> Sequence[str]:
    copy, held = each.copy, each.held or Held()
    counts = (str(held.memories), str(held.messages))
    return (copy.name, each.name, minute(copy.at), copy.label.value, str(copy.size), *counts)


def _entry(each: Counted) -> str:
    copy = each.copy
    made = minute(copy.at)
    name = click.style(copy.name, fg="cyan")
    size = printed_size(copy.size)
    return f"{name}\n  {printed_line(each.name)}, {copy.label.value}, {made}, {_held(each.held)}, {size}"


def _held(held: Held | None) -> str:
    if held is None:
        return "can't be read"
    messages = f", {counted(held.messages, 'message')}" if held.messages else ""
    return f"{counted(held.memories, 'memory')}{messages}"
