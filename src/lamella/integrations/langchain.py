"""Memories for LangChain: a retriever, tools, and a chat history. Requires the extra `langchain`."""

from collections.abc import Sequence
from typing import Any

from langchain_core.callbacks import CallbackManagerForRetrieverRun
from langchain_core.chat_history import BaseChatMessageHistory
from langchain_core.documents import Document
from langchain_core.messages import AIMessage, BaseMessage, HumanMessage, SystemMessage
from langchain_core.retrievers import BaseRetriever
from langchain_core.tools import BaseTool, StructuredTool
from pydantic import Field

from lamella.domain.conversations.message import Role
from lamella.domain.memories.query import Hit
from lamella.library.agent_tools import agent_tools
from lamella.library.memory import Memory

_KINDS: dict[Role, type[BaseMessage]] = {
    Role.HUMAN: HumanMessage,
    Role.ASSISTANT: AIMessage,
    Role.SYSTEM: SystemMessage,
}


class MemoryRetriever(BaseRetriever):
    """Retriever of memories as documents, best first.

    A document's metadata has the memory's metadata, and its `title`, `source`, `occurred_at` and `strength`.

    Attributes:
        memory: Memories to search.
        limit: Maximum number of documents.
        conditions: Keyword arguments of `Memory.search`, such as `{"source": "decision"}`.

    Example:
        retriever = MemoryRetriever(memory=memory, limit=3)
        retriever.invoke("when is staging reset")
    """

    memory: Memory
    limit: int = 5
    conditions: dict[str, Any] = Field(default_factory=dict)

    def _get_relevant_documents(
        self, query: str, *, run_manager: CallbackManagerForRetrieverRun
    ) -> list[Document]:
        del run_manager
        return list(map(_document, self.memory.search(query, limit=self.limit, **self.conditions)))


def memory_tools(memory: Memory) -> list[BaseTool]:
    """Return the tools of `lamella.agent_tools` as LangChain tools, with a description of each argument."""
    return [StructuredTool.from_function(each, parse_docstring=True) for each in agent_tools(memory)]


class ChatHistory(BaseChatMessageHistory):
    """Messages of a chat, kept as a conversation of the project. Tool calls are left out.

    Args:
        memory: Memories of the project.
        session: Id of the chat.
    """

    def __init__(self, memory: Memory, session: str) -> None:
        self._memory, self._session = memory, session

    @property
    def messages(self) -> list[BaseMessage]:
        """Messages by the human, the assistant and the system."""
        said = self._memory.messages(self._session)
        return [_KINDS[each.role](each.text) for each in said if each.role in _KINDS]

    def add_messages(self, messages: Sequence[BaseMessage]) -> None:
        """Add messages, except those without text."""
        spoken = [
            (role, each.text)
            for each in messages
            for role, kind in _KINDS.items()
            if isinstance(each, kind) and each.text.strip()
        ]
        self._memory.add_messages(self._session, spoken)

    def clear(self) -> None:
        """Delete the chat permanently."""
        self._memory.erase_conversation(self._session)


def _document(hit: Hit) -> Document:
    said = hit.observation
    about = {
        "title": said.title,
        "source": said.source,
        "occurred_at": said.occurred_at.isoformat(),
        "strength": hit.strength,
    }
    return Document(said.content, id=str(said.id), metadata={**said.metadata, **about})
