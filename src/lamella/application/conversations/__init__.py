"""Import, find, show and erase conversations."""
