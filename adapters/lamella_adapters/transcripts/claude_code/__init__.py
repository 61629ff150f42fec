"""Reader of the transcript files of Claude Code."""
