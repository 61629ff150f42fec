-- statement: amend
UPDATE observation SET title = %(title)s, title_key = %(title_key)s, content = %(content)s, sub = %(sub)s,
  source = %(source)s, updated_at = %(updated_at)s, changes = %(changes)s, aged = %(aged)s
WHERE project = here() AND seq = %(seq)s

-- statement: forget_changes
DELETE FROM code_change WHERE project = here() AND seq = %(seq)s

-- statement: add_changes
INSERT INTO code_change (project, seq, place, path_key, path, former, came, went)
SELECT here(), %(seq)s, place - 1, left(path, %(characters)s), path, former, came, went
FROM unnest(%(paths)s::text[], %(formers)s::text[], %(came)s::bytea[], %(went)s::bytea[])
  WITH ORDINALITY AS c (path, former, came, went, place)

-- statement: forget_vector
DELETE FROM vector WHERE project = here() AND seq = %(seq)s

-- statement: insert
INSERT INTO observation (project, {written})
VALUES (here(), {values})

-- statement: beside
(SELECT b.id FROM observation AS b WHERE b.project = here() AND b.id < o.id ORDER BY b.id DESC LIMIT 1),
(SELECT b.id FROM observation AS b WHERE b.project = here() AND b.id > o.id ORDER BY b.id LIMIT 1)

-- Rows with ids in the range of the row `a`.
-- statement: between
SELECT * FROM observation AS o WHERE o.project = here() AND o.id BETWEEN a.first AND a.last
ORDER BY o.id LIMIT %(each)s
