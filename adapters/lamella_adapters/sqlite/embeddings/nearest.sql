-- statement: passing
SELECT {columns} FROM observation AS o WHERE TRUE{conditions}

-- statement: nearest
SELECT seq, vector, {far} AS distance FROM vector WHERE vector IS NOT NULL AND purged = :purged{among}
ORDER BY distance, seq DESC LIMIT :limit
