"""Reply with a message and the messages around it, within a budget."""

from collections.abc import Mapping, Sequence
from functools import cache

from attrs import evolve, field, frozen

from lamella.domain.conversations.message import Message, Role, printed_name
from lamella.domain.conversations.summary import Summary
from lamella.domain.replies.budget import TokenBudget
from lamella.domain.text.printing import cut, printed_line, shortened, visible

EACH_SIDE = 10
"""Number of messages to show before and after the requested one."""

SPEAKERS = {
    Role.HUMAN: "User",
    Role.ASSISTANT: "Assistant",
    Role.SYSTEM: "System",
    Role.THOUGHT: "Think",
    Role.TOOL: "Tool",
    Role.TOOL_RESULT: "ToolResult",
}
"""Name of a message's author in replies."""

_SHORT, _LEAST = 200, 40
"""Maximum length of a shortened message: at the first shortening, and at the second."""

_READ_CHARACTERS = 8
"""Number of characters to read of the messages, for each token of the budget. More can't fit."""


@frozen(kw_only=True)
class Plan:
    """Plan of a reply: which messages to shorten, and which messages and summaries to leave out.

    Attributes:
        limits: Maximum length of shortened messages, keyed by index.
        gone: Indexes of omitted messages.
        left_out: Omitted summaries.
    """

    limits: Mapping[int, int] = field(factory=dict)
    gone: frozenset[int] = frozenset()
    left_out: tuple[Summary, ...] = ()


@frozen(kw_only=True)
class MessageWindow:
    """A message with its surroundings in its session.

    All lines of a message except the first are indented. A message therefore can't contain a line that looks like
    a heading of lamella.

    Attributes:
        session: Name of the session.
        messages: The message and its neighbours, sorted by number.
        target: Index of the requested message.
        earlier: Summaries of earlier messages, nearest first.
        later: Summaries of later messages, nearest first.
    """

    session: str
    messages: Sequence[Message]
    target: int
    earlier: Sequence[Summary] = ()
    later: Sequence[Summary] = ()

    def printed(self, budget: TokenBudget) -> str:
        """Return the reply, always within `budget`.

        Distant messages are shortened before nearer messages. Then summaries are left out, then messages, the
        farthest first. The requested message is truncated last.
        """
        read = budget.limit * _READ_CHARACTERS
        plans = self._plans()
        count = cache(budget.count)
        # First estimate the tokens of a reply as the sum of the tokens of its lines. This is nearly exact. It is
        # fast, because counts are cached, and most lines are the same in all plans.
        rough = TokenBudget(budget.limit, lambda reply: sum(count(f"{line}\n") for line in reply.split("\n")))
        poorest = len(plans) - 1
        at = poorest - rough.longest(0, poorest, lambda richer: self._reply(plans[poorest - richer], read))
        while at < poorest and not budget.allows(self._reply(plans[at], read)):
            at += 1
        reply = self._reply(plans[at], read)
        if not budget.allows(reply):
            return self._cut(plans[at], budget, read)
        filled = self._filled(plans[at], rough, read) if 0 < at < len(self.messages) else reply
        return filled if budget.allows(filled) else reply

    @property
    def _far(self) -> list[int]:
        """Return the indexes of all messages except the requested message, the farthest first.

        Equally far messages are in chronological order.
        """
        others = (place for place in range(len(self.messages)) if place != self.target)
        return sorted(others, key=lambda place: (-abs(place - self.target), place))

    def _plans(self) -> list[Plan]:
        """Return plans for shorter and shorter replies: from all messages down to the requested message alone."""
        plans = [Plan()]
        for limit in (_SHORT, _LEAST):
            for place in self._far:
                plans.append(evolve(plans[-1], limits={**plans[-1].limits, place: limit}))
        ranked = [*enumerate(self.earlier), *enumerate(self.later)]
        for _, summary in sorted(ranked, key=lambda one: -one[0]):
            plans.append(evolve(plans[-1], left_out=(*plans[-1].left_out, summary)))
        for place in self._far:
            plans.append(evolve(plans[-1], gone=plans[-1].gone | {place}))
        return plans

    def _filled(self, plan: Plan, rough: TokenBudget, read: int) -> str:
        """Return a plan's reply. Extend the last of the shortened messages as far as the budget allows."""
        last = list(plan.limits)[-1]

        def with_more(characters: int) -> str:
            return self._reply(evolve(plan, limits={**plan.limits, last: characters}), read)

        most = min(len(self.messages[last].text), read)
        return with_more(rough.longest(_SHORT, most, with_more))

    def _cut(self, plan: Plan, budget: TokenBudget, read: int) -> str:
        """Truncate the requested message to the budget.

        Return the reply, which states the size of the shown part.
        """
        text = visible(self.messages[self.target].text[:read])

        def shortened(length: int) -> str:
            kept = cut(text, length)
            return self._reply(plan, read, f"{kept}[...truncated at ~{budget.count(kept)} tokens]")

        return shortened(budget.longest(1, len(text), shortened))

    def _reply(self, plan: Plan, read: int, target: str | None = None) -> str:
        """Return a plan's reply, with at most `read` characters of each message.

        `target` is shown in place of the requested message's text.
        """
        shown = [place for place in range(len(self.messages)) if place not in plan.gone]
        first, last = (self.messages[shown[end]].number for end in (0, -1))
        return "\n".join(
            [
                f"── recalled from: {printed_name(self.session)} ──",
                *_section("PREVIOUS", [each for each in reversed(self.earlier) if each not in plan.left_out]),
                f"── FULL CONTEXT (messages {first}..{last}) ──",
                *(self._line(place, plan.limits.get(place, read), read, target) for place in shown),
                *_section("FOLLOWING", [each for each in self.later if each not in plan.left_out]),
            ]
        )

    def _line(self, place: int, limit: int, read: int, target: str | None) -> str:
        message = self.messages[place]
        mark, text = ("→ ", target) if place == self.target else ("", None)
        if text is None:
            text = shortened(visible(message.text[:read]), limit)
        indented = text.strip("\n").replace("\n", "\n    ")
        return f"{mark}message {message.number} {SPEAKERS[message.role]}: {indented}"


def _section(which: str, summaries: Sequence[Summary]) -> list[str]:
    if not summaries:
        return []
    lines = [f"── {which} CONTEXT (compressed) ──"]
    for each in summaries:
        lines.append(f"messages {each.first}..{each.last}:")
        lines += [f"  {printed_line(sentence)}" for sentence in each.sentences]
        lines += [f"  Files: {printed_line(', '.join(each.files))}"] if each.files else []
    return lines
