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
