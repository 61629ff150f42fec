"""Changes of a project in three steps: read the facts (look), decide, and write (plan).

A `Look` lists the facts that the storage must read. The decision is a function of these facts. It returns a plan,
the list of writes that the storage applies in the same transaction.
"""
