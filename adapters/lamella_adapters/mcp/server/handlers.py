"""The MCP server: tools, resources, prompts and completion."""

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from importlib.metadata import version
from typing import Any, TypeVar

import mcp_types as types
from attrs import evolve, frozen
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.shared.exceptions import MCPError

from lamella.application.search.browse import Completable
from lamella.container import Lamella
from lamella.domain.call import Call
from lamella.domain.replies.budget import Reply
from lamella.domain.text.printing import echo, visible
from lamella_adapters.mcp.server.offers import PROMPTS, TEMPLATES, TEXTS, link, recalled_at, resource, variables_of
from lamella_adapters.mcp.server.worker_threads import run_guarded
from lamella_adapters.mcp.toolsets.arguments import output_schema, shown
from lamella_adapters.mcp.toolsets.tool import Tool, ToolCall

_SETTLES = "action"
"""Argument with which a reviewing model says what to do with memories, such as purging or keeping them."""

_REVIEW = "review"
_LATEST = 50
"""Maximum number of memories to list as resources."""

_MOST_VALUES = 100
"""Maximum number of values in a completion, set by the specification."""

_LINKS_SINCE = "2025-06-18"
"""Protocol version that introduced links in results. Clients of older versions refuse links."""

_TOOL_USE = "claudecode/toolUseId"
"""Metadata key under which Claude Code sends its id of the call."""

_Context = ServerRequestContext[Any]

Opening = Callable[[_Context, str | None], tuple[Lamella, Call]]
"""Function that opens the use cases and the context of a call, or raises an error.

It runs once per call, in the call's thread. It receives the SDK's data about the request, and the client's id of
the call.
"""

_Page = types.PaginatedRequestParams | None
_Result = TypeVar("_Result")


def make_server(
    tools: Mapping[str, Tool],
    instructions: str,
    opening: Opening,
    *,
    seconds: float | None = None,
    forward: str | None = None,
) -> Server[Any]:
    """Return a server of `tools`.

    Args:
        tools: Tools, keyed by name.
        instructions: Text for the model.
        opening: Opens the memories of a call.
        seconds: Timeout of a call; None for no limit.
        forward: Toolset of the tools. Calls are then forwarded to the storage's server. None to answer calls here.
    """
    answers = _Answers(tools, opening, seconds, forward)
    return Server(
        "lamella",
        title="lamella",
        version=version("lamella"),
        instructions=instructions,
        on_list_tools=answers.list_tools,
        on_call_tool=answers.call_tool,
        on_list_resource_templates=answers.list_resource_templates,
        on_list_resources=answers.list_resources,
        on_read_resource=answers.read_resource,
        on_list_prompts=answers.list_prompts,
        on_get_prompt=answers.get_prompt,
        on_completion=answers.complete,
    )


