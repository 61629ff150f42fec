"""Working trees as git sees them.

Import from the modules: `location` and `paths` need the standard library only and start no process, which is what
a hook can afford.
"""
