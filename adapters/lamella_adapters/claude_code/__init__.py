"""What is known of Claude Code, the client.

Import from the modules: `records` and `processes` need the standard library only, and little of it, because hooks
start a process for each event.
"""
