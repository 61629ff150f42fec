-- statement: model
SELECT model, dimension FROM project WHERE number = here()

-- statement: adopt
UPDATE project SET model = %(name)s, dimension = %(dimension)s WHERE number = here()

-- statement: drop
DELETE FROM vector WHERE project = here()

-- statement: pending
SELECT {columns} FROM observation AS o
WHERE o.project = here() AND o.purged_at IS NULL
  AND NOT EXISTS (SELECT 1 FROM vector AS v WHERE v.project = here() AND v.seq = o.seq)
ORDER BY o.seq DESC LIMIT %(limit)s

-- statement: put
INSERT INTO vector (project, seq, vector, code)
SELECT here(), o.seq, a.vector, a.code::bit varying
FROM unnest(%(ids)s::uuid[], %(digests)s::bytea[], %(vectors)s::bytea[], %(codes)s::text[])
  AS a (id, digest, vector, code)
JOIN observation AS o ON o.project = here() AND o.id = a.id AND sha256(convert_to(o.content, 'UTF8')) = a.digest
ON CONFLICT (project, seq) DO UPDATE SET vector = excluded.vector, code = excluded.code

-- statement: nearest
-- Sign codes are compared by the server, which needs no extension for that; vectors are compared here.
SELECT o.seq, v.vector FROM vector AS v JOIN observation AS o ON o.project = here() AND o.seq = v.seq
WHERE v.project = here() AND v.vector IS NOT NULL AND (o.purged_at IS NOT NULL) = %(away)s{conditions}
ORDER BY bit_count(v.code # %(code)s::bit varying), o.seq DESC
LIMIT (
  SELECT CASE WHEN count(*) < {coded_from} THEN {coded_from}
    ELSE greatest(%(most)s, count(*) * {share}) END::bigint
  FROM vector WHERE project = here())

-- statement: compared
SELECT o.id, v.vector FROM vector AS v JOIN observation AS o ON o.project = here() AND o.seq = v.seq
WHERE v.project = here() AND v.vector IS NOT NULL AND o.id = ANY(%(compared)s::uuid[])

-- statement: coverage
SELECT count(v.seq), count(*)
FROM observation AS o LEFT JOIN vector AS v ON v.project = here() AND v.seq = o.seq
WHERE o.project = here() AND o.purged_at IS NULL
