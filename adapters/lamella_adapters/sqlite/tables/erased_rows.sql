-- The position of an observation.
-- statement: place
SELECT seq, session, moment FROM observation WHERE id = ?

-- The id of a row that moved to another file, with bytes that may remain in this one.
-- statement: departed
SELECT 1 FROM departed WHERE id = ?

-- statement: any_activity
SELECT 1 FROM activity WHERE session = ? LIMIT 1

-- statement: replaced_by
SELECT 1 FROM observation WHERE purged_at IS NOT NULL AND replaced_by = ?

-- statement: audited
SELECT 1 FROM audited WHERE memory = ? LIMIT 1

-- statement: shown
SELECT 1 FROM activity WHERE instr(memories, lower(hex(?))) LIMIT 1

-- statement: unshow
UPDATE activity SET memories = replace(memories, :id || ' ', ''), edit = NULL WHERE instr(memories, :id)

-- statement: unlink
UPDATE observation SET replaced_by = NULL WHERE purged_at IS NOT NULL AND replaced_by = ?

-- statement: keys
SELECT number, key FROM message WHERE session = ? ORDER BY number

-- statement: ends
SELECT record FROM session_end WHERE session = ?

-- statement: stored
SELECT key FROM message WHERE key IN (SELECT value FROM json_each(?))

-- statement: erased
SELECT 1 FROM erased_message WHERE mark = ?

-- statement: marks
SELECT mark FROM erased_message

-- statement: remember
INSERT OR IGNORE INTO erased_message VALUES (?)
