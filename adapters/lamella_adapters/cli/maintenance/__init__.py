"""Commands that look after the data: status, diagnosis and vectors."""
