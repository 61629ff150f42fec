"""Where a repository is, and how git is run."""
