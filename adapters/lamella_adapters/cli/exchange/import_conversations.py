"""The commands that take over past conversations."""

from pathlib import Path

import click
from click.exceptions import Exit

from lamella.application.conversations.import_transcripts import Imported
from lamella.domain.text.printing import printed_line
from lamella_adapters.cli.output import echo, progress_bar, say
from lamella_adapters.cli.runtime import opened


@click.command("claude-code", short_help="Import conversations with Claude Code.")
@click.argument("path", required=False, type=click.Path(exists=True, path_type=Path))
@click.option("--dry-run", is_flag=True, help="Only count what would be imported.")
def claude_code(path: Path | None, *, dry_run: bool) -> None:
    """Import this project's conversations with Claude Code, or all that PATH (a transcript or a folder) holds.

    Reads only what is new since the last time. Secrets, and what stands in <private>...</private>, are left out.
    """
    with opened() as (lamella, call):
        with progress_bar("Importing", of_bytes=True) as shown:
            for account in lamella.import_transcripts(call, path, dry_run=dry_run):
                shown(f"{account.messages} messages", account.read, account.size)
        # Who adds much at once has no quiet second to wait for.
        while lamella.storage.tidy():
            pass
    for reason in account.unreadable:
        say(reason)
    if account.unreadable and len(account.unreadable) == account.sources and not account.messages:
        raise Exit(1)
    for line in _report(account, "Would import" if dry_run else "Imported"):
        echo(line)


def _report(account: Imported, done: str) -> list[str]:
    unplaced = (
        f"Passed over: {account.unplaced} transcript(s) that don't say where they were recorded."
        " To import one, give its path."
    )
    passed_over = [unplaced] if account.unplaced else []
    if not account.sources:
        return [
            "No transcripts found. Give the file or folder they are in, or run this where they were recorded.",
            *passed_over,
        ]
    read = account.sources - len(account.unreadable)
    lines = [f"{done} {account.messages} message(s) from {read} transcript(s)."]
    if account.redacted:
        lines.append(f"Redacted: {account.redacted} secret(s).")
    if account.titles:
        lines.append(f"Summaries that name a conversation: {account.titles}.")
    if account.skipped:
        reasons = (f"{count} {printed_line(reason)}" for reason, count in sorted(account.skipped.items()))
        lines.append(f"Skipped: {', '.join(reasons)}.")
    if account.waiting:
        lines.append(f"Still being written: {account.waiting}. Import again for the rest.")
    return [*lines, *passed_over]
