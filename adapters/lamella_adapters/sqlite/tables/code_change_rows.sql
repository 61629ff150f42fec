-- statement: read
SELECT seq, place, packed, iif(packed IS NULL, '', (SELECT content FROM observation AS o WHERE o.seq = c.seq)),
  {columns} FROM code_change AS c
WHERE seq IN (SELECT value FROM json_each(?)) ORDER BY seq, place

-- statement: read_rows
SELECT place, {columns}, packed FROM code_change WHERE seq = ?

-- statement: write
INSERT OR REPLACE INTO code_change (seq, place, {columns}, packed) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)

-- statement: read_lines
SELECT place, came, went FROM changed_lines WHERE seq = ?

-- statement: read_all_lines
SELECT seq, place, came, went FROM changed_lines JOIN code_change USING (seq, place)
WHERE seq IN (SELECT value FROM json_each(?)) AND hunks = '' AND packed IS NULL AND (came <> x'' OR went <> x'')

-- statement: write_lines
INSERT OR REPLACE INTO changed_lines VALUES (?, ?, ?, ?)

-- statement: read_told
SELECT seq, mark FROM told_removal WHERE seq = ?

-- statement: write_told
INSERT INTO told_removal VALUES (?, ?)
