"""The commands that serve: MCP on stdin and stdout or over HTTP, and pages for a browser."""
