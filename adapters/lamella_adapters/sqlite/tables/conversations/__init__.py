"""Tables of conversations."""
