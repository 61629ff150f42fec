"""Integrations with agent frameworks. A framework is imported only with its module here."""
