-- statement: model
SELECT model, dimension FROM project WHERE number = here()

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
