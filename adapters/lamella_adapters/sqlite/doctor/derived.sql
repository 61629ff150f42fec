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

-- statement: counts
SELECT live, spoken FROM statistics, message_statistics

-- statement: counted
SELECT (SELECT count(*) FROM observation WHERE purged_at IS NULL), (SELECT count(*) FROM message WHERE {spoken})

-- statement: pages
-- Terms, and the pages that they lead to. SQLite's fts5_index.c documents the ids, the format of pages, and varints.
SELECT term, block FROM {index}_idx AS leads LEFT JOIN {index}_data ON id = (leads.segid << 37) + (leads.pgno >> 1)

-- statement: malformed
SELECT l.seq FROM changed_lines AS l LEFT JOIN code_change AS c USING (seq, place)
WHERE c.seq IS NULL OR length(came) % 8 OR length(went) % 8
UNION SELECT seq FROM told_removal WHERE seq NOT IN (SELECT seq FROM observation)

-- statement: compared
-- Aged changes have lost their hunks, but keep their counts.
SELECT seq, place, came, went FROM changed_lines JOIN code_change USING (seq, place)
WHERE hunks <> '' OR packed IS NOT NULL OR NOT coalesce(additions + deletions, 0) ORDER BY seq DESC LIMIT ?
