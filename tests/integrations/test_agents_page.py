"""The examples of `docs/agents.md`, typed in an empty folder, with the real frameworks and scripted models."""

import json
import re
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from agents import Model, ModelResponse, Usage, set_tracing_disabled
from langchain_core.language_models.fake_chat_models import FakeMessagesListChatModel
from langchain_core.messages import AIMessage, ToolMessage
from openai.types.responses import ResponseFunctionToolCall, ResponseOutputMessage, ResponseOutputText
from pydantic import Field
from pydantic_ai import ModelResponse as Response
from pydantic_ai import TextPart, ToolCallPart
from pydantic_ai.models.function import FunctionModel

import lamella
from lamella.integrations.langchain import ChatHistory
from tests.words_only import WORDS_ONLY

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs/agents.md").read_text("utf-8")
BLOCKS = re.findall(r"^```python\n(.*?)^```", PAGE, re.DOTALL | re.MULTILINE)
CALL: dict[str, Any] = {"name": "recall_memories", "args": {"question": "staging reset"}}


class Chat(FakeMessagesListChatModel):
    """Model that calls a tool and then repeats its result."""

    responses: list[Any] = Field(default_factory=lambda: [AIMessage("", tool_calls=[{**CALL, "id": "1"}])])

    def bind_tools(self, tools: Any, **_: Any) -> Any:
        assert [each.name for each in tools] == ["recall_memories", "read_memories", "save_memory"]
        assert tools[1].args["ids"]["description"] == "Ids from a reply of recall_memories."
        return self

    def _generate(self, messages: Any, *given: Any, **named: Any) -> Any:
        if isinstance(messages[-1], ToolMessage):
            self.responses = [AIMessage(messages[-1].text)]
        return super()._generate(messages, *given, **named)


class OpenAI(Model):
    """The same model with OpenAI's types."""

    async def get_response(self, *_: Any, **asked: Any) -> ModelResponse:
        result = asked["input"][-1].get("output")
        name, arguments = CALL["name"], json.dumps(CALL["args"])
        said: Any = ResponseFunctionToolCall(type="function_call", call_id="1", name=name, arguments=arguments)
        if result is not None:
            about: Any = {"id": "1", "type": "message", "role": "assistant", "status": "completed"}
            text = ResponseOutputText(type="output_text", text=result, annotations=[])
            said = ResponseOutputMessage(**about, content=[text])
        return ModelResponse([said], Usage(), None)

    def stream_response(self, *_: Any, **__: Any) -> Any:
        raise NotImplementedError


def scripted(messages: Any, about: Any) -> Response:
    """The same model with pydantic-ai's types."""
    assert [each.name for each in about.function_tools] == ["recall_memories", "read_memories", "save_memory"]
    last = messages[-1].parts[-1]
    call = ToolCallPart(CALL["name"], CALL["args"])
    return Response([TextPart(last.content) if last.part_kind == "tool-return" else call])


MODELS: dict[str, Any] = {"pydantic_ai": FunctionModel(scripted), "langchain.agents": Chat(), "agents": OpenAI()}


@pytest.fixture
def typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Any:
    """Run a code block, and return its output."""
    (tmp_path / "work").mkdir()
    monkeypatch.chdir(tmp_path)
    for name, value in {**WORDS_ONLY, "LAMELLA_DATA_DIR": str(tmp_path / "data")}.items():
        monkeypatch.setenv(name, value)
    set_tracing_disabled(disabled=True)

    def typed(block: str) -> str:
        model = next((each for name, each in MODELS.items() if f"from {name} import" in block), None)
        exec(re.sub(r'"(openai:)?gpt-5"', "model", block), {"model": model})  # noqa: S102 - our own page
        return capsys.readouterr().out

    return typed


def test_the_examples_of_the_page_work(typed: Callable[[str], str]) -> None:
    saving, *agents, chain, chat, last = BLOCKS
    assert typed(saving) == ""
    for block in (*agents, last):
        assert re.match(r"\[1\] [0-9a-f]{8} \| Staging is reset every night at 4\. \| ", typed(block))
    assert typed(chain) == "Staging is reset every night at 4. operations\n"
    said = typed(chat)
    assert said.startswith("['human', 'ai']\nFound 2 result(s)")
    assert "Reset staging on Sundays too, please." in said


def test_a_history_leaves_calls_of_tools_out(tmp_path: Path) -> None:
    with lamella.open_memory(tmp_path, storage="memory:", data_directory=tmp_path, embedder="none") as memory:
        history = ChatHistory(memory, "chat")
        history.add_messages([*Chat().responses, ToolMessage("4", tool_call_id="1"), AIMessage("At 4.")])
        assert str(history) == "AI: At 4."
        history.clear()
        assert history.messages == []


def test_the_notebook_plots_memories_by_week(typed: Callable[[str], str]) -> None:
    with lamella.open_memory() as memory:
        for day in (2, 3, 8, 9):
            memory.save(f"Said on {day}.", occurred_at=datetime(2026, 3, day, tzinfo=UTC))
    cells = json.loads((ROOT / "examples/memories_by_week.ipynb").read_text("utf-8"))["cells"]
    program = "\n".join("".join(each["source"]) for each in cells if each["cell_type"] == "code")
    program = program.replace("plt.show()", "print([int(bar.get_height()) for bar in plt.gca().patches])")
    assert typed(f'import matplotlib\nmatplotlib.use("agg")\n{program}') == "[3, 1]\n"
