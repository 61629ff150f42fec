"""Web pages for people: `lamella web`."""
