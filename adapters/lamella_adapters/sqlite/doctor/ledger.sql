-- statement: malformed
SELECT l.seq FROM changed_lines AS l LEFT JOIN code_change AS c USING (seq, place)
WHERE c.seq IS NULL OR length(came) % 8 OR length(went) % 8
UNION SELECT seq FROM told_removal WHERE seq NOT IN (SELECT seq FROM observation)

-- statement: compared
-- Changes that have aged have lost their hunks, and keep their counts.
SELECT seq, place, came, went FROM changed_lines JOIN code_change USING (seq, place)
WHERE hunks <> '' OR packed IS NOT NULL OR NOT coalesce(additions + deletions, 0) ORDER BY seq DESC LIMIT ?
