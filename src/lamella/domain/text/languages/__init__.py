"""Languages: detection, stems and stop words."""
