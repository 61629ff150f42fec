"""The command that corrects a memory in an editor."""

import os
import shutil
import tempfile
from contextlib import suppress
from pathlib import Path
from shlex import quote, split
from time import monotonic

import click

from lamella.application.memories.save import SaveRequest
from lamella.application.search.request import SearchRequest
from lamella.container import Lamella
from lamella.domain.call import Call
from lamella.domain.errors import AdvisedError, InvalidValueError, LamellaError
from lamella.domain.memories.errors import Candidate, NothingFoundError, NotReplaceableError
from lamella.domain.memories.kind import Kind
from lamella.domain.memories.observation import Observation
from lamella.domain.memories.query import ByIds, Hit
from lamella.domain.text.printing import one_line, printed_line, trimmed
from lamella_adapters.cli.options import options
from lamella_adapters.cli.output import echo, say
from lamella_adapters.cli.runtime import decoded, opened, project_option
from lamella_adapters.process.commands import typed

_EDITOR = "vi"
_INSTANT_SECONDS = 1.0
"""Maximum run time of an editor command that only passes the file on to an open window."""

_KEYWORDS = "keywords:"
"""Start of the line with the keywords, in the text for the editor."""


@click.command(short_help="Correct a memory in your editor.")
@click.argument("id_", metavar="ID")
@options("edit")
def edit(id_: str, project: str | None) -> None:
    """Correct a memory in your editor. Your text replaces it.

    The first line is the title, the second has the keywords, and the text follows. A single line is a text without
    a title. VISUAL or EDITOR sets the editor, which is vi by default.
    """
    editor = _editor()
    named = project_option(project)
    with opened(project) as (lamella, call):
        old = lamella.find_one(call, id_)
        latest, reason = _latest(lamella, call, old)
    if reason:
        command = "restore" if latest.observation.purged else "edit"
        raise AdvisedError(reason=reason, advice=f"To {command} it: lamella {command} {latest.short_id}{named}")
    if old.observation.kind is not Kind.NOTE:
        given = f"the id of a {old.observation.kind}"
        raise InvalidValueError(name="ID", given=given, allowed="the id of a note or a decision")
    before = _written(old.observation)
    with tempfile.NamedTemporaryFile("wb", prefix="lamella-", suffix=".md", delete=False) as created:
        created.write(before.encode())
    file = Path(created.name)
    try:
        began = monotonic()
        click.edit(editor=editor, filename=str(file))
        seconds = monotonic() - began
        fields = _fields(file, before)
        if fields is None:
            report = "The text is empty: nothing was changed."
        else:
            with opened(project) as (lamella, call):
                saved = lamella.edit(call, old, restoring=False, **fields)
            again = f"lamella edit {old.short_id}{named}"
            report = (
                unchanged(editor, seconds, again)
                if saved is None
                else "\n".join(saved.report(by_hand=True, options=named))
            )
    except BaseException as error:
        if file.is_dir() and isinstance(error, Exception):
            reason = f"{editor}: Editing failed: it left a folder in place of the file: {file}"
            raise click.ClickException(reason) from error
        if not file.exists() or (file.is_file() and file.read_bytes() == before.encode()):
            file.unlink(missing_ok=True)
        elif isinstance(error, LamellaError | click.ClickException):
            raise _refusal(error, file, old, project, named) from error
        else:
            say(f"Your text is in {file}.")
        raise
    file.unlink(missing_ok=True)
    echo(report)


def unchanged(editor: str, seconds: float, again: str) -> str:
    """Return the message about an unchanged text. If the editor ended immediately, say how to make it wait.

    Args:
        editor: Command of the editor.
        seconds: Time that the editor ran.
        again: Command for editing the memory again.
    """
    said = "The editor ended without a change: nothing was saved."
    if seconds > _INSTANT_SECONDS:
        return said
    if "--wait" in editor.split():
        return f"{said} If it is still open, it ignores --wait: set VISUAL to an editor that waits."
    return f"{said} If it is still open, make it wait: VISUAL={typed(f'{editor} --wait')} {again}"


