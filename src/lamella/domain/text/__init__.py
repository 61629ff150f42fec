"""Words, sentences and printing."""
