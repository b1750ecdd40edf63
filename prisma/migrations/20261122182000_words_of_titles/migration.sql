-- CreateTable
CREATE TABLE "document_title_words" (
    "teamId" UUID NOT NULL,
    "word" TEXT COLLATE "C" NOT NULL,
    "documentId" UUID NOT NULL,

    CONSTRAINT "document_title_words_pkey" PRIMARY KEY ("teamId","word","documentId"),
    CONSTRAINT "document_title_words_teamId_documentId_fkey" FOREIGN KEY ("teamId", "documentId") REFERENCES "documents"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "document_title_words_teamId_documentId_idx" ON "document_title_words"("teamId", "documentId");

-- The words of a folded title, without accents. Punctuation and spaces of all scripts separate them.
CREATE OR REPLACE FUNCTION "split_title"(title text) RETURNS SETOF text LANGUAGE sql IMMUTABLE
  AS $$ SELECT DISTINCT left(part, 64) FROM regexp_split_to_table(
    regexp_replace(normalize(title, NFKD), '[\u0300-\u036f]', '', 'g'),
    '[\u0001-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u00bf\u2000-\u206f\u3000-\u303f]+'
  ) AS part WHERE part <> '' $$;

-- The words by which a title is found: where a script has no spaces, a word begins at each of its characters.
CREATE OR REPLACE FUNCTION "title_words"(title text) RETURNS SETOF text LANGUAGE sql IMMUTABLE
  AS $$ SELECT word FROM split_title(title) AS word
    UNION
    SELECT substr(word, place) FROM split_title(title) AS word, generate_series(2, length(word)) AS place
    WHERE word ~ '[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]' $$;

-- A trigger, so that the words are right whichever release writes the title.
CREATE OR REPLACE FUNCTION "index_title"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    DELETE FROM "document_title_words" w WHERE w."teamId" = NEW."teamId" AND w."documentId" = NEW.id;
  END IF;
  INSERT INTO "document_title_words" ("teamId", "word", "documentId")
  SELECT NEW."teamId", word, NEW.id FROM title_words(NEW."titleKey") AS word ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE TRIGGER "documents_titled" AFTER INSERT ON "documents" FOR EACH ROW EXECUTE FUNCTION "index_title"();
CREATE TRIGGER "documents_retitled" AFTER UPDATE OF "titleKey" ON "documents" FOR EACH ROW
  WHEN (OLD."titleKey" IS DISTINCT FROM NEW."titleKey") EXECUTE FUNCTION "index_title"();

-- Adds the words of all titles that have none yet.
CREATE OR REPLACE FUNCTION "index_titles"() RETURNS void LANGUAGE sql AS $$
  INSERT INTO "document_title_words" ("teamId", "word", "documentId")
  SELECT d."teamId", word, d.id FROM "documents" d CROSS JOIN LATERAL title_words(d."titleKey") AS word
  ON CONFLICT DO NOTHING
$$;
