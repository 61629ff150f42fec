"""What Claude Code's hooks do: write down what happens, and give context back.

Each hook is a process of its own, which the user waits for. So what captures imports the standard library alone,
and little of it: neither `re` nor `json`, `typing`, `collections` or `pathlib`, each of which costs as much as all
the rest.
"""
