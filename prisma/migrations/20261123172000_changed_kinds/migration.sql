-- Nearly all changes leave a document's kind as it was (a new title, a new body), and then nothing has to be counted. This notes
-- for the rest of the transaction that a kind has changed; it runs before the triggers that count, which run once per statement.
CREATE FUNCTION "note_changed_kind"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM set_config('kb.kind_changed', 'yes', true);
  RETURN NULL;
END $$;

CREATE TRIGGER "documents_changed_kind"
  AFTER UPDATE OF "collectionId", "createdById", "publishedAt", "archivedAt", "deletedAt" ON "documents" FOR EACH ROW
  WHEN ((OLD."collectionId", OLD."createdById", OLD."publishedAt" IS NULL, OLD."archivedAt" IS NULL, OLD."deletedAt" IS NULL)
    IS DISTINCT FROM
    (NEW."collectionId", NEW."createdById", NEW."publishedAt" IS NULL, NEW."archivedAt" IS NULL, NEW."deletedAt" IS NULL))
  EXECUTE FUNCTION "note_changed_kind"();

CREATE OR REPLACE FUNCTION "count_documents"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  nothing CONSTANT uuid := '00000000-0000-0000-0000-000000000000';
BEGIN
  IF TG_OP = 'UPDATE' AND current_setting('kb.kind_changed', true) IS DISTINCT FROM 'yes' THEN
    RETURN NULL;
  ELSIF TG_OP = 'INSERT' THEN
    INSERT INTO "document_counts" AS known ("teamId", "collectionId", "createdById", "published", "archived", "count")
    SELECT d."teamId", COALESCE(d."collectionId", nothing),
      CASE WHEN d."publishedAt" IS NULL OR d."collectionId" IS NULL THEN COALESCE(d."createdById", nothing) ELSE nothing END,
      d."publishedAt" IS NOT NULL, d."archivedAt" IS NOT NULL, count(*)
    FROM "new_rows" d WHERE d."deletedAt" IS NULL GROUP BY 1, 2, 3, 4, 5 ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT ("teamId", "collectionId", "createdById", "published", "archived")
      DO UPDATE SET "count" = known."count" + EXCLUDED."count";
  ELSIF TG_OP = 'DELETE' THEN
    UPDATE "document_counts" known SET "count" = known."count" - gone."count"
    FROM (SELECT d."teamId", COALESCE(d."collectionId", nothing) AS "collectionId",
        CASE WHEN d."publishedAt" IS NULL OR d."collectionId" IS NULL THEN COALESCE(d."createdById", nothing) ELSE nothing END AS "createdById",
        d."publishedAt" IS NOT NULL AS "published", d."archivedAt" IS NOT NULL AS "archived", count(*) AS "count"
      FROM "old_rows" d WHERE d."deletedAt" IS NULL GROUP BY 1, 2, 3, 4, 5) gone
    WHERE known."teamId" = gone."teamId" AND known."collectionId" = gone."collectionId"
      AND known."createdById" = gone."createdById" AND known."published" = gone."published" AND known."archived" = gone."archived";
  ELSE
    INSERT INTO "document_counts" AS known ("teamId", "collectionId", "createdById", "published", "archived", "count")
    SELECT d."teamId", COALESCE(d."collectionId", nothing),
      CASE WHEN d."publishedAt" IS NULL OR d."collectionId" IS NULL THEN COALESCE(d."createdById", nothing) ELSE nothing END,
      d."publishedAt" IS NOT NULL, d."archivedAt" IS NOT NULL, sum(d.change)
    FROM (
      SELECT "teamId", "collectionId", "createdById", "publishedAt", "archivedAt", "deletedAt", 1 AS change FROM "new_rows"
      UNION ALL
      SELECT "teamId", "collectionId", "createdById", "publishedAt", "archivedAt", "deletedAt", -1 FROM "old_rows"
    ) d WHERE d."deletedAt" IS NULL GROUP BY 1, 2, 3, 4, 5 HAVING sum(d.change) <> 0 ORDER BY 1, 2, 3, 4, 5
    ON CONFLICT ("teamId", "collectionId", "createdById", "published", "archived")
      DO UPDATE SET "count" = known."count" + EXCLUDED."count";
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION "count_tags_of_documents"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF current_setting('kb.kind_changed', true) IS DISTINCT FROM 'yes' THEN
    RETURN NULL;
  END IF;
  INSERT INTO "document_tag_counts" AS known ("teamId", "tagId", "collectionId", "createdById", "published", "archived", "count")
  SELECT l."teamId", l."tagId", d."collectionId", d."createdById", d."published", d."archived", sum(d.change)
  FROM (
    SELECT "teamId", id, counted_id("collectionId") AS "collectionId",
      counted_author("publishedAt", "collectionId", "createdById") AS "createdById",
      "publishedAt" IS NOT NULL AS "published", "archivedAt" IS NOT NULL AS "archived", sum(change) AS change
    FROM (
      SELECT "teamId", id, "collectionId", "createdById", "publishedAt", "archivedAt", "deletedAt", 1 AS change FROM "new_rows"
      UNION ALL
      SELECT "teamId", id, "collectionId", "createdById", "publishedAt", "archivedAt", "deletedAt", -1 FROM "old_rows"
    ) both_rows WHERE "deletedAt" IS NULL GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(change) <> 0
  ) d CROSS JOIN LATERAL (SELECT t."teamId", t."tagId" FROM "document_tags" t
    WHERE t."teamId" = d."teamId" AND t."documentId" = d.id OFFSET 0) l
  GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum(d.change) <> 0 ORDER BY 1, 2, 3, 4, 5, 6
  ON CONFLICT ("teamId", "tagId", "collectionId", "createdById", "published", "archived")
    DO UPDATE SET "count" = known."count" + EXCLUDED."count";
  RETURN NULL;
END $$;
