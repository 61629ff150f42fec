"""The responses API of OpenAI, which Codex speaks."""

import json
from typing import Any

from tests.end_to_end.clients.dialects.dialect import Calls, Json, Says, Step

_USAGE = {"input_tokens": 10, "output_tokens": 5, "total_tokens": 15}


class Responses:
    """OpenAI's Responses API. Tools of MCP servers have a namespace, and are called `namespace.name` here."""

    def takes(self, path: str) -> bool:
        return path.endswith("/responses")

    def conversation(self, request: Json) -> object:
        return request["input"]

    def tools(self, request: Json) -> dict[str, Json]:
        named: dict[str, Json] = {}
        for each in request.get("tools") or []:
            if each["type"] == "namespace":
                named |= {f"{each['name']}.{tool['name']}": tool for tool in each["tools"]}
            else:
                named[each.get("name", each["type"])] = each
        return named

    def told(self, request: Json) -> str:
        said = [part["text"] for each in request["input"] if each["type"] == "message" for part in each["content"]]
        return "\n".join([request.get("instructions") or "", *said])

    def results(self, request: Json) -> list[Json]:
        ends = ("_call_output", "tool_search_output")
        return [each for each in request["input"] if each["type"].endswith(ends)]

    def reply(self, result: Json) -> str:
        if "tools" in result:
            return json.dumps(result["tools"])
        output = result["output"]
        # Codex inserts its own block before a server's.
        return output if isinstance(output, str) else str(output[-1]["text"])

    def streams(self, request: Json, path: str) -> bool:
        del request, path
        return True

    def events(self, step: Step, request: Json, number: int) -> list[tuple[str, Json | str]]:
        response = self.whole(step, request, number)
        events: list[Json] = [
            {"type": "response.created", "response": {"id": response["id"]}},
            {"type": "response.output_item.done", "output_index": 0, "item": response["output"][0]},
            {"type": "response.completed", "response": response},
        ]
        return [(each["type"], each) for each in events]

    def whole(self, step: Step, request: Json, number: int) -> Json:
        item = self._item(step, request, number)
        return {"id": f"resp_{number}", "object": "response", "output": [item], "usage": _USAGE}

    def _item(self, step: Step, request: Json, number: int) -> dict[str, Any]:
        match step:
            case Calls(tool, arguments):
                called = {"id": f"item_{number}", "call_id": f"call_{number}"}
                namespace, _, name = tool.rpartition(".")
                match self.tools(request).get(tool, {}).get("type"):
                    case "custom":
                        return {**called, "type": "custom_tool_call", "name": tool, "input": arguments["input"]}
                    case "tool_search":
                        searched = {"execution": "client", "arguments": dict(arguments)}
                        return {**called, "type": "tool_search_call", **searched}
                own = {"namespace": namespace} if namespace else {}
                return {
                    **called,
                    **own,
                    "type": "function_call",
                    "name": name,
                    "arguments": json.dumps(dict(arguments)),
                }
            case Says(text):
                content = [{"type": "output_text", "text": text}]
                return {"type": "message", "role": "assistant", "id": f"item_{number}", "content": content}
        raise NotImplementedError(step)
