-- statement: warned
SELECT 1 FROM told_removal JOIN observation USING (seq) WHERE id = ? AND mark = ?

-- statement: mark_warned
INSERT OR IGNORE INTO told_removal SELECT seq, ? FROM observation WHERE id = ?

-- statement: position
SELECT position FROM transcript_position WHERE source = ?

-- statement: session_names
SELECT session, name FROM session_name ORDER BY session
