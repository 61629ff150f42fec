"""Find, merge and split projects."""
