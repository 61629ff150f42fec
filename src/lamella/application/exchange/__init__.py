"""Export, import, copying and sharing of memories and conversations."""
