"""The commands for serving: MCP on stdin and stdout or over HTTP, and pages for a browser."""
