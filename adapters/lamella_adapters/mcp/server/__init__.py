"""The MCP server and its threads."""
