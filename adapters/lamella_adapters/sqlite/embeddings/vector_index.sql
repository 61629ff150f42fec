-- statement: these
{select} WHERE seq IN (SELECT value FROM json_each(?))

-- statement: coverage
SELECT live - (SELECT count(*) FROM unembedded)
  + (SELECT count(*) FROM observation JOIN unembedded USING (seq) WHERE purged_at IS NOT NULL), live
FROM statistics
