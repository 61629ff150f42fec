"""What lamella does, one verb each."""
