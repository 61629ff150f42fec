-- statement: insert
INSERT INTO message (number, {columns}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)

-- statement: messages
SELECT {fields} FROM message WHERE number IN (SELECT value FROM json_each(?)) ORDER BY number

-- statement: drafts
SELECT number, {draft_fields} FROM message WHERE number > ? ORDER BY number LIMIT ?

-- statement: beside
SELECT number, heading, sub FROM message WHERE number IN (SELECT value FROM json_each(?))

-- statement: before
-- The condition is repeated literally, for SQLite to use the partial index `message_spoken`.
SELECT substr(text, 1, ?) FROM message WHERE session = ? AND {spoken} AND number < ? ORDER BY number DESC LIMIT ?

-- statement: said_by_human
SELECT text FROM message WHERE session = ? AND role = 'human' ORDER BY number

-- statement: sessions
SELECT session, first, last, count, (SELECT client FROM message WHERE number = latest) FROM (
  SELECT session, min(at) AS first, max(at) AS last, count(*) AS count, max(number) AS latest
  FROM message{one} GROUP BY session
) ORDER BY last DESC, session

-- statement: summaries
SELECT fingerprint, first, last, sentences, files FROM summary WHERE session = ? AND level = ?

-- statement: forget_summaries
DELETE FROM summary WHERE session = ?

-- statement: forget_name
DELETE FROM session_name WHERE session = :session AND NOT EXISTS (SELECT 1 FROM message WHERE session = :session)
