-- statement: read
SELECT seq, {columns} FROM observation WHERE {leaving} ORDER BY seq LIMIT {batch}

-- statement: read_messages
SELECT number, {message_columns} FROM message WHERE {leaving} ORDER BY number LIMIT {batch}

-- statement: place
SELECT session, moment, seq FROM observation WHERE seq = ? AND session IS NOT NULL

-- statement: set_name
INSERT INTO session_name VALUES (?, ?, ?)
ON CONFLICT (session) DO UPDATE SET name = excluded.name, titled = 0 WHERE titled AND NOT excluded.titled

-- statement: depart
-- Record the id of a moved row. Bytes of it may remain in this file; a later erase overwrites them.
INSERT OR IGNORE INTO departed VALUES (?)
