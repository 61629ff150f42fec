"""Answers to the first requests of clients, given during the import of the SDK.

Importing the SDK takes nine tenths of a start, and some clients don't wait so long: their first prompt has no
tools. The first requests have the same answers at each start. So `record` stores the SDK's answers once, and
`replies` holds the answers for exactly these versions of lamella and the SDK. `front` sends the answers until the
SDK is imported. The SDK then receives every message from the first on.

All modules except `record` import only the standard library.
"""
