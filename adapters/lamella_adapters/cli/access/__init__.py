"""Commands that administer who may use memories over a network."""
