"""The generateContent API of Gemini, which Gemini CLI speaks."""

from collections.abc import Iterator
from typing import Any

from tests.end_to_end.clients.dialects.dialect import Calls, Json, Says, Step

_USAGE = {"promptTokenCount": 10, "candidatesTokenCount": 5, "totalTokenCount": 15}


class GenerateContent:
    """Google's generateContent API."""

    def takes(self, path: str) -> bool:
        return "enerateContent" in path

    def conversation(self, request: Json) -> object:
        return request["contents"]

    def tools(self, request: Json) -> dict[str, Json]:
        declared = (each.get("functionDeclarations", []) for each in request.get("tools") or [])
        return {tool["name"]: tool for tools in declared for tool in tools}

    def told(self, request: Json) -> str:
        system = request.get("systemInstruction", {}).get("parts", [])
        return "\n".join(part["text"] for part in [*system, *_parts(request)] if "text" in part)

    def results(self, request: Json) -> list[Json]:
        return [part["functionResponse"] for part in _parts(request) if "functionResponse" in part]

    def reply(self, result: Json) -> str:
        response = result["response"]
        text = str(response.get("output", response.get("error")))
        # Gemini CLI wraps servers' texts in a tag, followed by context from hooks.
        return text.partition("<untrusted_context>\n")[2].partition("\n</untrusted_context>")[0] or text

    def streams(self, request: Json, path: str) -> bool:
        del request
        return "streamGenerateContent" in path

    def events(self, step: Step, request: Json, number: int) -> list[tuple[str, Json | str]]:
        return [("", self.whole(step, request, number))]

    def whole(self, step: Step, request: Json, number: int) -> Json:
        del request, number
        content = {"role": "model", "parts": [_part(step)]}
        candidate = {"content": content, "finishReason": "STOP", "index": 0}
        return {"candidates": [candidate], "usageMetadata": _USAGE, "modelVersion": "scripted"}


def _parts(request: Json) -> Iterator[Json]:
    for content in request["contents"]:
        yield from content["parts"]


def _part(step: Step) -> dict[str, Any]:
    match step:
        case Calls(tool, arguments):
            return {"functionCall": {"name": tool, "args": dict(arguments)}}
        case Says(text):
            return {"text": text}
    raise NotImplementedError(step)
