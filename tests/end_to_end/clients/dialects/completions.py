"""The chat completions API of OpenAI, which most clients speak to other models."""

import json
from typing import Any

from tests.end_to_end.clients.dialects.dialect import Calls, Json, Says, Step

_USAGE = {"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 15}


class Completions:
    """OpenAI's Chat Completions API."""

    def takes(self, path: str) -> bool:
        return path.endswith("/chat/completions")

    def conversation(self, request: Json) -> object:
        return request["messages"]

    def tools(self, request: Json) -> dict[str, Json]:
        described = ((each["type"], each[each["type"]]) for each in request.get("tools") or [])
        return {tool["name"]: {**tool, "type": kind} for kind, tool in described}

    def told(self, request: Json) -> str:
        said = (each for each in request["messages"] if each["role"] != "tool")
        return "\n".join(_text(each.get("content")) for each in said)

    def results(self, request: Json) -> list[Json]:
        return [each for each in request["messages"] if each["role"] == "tool"]

    def reply(self, result: Json) -> str:
        text = _text(result["content"])
        # Cline and Continue wrap servers' texts in JSON.
        if not text.startswith(('{"content":[', '[{"type":"text"')):
            return text
        said = json.loads(text)
        return _text(said["content"] if isinstance(said, dict) else said)

    def streams(self, request: Json, path: str) -> bool:
        del path
        return bool(request.get("stream"))

    def events(self, step: Step, request: Json, number: int) -> list[tuple[str, Json | str]]:
        common = {"id": f"chat_{number}", "object": "chat.completion.chunk", "created": 1}
        common["model"] = str(request.get("model"))
        message, reason = self._message(step, request, number)
        begins = {"index": 0, "delta": message, "finish_reason": None}
        ends: Json = {"index": 0, "delta": {}, "finish_reason": reason}
        return [
            ("", {**common, "choices": [begins]}),
            ("", {**common, "choices": [ends], "usage": _USAGE}),
            ("", "[DONE]"),
        ]

    def whole(self, step: Step, request: Json, number: int) -> Json:
        message, reason = self._message(step, request, number)
        return {
            "id": f"chat_{number}",
            "object": "chat.completion",
            "created": 1,
            "model": str(request.get("model")),
            "choices": [{"index": 0, "message": message, "finish_reason": reason}],
            "usage": _USAGE,
        }

    def _message(self, step: Step, request: Json, number: int) -> tuple[dict[str, Any], str]:
        match step:
            case Calls(tool, arguments):
                kind = self.tools(request).get(tool, {}).get("type", "function")
                said = (
                    {"input": arguments["input"]}
                    if kind == "custom"
                    else {"arguments": json.dumps(dict(arguments))}
                )
                call = {"index": 0, "id": f"call_{number}", "type": kind, kind: {"name": tool, **said}}
                return {"role": "assistant", "content": None, "tool_calls": [call]}, "tool_calls"
            case Says(text):
                return {"role": "assistant", "content": text}, "stop"
        raise NotImplementedError(step)


def _text(content: str | list[Json] | None) -> str:
    if isinstance(content, list):
        return "\n".join(str(each.get("text", "")) for each in content)
    return content or ""
