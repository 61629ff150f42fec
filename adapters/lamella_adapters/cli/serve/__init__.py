"""The command that serves MCP, on stdin and stdout or over HTTP."""
