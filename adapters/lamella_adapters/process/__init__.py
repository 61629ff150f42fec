"""Basics that every process needs: settings, a clock, ids, the machine, and facts about the installation."""
