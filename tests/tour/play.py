"""The day as it goes on: conversations with Claude Code, and the ids of what was saved in them."""

from collections.abc import Sequence
from pathlib import Path

from attrs import define, field, frozen

from tests.end_to_end.clients.plugged import RECALL, SAVE, Plugged
from tests.end_to_end.clients.scripted_messages import Calls, Seen, Step
from tests.end_to_end.git.git_repository import Repository
from tests.minilm import minilm
from tests.tour import day, project
from tests.tour.conversation import Conversation, Turn
from tests.tour.day import Memory
from tests.tour.page import Page

WORDS, MEANING = {"LAMELLA_EMBEDDER": "none"}, {"LAMELLA_EMBEDDER": f"onnx:{minilm()}"}
"""Settings without and with the extra `semantic`."""

AT_START, AT_PROMPT, AT_EDIT = "SessionStart", "UserPromptSubmit", "PreToolUse:Edit"
"""Events at which hooks give context."""

_SHORT = 8
"""Characters of a short id."""

_NOT_READY = "keyword only"
"""Part of a footer while the embedder is loading."""


@frozen
class Answered:
    """What was answered to the questions and prompts of `day`, each in their order.

    Attributes:
        index: Index of the session of the prompts.
        prompts: Context that came with each prompt, empty where there was none.
        others: The same for the other prompts.
        replies: Replies to the questions.
        unrelated: Reply to the question that no memory answers.
    """

    index: str
    prompts: list[str]
    others: list[str]
    replies: list[str]
    unrelated: str


@define
class Day:
    """The machine of a user, and the page that tells of it."""

    plugged: Plugged
    page: Page
    ids: dict[str, str] = field(init=False, factory=dict)
    """Id of each memory by its key."""

    sessions: int = field(init=False, default=0)
    """Conversations in the project so far."""

    @property
    def place(self) -> Path:
        """The project."""
        return self.plugged.desk.folder / project.NAME

    def talk(self, name: str = project.NAME, settings: dict[str, str] = WORDS) -> Conversation:
        """Begin a conversation in one of the projects."""
        self.sessions += name == project.NAME
        return Conversation(self.plugged.desk, self.plugged.desk.folder / name, settings)

    def shell(self, *arguments: str) -> str:
        """Run `lamella` in the project."""
        return self.plugged.desk.shell(self.place, *arguments)

    def commit(self, commit: project.Commit, name: str = project.NAME) -> None:
        """The user writes files and commits them."""
        place = self.plugged.desk.folder / name
        repository = Repository(place) if place.exists() else Repository.made(place)
        for path, content in commit.files.items():
            repository.write(path, content)
        repository.git("add", "--all")
        repository.git("commit", "--quiet", "--message", commit.subject)

    def reads(self, path: str) -> Calls:
        """The model reads a file, as it has to before it edits it."""
        return Calls("Read", {"file_path": str(self.place / path)})

    def edits(self, path: str, old: str, new: str) -> Calls:
        """The model replaces a text in a file."""
        return Calls("Edit", {"file_path": str(self.place / path), "old_string": old, "new_string": new})

    def saves(self, memories: Sequence[Memory], prompt: str, *before: Step) -> list[str]:
        """A session in which the model takes some steps and saves memories. Return the replies to the latter."""
        with self.talk() as claude:
            turn = claude.says(prompt, *before, *(Calls(SAVE, each.arguments) for each in memories))
        replies = turn.replies[-len(memories) :]
        for memory, reply in zip(memories, replies, strict=True):
            self.learn(memory, reply)
        return replies

    def learn(self, memory: Memory, reply: str) -> None:
        """Learn the id of a memory from the reply to its save."""
        id = reply.partition("(id: ")[2].partition(")")[0]
        assert id, reply
        self.ids[memory.key] = id
        self.page.neutral.name(id, memory.key)

    def short(self, key: str) -> str:
        """Short id of a memory."""
        return self.ids[key][:_SHORT]

    def shows(self, text: str, key: str) -> bool:
        """Return True if a memory is in a text."""
        return self.short(key) in text

    def rank(self, reply: str, key: str) -> int:
        """Return the place of a memory in a compact list, 0 if it isn't there."""
        lines = [line for line in reply.splitlines() if line.startswith("[")]
        return next((place for place, line in enumerate(lines, 1) if self.shows(line, key)), 0)

    def answered(self, settings: dict[str, str]) -> Answered:
        """Say all prompts and ask all questions of `day`, in two sessions."""
        with self.talk(settings=settings) as claude:
            warm_up(claude)
            questions = [question for question, _ in day.QUESTIONS]
            asked = claude.says(
                "Answer the questions of the new colleague.",
                *(Calls(RECALL, {"query": each}) for each in [*questions, day.UNRELATED]),
            )
        *replies, unrelated = asked.replies
        with self.talk(settings=settings) as claude:
            opened = claude.says("Good morning, here comes a list.")
            warm_up(claude)
            prompts = [claude.says(prompt) for prompt, _ in day.PROMPTS]
            others = [claude.says(prompt) for prompt in day.OTHER_PROMPTS]
        return Answered(
            opened.contexts.get(AT_START, ""),
            [turn.contexts.get(AT_PROMPT, "") for turn in prompts],
            [turn.contexts.get(AT_PROMPT, "") for turn in others],
            replies,
            unrelated,
        )


def warm_up(claude: Conversation) -> Turn:
    """The model asks something until the embedder is loaded, if there is one."""

    def until_ready(seen: Seen) -> Step:
        if not seen.replies or _NOT_READY in seen.replies[-1]:
            claude.script.insert(0, until_ready)
        return Calls(RECALL, {"query": "ferry", "limit": 1})

    return claude.says("Is the memory there?", until_ready)
