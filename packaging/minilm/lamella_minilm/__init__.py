"""The model all-MiniLM-L6-v2 for lamella, as files beside this one."""
