"""Changes of a project, each in three parts: look, decision and plan.

A look lists the facts to read from the storage. A decision is a function of these facts and returns a plan: the
writes for the storage to apply in the same transaction.
"""
