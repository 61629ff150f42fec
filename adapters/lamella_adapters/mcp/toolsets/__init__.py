"""Tools, their arguments and replies, by toolset."""
