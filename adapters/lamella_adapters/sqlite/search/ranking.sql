-- statement: rank
-- ORDER BY bm25() in a subquery takes half the time of ORDER BY rank. In FTS5, lower scores are better. The factor is
-- outside of the subquery, so that it is computed for the best rows only.
SELECT seq, score, {factor} FROM (
  SELECT seq, score FROM (
    SELECT rowid AS seq, bm25({index}, {weights}) AS score FROM {index} WHERE {index} MATCH :match{passing}
  ) WHERE score * :highest <= :enough ORDER BY score, seq DESC LIMIT :limit
) AS ranked

-- statement: among
-- The plus sign keeps FTS5 from starting its search again for each row. Scores are computed for these rows only.
 AND +rowid IN (SELECT rowid FROM {index} WHERE {index} MATCH :among)

-- statement: columns
SELECT seq, kind, indexed_title, {account}, sub, context FROM observation AS o
WHERE {conditions}
