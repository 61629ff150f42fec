"""Answers, their views, budgets and cursors."""
