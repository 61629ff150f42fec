-- statement: these
{select} WHERE seq IN (SELECT value FROM json_each(?))

-- statement: vectors
SELECT o.id, v.vector FROM observation AS o JOIN vector AS v USING (seq)
WHERE o.id IN (SELECT unhex(value) FROM json_each(?)) AND v.vector IS NOT NULL

-- statement: coverage
SELECT live - (SELECT count(*) FROM unembedded)
  + (SELECT count(*) FROM observation JOIN unembedded USING (seq) WHERE purged_at IS NOT NULL), live
FROM statistics
