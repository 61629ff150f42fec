"""The command that lists past conversations, and prints one."""

from collections.abc import Iterable, Sequence

import click
from attrs import evolve

from lamella.container import Lamella
from lamella.domain.call import Call
from lamella.domain.conversations.errors import ConversationsNotSharedError
from lamella.domain.conversations.message import Message, Role, Session
from lamella.domain.replies.message_window import SPEAKERS
from lamella.domain.text.printing import counted, printed_line, visible
from lamella_adapters.cli.options import options
from lamella_adapters.cli.output import echo, echo_json, minute, print_rows
from lamella_adapters.cli.runtime import opened

_IMPORT = "Import them with: lamella import claude-code"
_SAID = frozenset({Role.HUMAN, Role.ASSISTANT})


@click.command(short_help="List conversations, or print one.")
@click.argument("session", required=False)
@options("sessions", message={"type": int})
def sessions(
    *, session: str | None, everything: bool, message: int | None, as_json: bool, project: str | None
) -> None:
    """List the conversations of the project, newest first; with SESSION, print one.

    SESSION is an id or a name, or the beginning of one. Piped, the list has tab-separated columns: id, name,
    begin, end, number of messages, client.
    """
    if message is not None and session is not None:
        raise click.UsageError("Give only one of SESSION and --message.")
    with opened(project) as (lamella, call):
        if message is not None:
            echo(lamella.show_message(call, message))
        elif session is not None:
            found = lamella.read_conversation.find(call, session)
            messages = lamella.read_conversation(call, found.id)
            if as_json:
                said = [each for each in messages if everything or each.role in _SAID]
                echo_json({"session": found, "messages": said})
                return
            found = _named(lamella, call, found)
            _print(found, messages, everything=everything)
        else:
            listed = lamella.projects.find(call).conversations().sessions()
            if as_json:
                echo_json(listed)
                return
            advice = _IMPORT if lamella.keeps_conversations else ConversationsNotSharedError()
            named = (_named(lamella, call, each) for each in listed)
            print_rows(((_cells(each), _entry(each)) for each in named), empty=f"No conversations yet. {advice}")


def _named(lamella: Lamella, call: Call, each: Session) -> Session:
    return evolve(each, name=lamella.overview.named(call, each.id, each.name, each.started_at))


def _cells(each: Session) -> Sequence[str]:
    began, ended = (minute(time) for time in (each.started_at, each.ended_at))
    client = printed_line(each.client or "")
    return printed_line(each.id), printed_line(each.name), began, ended, f"{each.messages}", client


def _entry(each: Session) -> str:
    id, name, began, ended, messages, client = _cells(each)
    until = ended[11:] if ended[:10] == began[:10] else ended
    parts = (click.style(id, fg="cyan"), f"{began} to {until}", counted(int(messages), "message"), client)
    return f"{'  '.join(filter(None, parts))}\n  {name}"


def _print(session: Session, messages: Iterable[Message], *, everything: bool) -> None:
    echo(_entry(session))
    left_out = 0
    for each in messages:
        if not everything and each.role not in _SAID:
            left_out += 1
            continue
        speaker = click.style(SPEAKERS[each.role], bold=True)
        echo(f"\n{speaker}  {each.at.astimezone():%H:%M}  message {each.number}")
        echo("\n".join(f"  {line}".rstrip() for line in visible(each.text).strip("\n").split("\n")), indent=0)
    if left_out:
        echo(f"\nThoughts, calls of tools and their results left out: {left_out}. To print them: --all")
