"""Answers to the first requests of clients, sent while the SDK is still being imported.

Importing the SDK takes nine tenths of the server's start-up time. Some clients don't wait that long, and send
their first prompt without tools. The answers to the first requests are the same at each start. So `record` stores
the SDK's answers once, and `replies` reads them if they come from the installed versions of lamella and the SDK.
`front` sends the answers until the SDK is imported. The SDK then receives every message, including those already
answered.

All modules except `record` import only the standard library.
"""
