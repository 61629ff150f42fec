-- statement: places
SELECT observation, message FROM unanalysed

-- statement: observations
SELECT seq, actor, kind, source, created_at, title, content, keywords, session, moment, purged_at IS NOT NULL,
  indexed_title, heading, sub, context
FROM observation WHERE seq <= ? ORDER BY seq DESC LIMIT ?

-- statement: messages
SELECT number, session, role, at, text, heading, sub, context
FROM message WHERE number <= ? ORDER BY number DESC LIMIT ?

-- statement: set_observation
UPDATE observation SET indexed_title = ?, heading = ?, sub = ?, context = ? WHERE seq = ?

-- statement: set_message
UPDATE message SET heading = ?, sub = ?, context = ? WHERE number = ?
