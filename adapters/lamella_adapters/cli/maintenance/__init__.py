"""Commands for maintaining the data: status, diagnosis and vectors."""
