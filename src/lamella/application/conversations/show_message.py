"""Show a message of a past conversation and its surroundings."""

from collections.abc import Sequence
from contextlib import suppress

from attrs import define, field

from lamella.application.projects.resolver import ProjectResolver
from lamella.domain.call import Call
from lamella.domain.conversations import summary
from lamella.domain.conversations.errors import MessageNotFoundError
from lamella.domain.conversations.summary import Summary
from lamella.domain.errors import StorageError
from lamella.domain.replies.budget import SINGLE_TOKENS, TokenBudget
from lamella.domain.replies.message_window import EACH_SIDE, MessageWindow
from lamella.ports.storage.conversations import Conversations
from lamella.ports.tokenizer import Tokenizer

_ALL_PARTS = 3
"""Maximum number of summarised parts of a session on each side of a message."""


@define
class ShowMessage:
    """Reply with a message, the messages around it, and summaries of the rest of its session."""

    projects: ProjectResolver
    tokenizer: Tokenizer

    def __call__(self, call: Call, number: int) -> str:
        """Return the reply about the message `number`, within the token budget of a reply.

        Raises:
            MessageNotFoundError: No message of the project has this number.
            CapabilityUnsupportedError: The storage keeps no conversations.
            UnknownProjectError: The project doesn't exist.
        """
        window, summariser = self._window(call, number, parts=_ALL_PARTS)
        summariser.keep()
        return window.printed(TokenBudget(SINGLE_TOKENS, self.tokenizer.count))

    def window(self, call: Call, number: int, *, parts: int = 2) -> MessageWindow:
        """Return the message `number` and its surroundings, without caching summaries.

        Args:
            call: Context of the call.
            number: Number of the message.
            parts: Maximum number of summarised parts on either side. Parts farther from the message are larger.

        Raises:
            MessageNotFoundError: No message of the project has this number.
            CapabilityUnsupportedError: The storage keeps no conversations.
            UnknownProjectError: The project doesn't exist.
        """
        return self._window(call, number, parts=parts)[0]

    def _window(self, call: Call, number: int, *, parts: int) -> tuple[MessageWindow, "_Summariser"]:
        here = self.projects.find(call)
        conversations = here.conversations()
        found = conversations.messages((number,))
        numbers = conversations.numbers(found[0].session) if found else ()
        if number not in numbers:
            raise MessageNotFoundError(number=number)
        (session,) = conversations.sessions(found[0].session)
        place = numbers.index(number)
        start, end = max(0, place - EACH_SIDE), min(len(numbers), place + EACH_SIDE + 1)
        summariser = _Summariser(session.id, numbers, conversations)
        window = MessageWindow(
            session=session.name,
            messages=conversations.messages(numbers[start:end]),
            target=place - start,
            earlier=summariser.of(summary.parts_before(start)[:parts]),
            later=summariser.of(summary.parts_after(end, len(numbers))[:parts]),
        )
        return window, summariser


@define
class _Summariser:
    """Summaries of parts of one session. Summaries of complete groups of messages are cached."""

    session: str
    numbers: Sequence[int]
    conversations: Conversations
    _kept: dict[int, dict[str, Summary]] = field(factory=dict)
    _new: dict[int, dict[str, Summary]] = field(factory=dict)

    def of(self, parts: Sequence[range]) -> list[Summary]:
        """Return the summaries of `parts`.

        `parts` must begin with the part nearest to the shown message. The farther a part is from that message, the
        larger are the groups of messages that it is divided into.
        """
        return [self._part(part, level) for level, part in enumerate(parts)]

    def keep(self) -> None:
        """Cache the new summaries. Ignore a failure, because summaries can be made again."""
        with suppress(StorageError):
            for level, made in self._new.items():
                self.conversations.keep(self.session, level, made)

    def _part(self, part: range, level: int) -> Summary:
        if not level:
            return summary.summarised(self.conversations.messages(self.numbers[part.start : part.stop]))
        return summary.combined([self._group(group, level) for group in summary.groups(part, level)])

    def _group(self, group: range, level: int) -> Summary:
        if not summary.whole(group, level):
            return self._part(group, level - 1)
        if level not in self._kept:
            self._kept[level] = dict(self.conversations.kept(self.session, level))
        mark = summary.fingerprint(self.numbers[group.start : group.stop])
        if mark not in self._kept[level]:
            made = self._part(group, level - 1)
            self._kept[level][mark] = made
            self._new.setdefault(level, {})[mark] = made
        return self._kept[level][mark]
