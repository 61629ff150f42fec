"""Rules of lamella, independent of storage, clients and protocols: memories, search, replies, projects."""
