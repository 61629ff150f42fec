-- Rows for the tables that no save fills.
DELETE FROM unembedded WHERE seq % 2;
INSERT INTO embedding_model VALUES ('static', 64);
INSERT INTO message (key, origin, session, role, at, heading, text, sub, context)
  SELECT 'record' || seq || '/0', origin, session, 'human', created_at, 'human', 'zebra said ' || content, '', ''
  FROM observation;
INSERT INTO session_name (session, name) SELECT DISTINCT session, 'About ' || session FROM observation;
INSERT INTO transcript_position SELECT 'source' || seq, 'position' || seq, origin FROM observation;
INSERT INTO summary SELECT session, 1, seq, seq + 19, 'print' || seq, '[]', '[]' FROM observation;
INSERT INTO erased_message SELECT randomblob(32) FROM observation;
INSERT INTO departed SELECT randomblob(16) FROM observation;
INSERT INTO capture SELECT randomblob(32), origin FROM observation;
INSERT INTO told_removal SELECT seq, randomblob(32) FROM observation;
INSERT INTO activity SELECT 'done' || seq, created_at, 'injected', session, 'prompt', 40, origin, hex(id), NULL
  FROM observation;
INSERT INTO waiting_title SELECT 'title' || seq, 'A title', origin FROM observation;
INSERT INTO audit (id, at, action, actor, count, origin)
  SELECT randomblob(16), created_at, 'purge', actor, 1, origin FROM observation;
INSERT INTO audited SELECT number, 'purged', 0, randomblob(16) FROM audit WHERE number > 1;
INSERT INTO off_period SELECT seq, created_at FROM observation;
INSERT INTO session_end SELECT 'end' || seq, session, origin FROM observation;