@frozen
class _Answers:
    """The server's answers to requests."""

    tools: Mapping[str, Tool]
    opening: Opening
    seconds: float | None
    forward: str | None

    async def list_tools(self, _: _Context, __: _Page) -> types.ListToolsResult:
        return types.ListToolsResult(tools=[_described(tool) for tool in self.tools.values()])

    async def call_tool(self, context: _Context, params: types.CallToolRequestParams) -> types.CallToolResult:
        tool = self.tools.get(params.name)
        if tool is None:
            unknown = f"There is no tool called '{visible(params.name[:64])}'."
            raise MCPError(types.INVALID_PARAMS, f"{unknown} Tools: {', '.join(self.tools)}.")
        return await run_guarded(partial(self._call, context, tool, params), self.seconds, _progress(context))

    async def list_resource_templates(self, _: _Context, __: _Page) -> types.ListResourceTemplatesResult:
        return types.ListResourceTemplatesResult(resource_templates=list(TEMPLATES.values()))

    async def list_resources(self, context: _Context, _: _Page) -> types.ListResourcesResult:
        hits = await self._asked(context, lambda lamella, call: lamella.browse.latest(call, limit=_LATEST))
        return types.ListResourcesResult(resources=[resource(hit.observation) for hit in hits])

    async def read_resource(
        self, context: _Context, params: types.ReadResourceRequestParams
    ) -> types.ReadResourceResult:
        uri = str(params.uri)
        text = await self._asked(context, lambda lamella, call: lamella.recall(call, recalled_at(uri)))
        contents = types.TextResourceContents(uri=uri, mime_type="text/plain", text=text)
        return types.ReadResourceResult(contents=[contents])

    async def list_prompts(self, _: _Context, __: _Page) -> types.ListPromptsResult:
        return types.ListPromptsResult(prompts=[PROMPTS[name] for name in self._prompts])

    async def get_prompt(self, context: _Context, params: types.GetPromptRequestParams) -> types.GetPromptResult:
        registered = self._registered(params.name)
        arguments = params.arguments or {}

        def text() -> str:
            lamella, call = self.opening(context, None)
            return TEXTS[params.name](ToolCall(lamella, call, arguments, registered))

        result = await run_guarded(text, self.seconds)
        printed = _text(result) if isinstance(result, types.CallToolResult) else result
        message = types.PromptMessage(role="user", content=types.TextContent(type="text", text=printed))
        return types.GetPromptResult(messages=[message])

    async def complete(self, context: _Context, params: types.CompleteRequestParams) -> types.CompleteResult:
        asked, argument = params.ref, params.argument
        if isinstance(asked, types.PromptReference):
            self._registered(asked.name)
            known = [each.name for each in PROMPTS[asked.name].arguments or ()]
        else:
            known = variables_of(asked.uri) if asked.uri in TEMPLATES else []
        if argument.name not in known:
            unknown = f"There is no argument '{echo(argument.name)}' to complete."
            raise MCPError(types.INVALID_PARAMS, f"{unknown} Arguments: {', '.join(known) or 'none'}.")
        values: tuple[str, ...] = ()
        if argument.name in list(Completable):
            kind, limit = Completable(argument.name), _MOST_VALUES + 1
            values = await self._asked(
                context, lambda lamella, call: lamella.browse.completed(call, kind, argument.value, limit=limit)
            )
        found = types.Completion(values=list(values[:_MOST_VALUES]), has_more=len(values) > _MOST_VALUES)
        return types.CompleteResult(completion=found)

    async def _asked(self, context: _Context, ask: Callable[[Lamella, Call], _Result]) -> _Result:
        """Return the answer of the use cases, with their errors translated for MCP.

        Raises:
            MCPError: The use case raised an error.
        """
        result = await run_guarded(lambda: ask(*self.opening(context, None)), self.seconds)
        if isinstance(result, types.CallToolResult):
            raise MCPError(types.INVALID_PARAMS, _text(result))
        return result

    def _registered(self, prompt: str) -> Mapping[str, str]:
        """Return the names of the tools that a prompt mentions.

        Raises:
            MCPError: The prompt doesn't exist.
        """
        if prompt not in self._prompts:
            unknown = f"There is no prompt '{echo(prompt)}'. Prompts: {', '.join(self._prompts)}."
            raise MCPError(types.INVALID_PARAMS, unknown)
        return self._prompts[prompt]

    @property
    def _prompts(self) -> Mapping[str, Mapping[str, str]]:
        """Registered names of the tools that each prompt mentions. Without a tool for reviews, omit the review."""
        settling = [
            tool.registered for tool in self.tools.values() if _SETTLES in tool.changes_by and not tool.read_only
        ]
        return {name: settling[0] if settling else {} for name in PROMPTS if name != _REVIEW or settling}

    def _call(self, asked: _Context, tool: Tool, params: types.CallToolRequestParams) -> types.CallToolResult:
        """Answer one call, in a worker thread."""
        arguments = tool.structure(params.arguments or {})
        request = (params.meta or {}).get(_TOOL_USE)
        lamella, context = self.opening(asked, request if isinstance(request, str) else None)
        client = asked.session.client_params
        if client is not None:
            context = evolve(context, client=client.client_info.name)
        if self.forward is not None and lamella.remote_tools is not None:
            projects = lamella.projects
            find = projects.find if tool.read_only or tool.changes_by else projects.find_or_create
            home = (projects.remembered(context) or find(context)).id
            there = evolve(context, default_project=home, confined=not projects.shows_everywhere)
            result = lamella.remote_tools.call(there, self.forward, params.name, params.arguments or {})
            return types.CallToolResult.model_validate(result)
        reply = tool.answer(ToolCall(lamella, context, arguments, tool.registered))
        made = Reply((reply,)) if isinstance(reply, str) else reply
        linked = made.linked if asked.protocol_version >= _LINKS_SINCE else ()
        return types.CallToolResult(
            content=[*(types.TextContent(type="text", text=block) for block in made.blocks), *map(link, linked)],
            structured_content=shown(made.data),
        )


def _described(tool: Tool) -> types.Tool:
    return types.Tool(
        name=tool.name,
        title=tool.title,
        description=tool.described,
        input_schema=tool.schema,
        output_schema=None if tool.returns is None else output_schema(tool.returns),
        annotations=types.ToolAnnotations(
            title=tool.title,
            read_only_hint=tool.read_only,
            destructive_hint=False,
            idempotent_hint=tool.idempotent,
            open_world_hint=False,
        ),
        _meta=None if tool.meta is None else dict(tool.meta),
    )


def _progress(context: _Context) -> Callable[[float], Awaitable[None]] | None:
    """Return a function that reports progress of the call, if requested by the client."""
    return context.session.report_progress if context.meta and "progress_token" in context.meta else None


def _text(result: types.CallToolResult) -> str:
    return "\n".join(block.text for block in result.content if isinstance(block, types.TextContent))
