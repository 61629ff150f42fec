-- statement: wrong
SELECT seq FROM vector LEFT JOIN observation AS o USING (seq) LEFT JOIN embedding_model
WHERE o.seq IS NULL OR dimension IS NULL OR purged <> (purged_at IS NOT NULL)
  OR (code IS NULL) <> (vector IS NULL) OR length(vector) <> dimension
UNION SELECT seq FROM unembedded WHERE seq NOT IN (SELECT seq FROM observation)
UNION SELECT seq FROM observation
  WHERE (seq IN (SELECT seq FROM vector)) = (seq IN (SELECT seq FROM unembedded))

-- statement: codes
SELECT seq, code, vector FROM vector WHERE code IS NOT NULL AND vector IS NOT NULL

-- statement: embedded
SELECT name, (SELECT count(*) FROM live WHERE seq NOT IN (SELECT seq FROM unembedded)), (SELECT count(*) FROM live)
FROM embedding_model
