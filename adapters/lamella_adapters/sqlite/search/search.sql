-- statement: passing
 AND EXISTS (SELECT 1 FROM observation AS o WHERE o.seq = {index}.rowid{conditions})

-- statement: few
-- The plus sign keeps FTS5 from starting its search again for each row.
 AND +rowid IN (SELECT seq FROM observation AS o WHERE purged_at IS NULL{conditions})

-- statement: none
 AND FALSE

-- statement: matching
SELECT count(*) FROM (SELECT 1 FROM {index} WHERE {index} MATCH :match{passing} LIMIT :limit)

-- statement: these
SELECT {columns}, sub, heading FROM observation WHERE seq IN (SELECT value FROM json_each(?))

-- statement: counted
SELECT count(*) FROM (SELECT 1 FROM observation AS o WHERE {seen}{conditions} LIMIT :limit)

-- statement: kinds
SELECT kind, count(*) FROM observation WHERE {condition} GROUP BY kind

-- statement: kind_between
SELECT count(*) FROM observation WHERE kind = ? AND moment >= ? AND moment < ? AND purged_at IS NULL

-- statement: purged
SELECT count(*) FROM observation WHERE purged_at IS NOT NULL

-- statement: any_captured
-- Live rows are counted in the index of kinds, which has only live rows.
SELECT :purged OR EXISTS (SELECT 1 FROM observation WHERE kind IN ('change', 'summary') AND purged_at IS NULL)

-- statement: kind_weight
(SELECT CASE kind WHEN 'note' THEN 1.0 ELSE {captured} END FROM observation WHERE seq = ranked.seq)

-- statement: side
{select} WHERE {within}(:purged OR purged_at IS NULL) AND (moment, seq) {beyond} (:moment, :seq)
ORDER BY moment {way}, seq {way} LIMIT :limit

-- statement: total
-- Count all rows and subtract the purged ones, both in indexes. Reading `purged_at` from each row would take
-- longer, because it is stored after the text.
SELECT (SELECT count(*) FROM observation WHERE {within}(moment, seq) {beyond} (:moment, :seq))
  - iif(:purged, 0, (SELECT count(*) FROM observation INDEXED BY observation_purged
     WHERE purged_at IS NOT NULL AND {within}(moment, seq) {beyond} (:moment, :seq)))
