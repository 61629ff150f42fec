-- statement: make
CREATE TABLE IF NOT EXISTS copied (
  revision INTEGER NOT NULL, sequence INTEGER NOT NULL, settled INTEGER, whole INTEGER NOT NULL
) STRICT

-- statement: begin
INSERT INTO copied SELECT -1, 0, NULL, 0 WHERE NOT EXISTS (SELECT 1 FROM copied)

-- statement: copied
SELECT revision, sequence, settled FROM copied

-- statement: advance
UPDATE copied SET revision = ?, sequence = ?, settled = NULL

-- statement: settle
UPDATE copied SET settled = ?, whole = 1

-- statement: place
SELECT seq, session, moment FROM observation WHERE id = ?

-- statement: lead
INSERT OR REPLACE INTO alias VALUES (?, ?)

-- statement: places
SELECT alias, project FROM alias

-- statement: unled
SELECT id FROM project WHERE id NOT IN (SELECT project FROM alias)
