"""Past conversations: list them, read one, zoom into a message."""

from bisect import bisect_right
from collections.abc import Sequence
from datetime import datetime

from starlette.responses import Response

from lamella.domain.conversations.message import Role, Session
from lamella.domain.errors import InvalidValueError
from lamella.ports.storage.conversations import Conversations
from lamella.ports.storage.storage import Capability
from lamella_adapters.web.page_context import PageContext

_SESSIONS, _MESSAGES = 50, 20
_SAID_CHARACTERS, _OTHER_CHARACTERS = 1_200, 400
"""Maximum characters of a message in a list.

The first number is for messages of a person or the assistant, the second for all other messages.
"""

_WHOLE_CHARACTERS = 12_000
"""Number of characters on a page of one message."""

_SAID = (Role.HUMAN, Role.ASSISTANT)


def conversations(context: PageContext) -> Response:
    """List the conversations, the latest first."""
    sessions = sessions_of(context)
    wanted = context.text("name").casefold()
    named = [each for each in sessions if wanted in each.name.casefold() or each.id.startswith(wanted)]
    return context.show(
        "conversations/conversations.html",
        sessions=context.on_page(named, _SESSIONS),
        count=len(named),
        more=len(named) > context.page * _SESSIONS,
    )


def conversation(context: PageContext) -> Response:
    """Show a part of a conversation, chosen by a page number or a time in the URL."""
    session = context.lamella.read_conversation.find(context.call, context.text("session"))
    talk = context.lamella.projects.find(context.call).conversations()
    numbers = talk.numbers(session.id)
    last = max(1, -(-len(numbers) // _MESSAGES))
    at = context.text("at")
    page = _page_at(talk, numbers, at) if at else min(context.number("page", most=10**6), last)
    return context.show(
        "conversations/conversation.html",
        session=session,
        messages=talk.messages(numbers[(page - 1) * _MESSAGES : page * _MESSAGES]),
        page=page,
        last=last,
        limit=lambda each: _SAID_CHARACTERS if each.role in _SAID else _OTHER_CHARACTERS,
        said=_SAID,
    )


def message(context: PageContext) -> Response:
    """Show one message with the messages around it, and summaries of the rest of its session."""
    number = context.number("number", most=2**53)
    window = context.lamella.show_message.window(context.call, number, parts=1)
    target = window.messages[window.target]
    last = max(1, -(-len(target.text) // _WHOLE_CHARACTERS))
    part = min(context.number("part", most=10**6), last)
    return context.show(
        "conversations/message.html",
        window=window,
        target=target,
        text=target.text[(part - 1) * _WHOLE_CHARACTERS : part * _WHOLE_CHARACTERS],
        part=part,
        last=last,
        limit=_OTHER_CHARACTERS,
    )


def sessions_of(context: PageContext) -> Sequence[Session]:
    """Return the conversations of the project, the latest first."""
    here = context.lamella.projects.find(context.call)
    return here.conversations().sessions() if here.keeps(Capability.CONVERSATIONS) else ()


def _page_at(talk: Conversations, numbers: Sequence[int], at: str) -> int:
    """Return the page of a conversation for a time in ISO 8601.

    Raises:
        InvalidValueError: The parameter isn't a time with a zone.
    """
    try:
        moment = datetime.fromisoformat(at)
    except ValueError:
        moment = datetime.min  # noqa: DTZ901 - rejected below, like other times without a zone
    if moment.tzinfo is None:
        raise InvalidValueError(name="at", given=f"'{at[:40]}'", allowed="a time such as 2026-01-31T12:00:00Z")
    later = bisect_right(numbers, moment, key=lambda number: talk.messages([number])[0].at)
    return max(0, later - 1) // _MESSAGES + 1
