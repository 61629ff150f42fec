"""Memories for agents of pydantic-ai. Requires the extra `pydantic-ai`."""

from pydantic_ai import RunContext
from pydantic_ai.toolsets import FunctionToolset

from lamella.library.agent_tools import agent_tools
from lamella.library.memory import Memory


def memory_tools(run: RunContext[Memory]) -> FunctionToolset[Memory]:
    """Return tools for the memories that a run has as its dependencies. One agent can thus serve many projects.

    Example:
        agent = Agent(model, deps_type=lamella.Memory, toolsets=[memory_tools])
        agent.run_sync("When is staging reset?", deps=memory)
    """
    return FunctionToolset(agent_tools(run.deps))
