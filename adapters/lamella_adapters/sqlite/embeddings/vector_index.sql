-- statement: these
{select} WHERE seq IN (SELECT value FROM json_each(?))

-- statement: coverage
SELECT live - (SELECT count(*) FROM unembedded)
  + (SELECT count(*) FROM observation JOIN unembedded USING (seq) WHERE purged_at IS NOT NULL), live
FROM statistics

-- statement: passing
SELECT {columns} FROM observation AS o WHERE TRUE{conditions}

-- statement: nearest
SELECT seq, vector, {far} AS distance FROM vector WHERE vector IS NOT NULL AND purged = :purged{among}
ORDER BY distance, seq DESC LIMIT :limit
