-- statement: side
{select} WHERE {within}(:purged OR purged_at IS NULL) AND (moment, seq) {beyond} (:moment, :seq)
ORDER BY moment {way}, seq {way} LIMIT :limit

-- statement: total
-- `purged_at` is stored after the text of a row. Reading that far costs more than counting twice in an index.
SELECT (SELECT count(*) FROM observation WHERE {within}(moment, seq) {beyond} (:moment, :seq))
  - iif(:purged, 0, (SELECT count(*) FROM observation INDEXED BY observation_purged
     WHERE purged_at IS NOT NULL AND {within}(moment, seq) {beyond} (:moment, :seq)))
