"""Languages: which one a text is in, stems of its words, and words that say nothing in a question."""
