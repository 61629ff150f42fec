"""Status, activity, backups and background maintenance."""
