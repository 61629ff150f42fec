"""Record, show and check changes of code."""
