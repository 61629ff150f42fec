"""Basics of every process: settings, a clock, ids, the machine, and lamella's installation."""
