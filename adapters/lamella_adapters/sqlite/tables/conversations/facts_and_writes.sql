-- statement: last
SELECT coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'message'), 0)

-- statement: waiting
SELECT record, title FROM waiting_title ORDER BY rowid

-- statement: said
-- A message's key is its record, a slash and a part without a slash. "0" is the character after "/".
SELECT value, session FROM json_each(?) JOIN message ON number = (
  SELECT number FROM message WHERE key >= value || '/' AND key < value || '0'
  AND instr(substr(key, length(value) + 2), '/') = 0 LIMIT 1)

-- statement: ended
SELECT record, session FROM session_end WHERE record IN (SELECT value FROM json_each(?))

-- statement: names
SELECT session, titled FROM session_name WHERE session IN (SELECT value FROM json_each(?))

-- statement: silent
SELECT value FROM json_each(?) WHERE NOT EXISTS (SELECT 1 FROM message WHERE session = value)

-- statement: name_session
INSERT OR REPLACE INTO session_name VALUES (?, ?, ?)

-- statement: put_position
INSERT OR REPLACE INTO transcript_position VALUES (?, ?, ?)

-- statement: keep_end
INSERT OR REPLACE INTO session_end VALUES (?, ?, ?)

-- statement: limit_ends
DELETE FROM session_end WHERE rowid IN (SELECT rowid FROM session_end ORDER BY rowid DESC LIMIT -1 OFFSET ?)

-- statement: keep_title
INSERT OR REPLACE INTO waiting_title VALUES (?, ?, ?)

-- statement: keep_summary
INSERT OR REPLACE INTO summary VALUES (?, ?, ?, ?, ?, ?, ?)

-- statement: drop_titles
DELETE FROM waiting_title

-- statement: drop_title
DELETE FROM waiting_title WHERE record = ?
