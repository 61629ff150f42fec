-- statement: insert
INSERT OR IGNORE INTO audit (id, at, action, actor, author, session, undoes, count, old, new, origin)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)

-- statement: read
SELECT number, id, at, action, actor, author, session, undoes, count, old, new, origin FROM audit

-- statement: leaving
SELECT number, id, at, action, actor, author, session, undoes, count, old, new,
  CASE WHEN {leaving} THEN origin WHEN old IN (SELECT value FROM json_each(:origins)) THEN old ELSE new END
FROM audit WHERE {leaving}
  OR action = 'split' AND EXISTS (SELECT 1 FROM json_each(:origins) WHERE value IN (old, new))
ORDER BY at, number

-- statement: keep_split
UPDATE audit SET origin = CASE WHEN old IN (SELECT value FROM json_each(:rest)) THEN old ELSE new END
WHERE action = 'split' AND {leaving} AND EXISTS (SELECT 1 FROM json_each(:rest) WHERE value IN (old, new))

-- statement: leave
DELETE FROM audit WHERE {leaving}

-- statement: latest
SELECT max(at) FROM audit

-- statement: audited
SELECT change, place, memory FROM audited WHERE entry = ? ORDER BY change, place

-- statement: first_audited
SELECT memory FROM audited WHERE entry = ? AND change = ? ORDER BY place LIMIT ?

-- statement: audited_among
SELECT memory FROM audited INDEXED BY audited_memory
WHERE entry = ? AND change = ? AND memory IN (SELECT unhex(value) FROM json_each(?))
ORDER BY place

-- statement: name
INSERT INTO audited VALUES (?, ?, ?, ?)

-- statement: name_new
INSERT INTO audited SELECT :entry, :change,
  (SELECT coalesce(max(place) + 1, 0) FROM audited WHERE entry = :entry AND change = :change), :memory
WHERE NOT EXISTS (SELECT 1 FROM audited WHERE memory = :memory AND entry = :entry AND change = :change)

-- statement: known
SELECT number FROM audit WHERE id = ?

-- statement: late
SELECT number FROM audit WHERE (at, number) >= (
  SELECT at, number FROM (SELECT at, number, max(number) OVER (ORDER BY at, number) AS highest FROM audit)
  WHERE number < highest ORDER BY at, number LIMIT 1
) ORDER BY at, number

-- statement: numbered
SELECT seq FROM sqlite_sequence WHERE name = 'audit'

-- statement: count_more
UPDATE audit SET count = count + ? WHERE number = ?
