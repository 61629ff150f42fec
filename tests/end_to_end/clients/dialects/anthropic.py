"""The messages API of Anthropic, which Claude Code speaks."""

import json
from collections.abc import Iterator
from typing import Any

from tests.end_to_end.clients.dialects.dialect import Calls, Json, Says, Step, Thinks


class Messages:
    """Anthropic's Messages API."""

    def takes(self, path: str) -> bool:
        return "/v1/messages" in path and "count_tokens" not in path

    def conversation(self, request: Json) -> object:
        return request["messages"]

    def tools(self, request: Json) -> dict[str, Json]:
        return {each["name"]: each for each in request.get("tools") or []}

    def told(self, request: Json) -> str:
        # A server's instructions are in a reminder of the client's.
        system = request.get("system", "")
        blocks = [{"type": "text", "text": system}] if isinstance(system, str) else system
        return "\n".join(each["text"] for each in [*blocks, *_blocks(request)] if each["type"] == "text")

    def results(self, request: Json) -> list[Json]:
        return [each for each in _blocks(request) if each["type"] == "tool_result"]

    def reply(self, result: Json) -> str:
        """Return the server's text without a line break and a reminder that the client may append.

        For a search for tools, return their names.
        """
        content = result["content"]
        if not isinstance(content, str):
            content = content[0].get("text") or " ".join(each["tool_name"] for each in content)
        return str(content).partition("\n<system-reminder>")[0].removesuffix("\n")

    def streams(self, request: Json, path: str) -> bool:
        del path
        return bool(request.get("stream"))

    def events(self, step: Step, request: Json, number: int) -> list[tuple[str, Json | str]]:
        message = {**_message(request, number), "content": [], "stop_reason": None}
        events: list[Json] = [{"type": "message_start", "message": message}]
        for index, part in enumerate(_parts(step)):
            block, delta = _streamed(part, number)
            events += [
                {"type": "content_block_start", "index": index, "content_block": block},
                {"type": "content_block_delta", "index": index, "delta": delta},
                {"type": "content_block_stop", "index": index},
            ]
        stop = {"stop_reason": _stop_reason(step), "stop_sequence": None}
        events += [
            {"type": "message_delta", "delta": stop, "usage": {"output_tokens": 5}},
            {"type": "message_stop"},
        ]
        return [(each["type"], each) for each in events]

    def whole(self, step: Step, request: Json, number: int) -> Json:
        content = []
        for part in _parts(step):
            block, _ = _streamed(part, number)
            match part:
                case Calls(arguments=arguments):
                    content.append({**block, "input": dict(arguments)})
                case Says(text) | Thinks(text):
                    content.append({**block, block["type"]: text})
        return {**_message(request, number), "content": content, "stop_reason": _stop_reason(step)}


def _blocks(request: Json) -> Iterator[Json]:
    for message in request["messages"]:
        content = message["content"]
        yield from [{"type": "text", "text": content}] if isinstance(content, str) else content


def _parts(step: Step) -> list[Step]:
    return [step, step.then] if isinstance(step, Thinks) else [step]


def _stop_reason(step: Step) -> str:
    return "tool_use" if isinstance(_parts(step)[-1], Calls) else "end_turn"


def _message(request: Json, number: int) -> dict[str, Any]:
    return {
        "id": f"msg_{number}",
        "type": "message",
        "role": "assistant",
        "model": str(request.get("model")),
        "stop_sequence": None,
        "usage": {"input_tokens": 10, "output_tokens": 1},
    }


def _streamed(part: Step, number: int) -> tuple[Json, Json]:
    """Return the start of a block, and the data added to it."""
    match part:
        case Calls(tool, arguments):
            # Numbers begin at 1 with each script, so two sessions have calls with the same id.
            block = {"type": "tool_use", "id": f"toolu_{number}", "name": tool, "input": {}}
            return block, {"type": "input_json_delta", "partial_json": json.dumps(dict(arguments))}
        case Says(text):
            return {"type": "text", "text": ""}, {"type": "text_delta", "text": text}
        case Thinks(thought):
            block = {"type": "thinking", "thinking": "", "signature": ""}
            return block, {"type": "thinking_delta", "thinking": thought}
