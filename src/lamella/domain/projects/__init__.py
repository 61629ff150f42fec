"""Projects, the places where they live, and the keys and aliases that lead to them."""
