"""Find, list, merge and split projects."""
