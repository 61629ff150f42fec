-- statement: before
SELECT title, substr(content, 1, :characters) FROM observation
WHERE session = :session AND purged_at IS NULL AND (moment, seq) < (:moment, :seq)
ORDER BY moment DESC, seq DESC LIMIT :count

-- statement: followers
-- A single comparison of (moment, seq) would read all rows that an import dated to the same moment.
SELECT * FROM (
  SELECT seq, moment, content FROM observation
  WHERE session = :session AND purged_at IS NULL AND moment = :moment AND seq > :seq
  ORDER BY seq LIMIT :count)
UNION ALL
SELECT * FROM (
  SELECT seq, moment, content FROM observation
  WHERE session = :session AND purged_at IS NULL AND moment > :moment
  ORDER BY moment, seq LIMIT :count)
LIMIT :count

-- statement: arrived
SELECT session, moment, purged_at IS NULL, content FROM observation WHERE seq = ? AND session IS NOT NULL
