-- statement: last_number
SELECT message FROM project WHERE number = here()

-- statement: before
-- Latest texts of the given sessions, latest first.
SELECT a.session, ARRAY(
  SELECT left(o.text, %(characters)s) FROM message AS o
  WHERE o.project = here() AND o.session = a.session AND {spoken}
  ORDER BY o.number DESC LIMIT %(count)s)
FROM unnest(%(sessions)s::text[]) AS a (session)

-- statement: titles
-- For each record of a title: its waiting title, the session of its message, and the session that ends with it. A
-- message's key is its record, a slash, and a part without a slash. "0" is the character after "/".
SELECT r.record, w.title,
  (SELECT m.session FROM message AS m WHERE m.project = here() AND m.key >= r.record || '/'
     AND m.key < r.record || '0' AND strpos(substr(m.key, length(r.record) + 2), '/') = 0 LIMIT 1),
  (SELECT e.session FROM session_end AS e WHERE e.project = here() AND e.record = r.record)
FROM (
  SELECT unnest(%(records)s::text[]) UNION SELECT record FROM waiting_title WHERE project = here()
) AS r (record) LEFT JOIN waiting_title AS w ON w.project = here() AND w.record = r.record
ORDER BY w.place

-- statement: sessions
-- For each session: whether its name is a title, and whether it has messages.
SELECT a.session, n.titled,
  EXISTS (SELECT 1 FROM message AS m WHERE m.project = here() AND m.session = a.session)
FROM unnest(%(sessions)s::text[]) AS a (session)
LEFT JOIN session_name AS n ON n.project = here() AND n.session = a.session

-- statement: name_session
INSERT INTO session_name (project, session, name, titled) VALUES (here(), %(session)s, %(name)s, %(titled)s)
ON CONFLICT (project, session) DO UPDATE SET name = excluded.name, titled = excluded.titled

-- statement: put_position
INSERT INTO transcript_position (project, source, position, origin)
VALUES (here(), %(source)s, %(position)s, %(origin)s)
ON CONFLICT (project, source) DO UPDATE SET position = excluded.position, origin = excluded.origin

-- statement: drop
DELETE FROM {table} WHERE project = here() AND record = ANY(%(records)s::text[])

-- statement: keep
INSERT INTO {table} (project, record, {column}, origin)
SELECT here(), record, said, %(origin)s
FROM unnest(%(records)s::text[], %(said)s::text[]) WITH ORDINALITY AS k (record, said, place) ORDER BY place

-- statement: limit_ends
DELETE FROM session_end WHERE project = here() AND place <= (
  SELECT place FROM session_end WHERE project = here() ORDER BY place DESC OFFSET %(most)s LIMIT 1)

-- statement: keep_summary
INSERT INTO summary (project, session, level, first, last, fingerprint, sentences, files)
SELECT here(), %(session)s, %(level)s, %(first)s, %(last)s, %(fingerprint)s, %(sentences)s, %(files)s
WHERE EXISTS (SELECT 1 FROM message WHERE project = here() AND session = %(session)s)
ON CONFLICT (project, session, level, first) DO UPDATE
SET last = excluded.last, fingerprint = excluded.fingerprint, sentences = excluded.sentences,
  files = excluded.files
