"""Setup of clients on this machine: lamella's entries in their configuration files."""
