"""Normalisers: a module for each client, imported only when that client calls.

Each has two functions. `event(payload, name)` turns what the client reports into an `Event`; it accepts any JSON
object. `output(event, context)` turns context for the model into the JSON object that the client accepts.
"""
