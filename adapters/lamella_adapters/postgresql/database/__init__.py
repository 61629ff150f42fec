"""Connections, transactions and errors of the driver."""
