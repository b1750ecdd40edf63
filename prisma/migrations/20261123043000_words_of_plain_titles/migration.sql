-- Where no script without spaces occurs, the words are those between the punctuation. PostgreSQL expected 200,000 words of every title
-- and prepared to sort them, which took as long as the rest of the change, under the lock of the team's clock.
CREATE OR REPLACE FUNCTION "title_words"(title text) RETURNS SETOF text LANGUAGE plpgsql IMMUTABLE ROWS 10 AS $$
BEGIN
  IF normalize(title, NFKD) !~ '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]' THEN
    RETURN QUERY SELECT word FROM split_title(title) AS word;
    RETURN;
  END IF;
  RETURN QUERY SELECT word FROM split_title(title) AS word
    UNION
    SELECT substr(word, place) FROM split_title(title) AS word, generate_series(2, length(word)) AS place
    WHERE word ~ '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]';
END $$;

-- Writes only the words that a change adds or removes: each new one is checked against its document.
CREATE OR REPLACE FUNCTION "index_title"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  wanted CONSTANT text[] := ARRAY(SELECT word FROM title_words(NEW."titleKey") AS word);
BEGIN
  IF TG_OP = 'UPDATE' THEN
    DELETE FROM "document_title_words" w
    WHERE w."teamId" = NEW."teamId" AND w."documentId" = NEW.id AND w."word" <> ALL (wanted);
  END IF;
  INSERT INTO "document_title_words" ("teamId", "word", "documentId")
  SELECT NEW."teamId", word, NEW.id FROM unnest(wanted) AS word ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;
