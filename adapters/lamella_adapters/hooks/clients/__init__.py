"""Events in terms common to all clients, and a normaliser for each client.

A normaliser is a module that turns a client's reports into events. It is imported only when its client calls.
`LIKE` names the clients that use another client's normaliser. A normaliser has two functions. `event(payload,
name)` turns the client's report, which may be any JSON object, into an `Event`. `output(event, context)` turns
context for the model into the JSON object that the client accepts.

The code common to all clients is in this file, because each import costs a hook two percent of its time.
"""

from lamella.domain.tables import read_rows
from lamella_adapters.hooks.payload import Json, text_in

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable

START = "session start"
PROMPT = "prompt"
BEFORE_EDIT = "before edit"
EDIT = "edit"
COMMAND = "command"
COMPACTED = "compaction"
REPLY = "reply"
END = "session end"
OTHER = "other"
"""Kind of an event from which nothing is captured."""


LIKE = {"amp": "opencode", "droid": "devin", "junie": "devin", "pi": "opencode"}
"""Normalisers keyed by client, for clients that report the same events as another client."""


class Edit:
    """Edit of one file, before or after it is made.

    Attributes:
        path: The file. If the path is relative to the event's directory, the edit is captured, but never causes a
            warning.
        hunks: The change as a unified diff without file headers. Empty if the edit isn't made yet or changes
            nothing.
        before: Text of the file before the edit. None to read the text from the file.
        after: Whole text of the file after the edit. None if the edit is given as `replacements`.
        replacements: Replaced texts, each with its replacement, and True to replace every occurrence.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        self.hunks = ""
        self.before: str | None = None
        self.after: str | None = None
        self.replacements: list[tuple[str, str, bool]] = []


class Event:
    """An event reported to a hook by a client.

    Attributes:
        kind: One of the module's kinds, such as `EDIT` or `PROMPT`.
        name: The client's name of the event; may be empty.
        accepts: Kind of event whose context the client accepts now, if different from `kind`: some clients accept
            warnings only after an edit.
        session: Id of the session.
        directory: Working directory of the session.
        server_directory: Directory in which the session's server was started; empty if it is `directory`.
        transcript: File of the conversation.
        process: Id of the client's process, 0 if unknown.
        agent: Id of the acting sub-agent.
        task: File of the sub-agent's conversation. It begins with the sub-agent's task.
        context_lost: True if the session restarts without its earlier context.
        resumed: True if the session continues with its earlier context.
        notice: Line for the user, shown beside the context. It is set while the hook prepares its answer.
        returning: The edit that caused a warning, as in `Activity`. It is set while the hook prepares its answer.
        prompt: Words of the user; empty if the client wrote them.
        tool: The client's name of the tool.
        edits: Edits of a tool.
        command: Shell command; or a tool and its file, if the client doesn't report the overwritten text.
        took: Duration of the command, in milliseconds.
    """

    def __init__(self, kind: str, name: str) -> None:
        self.kind = kind
        self.accepts = ""
        self.name = name
        self.session = self.directory = self.server_directory = self.transcript = ""
        self.agent = self.task = ""
        self.process = 0
        self.context_lost = self.resumed = False
        self.prompt = self.tool = self.command = self.notice = self.returning = ""
        self.edits: list[Edit] = []
        self.took: object = None

    def ran(self, command: str, took: object = None) -> None:
        """Record a shell command, or a tool call that is treated like a shell command."""
        self.kind, self.command, self.took = COMMAND, command, took

    @property
    def asks(self) -> str:
        """Kind of the event whose context the client accepts now."""
        return self.accepts or self.kind


def kinds_of(client: str) -> dict[str, str]:
    """Return the kinds of a client's events, keyed by the client's name of the event."""
    return {name: kind for each, name, kind in read_rows(__file__, "kinds.txt") if each == client}


def event_of(payload: Json, name: str, client: str) -> Event:
    """Return an event, filled from the keys that most clients use in their reports.

    Args:
        payload: The client's object.
        name: The name of the event, if the payload has none.
        client: Name of the client in `kinds.txt`.
    """
    name = text_in(payload, "hook_event_name") or name
    event = Event(kinds_of(client).get(name, OTHER), name)
    event.session = text_in(payload, "session_id")
    event.directory = text_in(payload, "cwd")
    event.transcript = text_in(payload, "transcript_path")
    event.tool = text_in(payload, "tool_name")
    event.context_lost = text_in(payload, "source") == "compact"
    event.prompt = text_in(payload, "prompt") if event.kind == PROMPT else ""
    return event


def event_of_plugin(payload: Json, name: str, client: str) -> Event:
    """Return an event, filled from the keys that most clients use, and from further keys of our own plugins."""
    event = event_of(payload, name, client)
    event.agent = text_in(payload, "agent")
    process = payload.get("process")
    event.process = process if type(process) is int else 0
    return event


def output_with_notice(event: Event, context: str) -> Json:
    """Return the context and the event's notice, for clients that show the notice to the user."""
    output = specific_output(event, context)
    return {"systemMessage": event.notice, **output} if event.notice else output


def specific_output(event: Event, context: str) -> Json:
    """Return the context in the form that most clients accept."""
    return {"hookSpecificOutput": {"hookEventName": event.name, "additionalContext": context}}


def output_under(key: str) -> "Callable[[Event, str], Json]":
    """Return the function `output` of a client that accepts context under a single key."""
    return lambda _event, context: {key: context}
