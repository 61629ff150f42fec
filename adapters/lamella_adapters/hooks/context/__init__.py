"""Context that hooks give to the model: the index at the start, memories for a prompt, and warnings."""
