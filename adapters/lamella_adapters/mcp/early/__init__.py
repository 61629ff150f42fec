"""Answers to what clients ask first, given while the SDK is imported.

The SDK takes nine tenths of a start to import, and some clients don't wait that long: their first prompt has no
tools. What they ask first has the same answer at each start. So `record` writes down once what the SDK answers,
`replies` keeps that for this version of everything, and `front` answers from it until the SDK is there, which then
gets every message from the first on.

Nothing here but `record` imports more than the standard library.
"""
