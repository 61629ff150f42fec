"""Claude Code: its hooks, sessions, transcripts, and the spool that hooks write to.

Import from the modules. `session.record_file` and `session.processes` need little of the standard library and
nothing else, because a process with hooks is started for each event.
"""