def _editor() -> str:
    """Return the command of the user's editor.

    Raises:
        AdvisedError: No editor is set or installed, or the command's quotes don't match.
    """
    name = next((each for each in ("VISUAL", "EDITOR") if os.environ.get(each, "").strip()), "")
    if not (name or shutil.which(_EDITOR)):
        raise AdvisedError(reason="No editor is set.", advice="Set EDITOR, such as: EDITOR=nano lamella edit ID")
    editor = os.environ[name].strip() if name else _EDITOR
    if shutil.which(editor):  # the path of a program may have spaces
        return quote(editor)
    try:
        split(editor)
    except ValueError as error:
        reason = f"{name} can't be parsed: {str(error).lower()}."
        raise AdvisedError(
            reason=reason, advice=f"Set {name} to a valid command, for example: {name}=nano lamella edit ID"
        ) from error
    return editor


def _latest(lamella: Lamella, call: Call, old: Hit) -> tuple[Hit, str]:
    """Return the latest version of a memory, and the reason why `old` can't be edited (empty if it can)."""
    latest = lamella.find_one.latest(call, old)
    if latest.observation.purged:
        return latest, f"The memory {latest.short_id} was purged."
    by = Candidate(id=latest.short_id, title=latest.observation.title)
    return latest, "" if latest is old else f"The memory {old.short_id} was replaced by {by}."


def _written(memory: Observation) -> str:
    """Return the text for the editor."""
    keywords = f"{_KEYWORDS} {memory.keywords}".strip()
    return f"{one_line(memory.title)}\n{keywords}\n\n{trimmed(memory.content)}\n"


def _fields(file: Path, before: str) -> dict[str, str] | None:
    """Return title, text and keywords as edited; None if the user left nothing except parts of the heading.

    Raises:
        InvalidValueError: The text isn't UTF-8, or has NUL characters.
    """
    written = decoded(file.read_bytes()) if file.exists() else ""
    # Some editors add a byte order mark, or change line endings.
    written = written if before.startswith("\ufeff") else written.removeprefix("\ufeff")
    written = written if "\r\n" in before else written.replace("\r\n", "\n")
    title, _, text = written.partition("\n")
    keywords = ""
    if title.startswith(_KEYWORDS) and not text.startswith(_KEYWORDS):
        title, text = "", written
    if text.startswith(_KEYWORDS):
        keywords, _, text = text.removeprefix(_KEYWORDS).partition("\n")
    if not text.strip():
        if set(written.split("\n")) <= set(before.split("\n")[:3]):
            return None
        if written.strip() == title.strip():
            title, text = "", title
    return {"title": title, "text": text, "keywords": keywords}


def _saving(request: SaveRequest | None, file: Path) -> str:
    """Remove title and keywords from the edited file. Return the command that saves the file as a new memory."""
    assert request is not None  # noqa: S101 - only a changed text can be rejected
    file.write_bytes(request.text.encode())
    given = {"title": request.title, "keywords": request.keywords, "source": request.source}
    options = "".join(f" --{name} {typed(value)}" for name, value in given.items() if value)
    return f"lamella save - < {typed(str(file))}{options}{' --everywhere' * request.everywhere}"


def _refusal(
    error: LamellaError | click.ClickException, file: Path, old: Hit, project: str | None, named: str
) -> AdvisedError:
    """Return the error about a refused text. The error names the text's file, and commands to save the text."""
    reason = f"{error.message}." if isinstance(error, click.ClickException) else str(error)
    command = f"VISUAL={typed(f'cp {typed(str(file))}')} lamella edit"
    commands = f"{command} {old.short_id}{named}"
    if isinstance(error, NotReplaceableError):
        with suppress(LamellaError), opened(project) as (lamella, call):
            try:
                latest, reason = _latest(lamella, call, lamella.find_one(call, str(old.observation.id)))
            except NothingFoundError:
                asked = SearchRequest(selector=ByIds((str(old.observation.id),)), all_projects=True)
                moved = next((each.project for each in lamella.search(call, asked).hits if each.project), None)
                if moved is None:
                    reason = f"The memory {old.short_id} was erased."
                    fields = _fields(file, _written(old.observation)) or {}
                    commands = _saving(lamella.edit.request(old, **fields), file) + named
                else:
                    reason = f"The memory {old.short_id} is in another project now: {printed_line(moved.name)}."
                    commands = f"{command} {old.short_id}{project_option(moved.id)}"
            else:
                restored = f"lamella restore {latest.short_id}{named}\n" if latest.observation.purged else ""
                commands = f"{restored}{command} {latest.short_id}{named}"
    return AdvisedError(
        reason=f"{reason}\nYour text is in {file}.", advice=f"To save it, corrected if necessary, run:\n{commands}"
    )
