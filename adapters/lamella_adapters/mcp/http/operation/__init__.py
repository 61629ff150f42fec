"""Operation of the server: logs, metrics, readiness and worker processes."""
