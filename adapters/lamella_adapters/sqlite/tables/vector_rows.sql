-- statement: vectors
SELECT o.id, v.vector FROM observation AS o JOIN vector AS v USING (seq)
WHERE o.id IN (SELECT unhex(value) FROM json_each(?)) AND v.vector IS NOT NULL

-- statement: put
INSERT INTO vector SELECT seq, purged_at IS NOT NULL, :code, :vector FROM observation WHERE id = :id
ON CONFLICT DO UPDATE SET code = excluded.code, vector = excluded.vector

-- statement: embedded
DELETE FROM unembedded WHERE seq = (SELECT seq FROM observation WHERE id = :id)
