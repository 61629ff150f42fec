"""What operators see and steer: logs, metrics, readiness and worker processes."""
