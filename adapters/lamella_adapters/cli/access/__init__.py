"""Commands to manage access over a network."""
