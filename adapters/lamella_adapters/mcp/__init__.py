"""The MCP driver: lamella's use cases as tools over stdio."""

from lamella_adapters.mcp.serve import serve

__all__ = ["serve"]
