"""MCP server over Streamable HTTP, for callers on other machines."""
