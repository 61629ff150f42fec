"""Folders of working trees in which memories are shared, with a record of each in the data directory."""
