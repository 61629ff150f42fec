"""Integrations with agent frameworks. Import the module of a framework to import the framework."""
