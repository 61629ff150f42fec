"""The MCP driver: lamella's use cases as tools, over stdio or HTTP."""
