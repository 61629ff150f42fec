"""Context given to the model by hooks: the index at the start, memories for a prompt, and warnings."""
