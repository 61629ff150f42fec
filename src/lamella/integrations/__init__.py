"""Integrations with agent frameworks. Each framework is imported only together with its module in this package."""
