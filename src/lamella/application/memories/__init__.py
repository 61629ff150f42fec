"""Save, get, purge, restore and erase observations."""
