-- statement: sequences
SELECT name, seq FROM sqlite_sequence

-- statement: changes
SELECT (SELECT changes FROM statistics), (SELECT changes FROM message_statistics)

-- statement: set_project
INSERT INTO project SELECT ?, ?, ?, ? WHERE true
ON CONFLICT (id) DO UPDATE SET name = excluded.name, moved_to = excluded.moved_to

-- statement: put_alias
INSERT OR IGNORE INTO alias VALUES (?, ?)
