"""Changes of a project: what a decision looks at, the decisions, and the plans that a storage applies."""
