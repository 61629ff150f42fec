-- statement: counts
SELECT live, spoken FROM statistics, message_statistics

-- statement: counted
SELECT (SELECT count(*) FROM observation WHERE purged_at IS NULL), (SELECT count(*) FROM message WHERE {spoken})

-- statement: pages
-- Terms and the pages that they lead to. Ids, pages and varints are those of SQLite's fts5_index.c.
SELECT term, block FROM {index}_idx AS leads LEFT JOIN {index}_data ON id = (leads.segid << 37) + (leads.pgno >> 1)
