-- CreateTable
CREATE TABLE "document_tag_counts" (
    "teamId" UUID NOT NULL,
    "tagId" UUID NOT NULL,
    "collectionId" UUID NOT NULL,
    "createdById" UUID NOT NULL,
    "published" BOOLEAN NOT NULL,
    "archived" BOOLEAN NOT NULL,
    "count" BIGINT NOT NULL,

    CONSTRAINT "document_tag_counts_pkey" PRIMARY KEY ("teamId","tagId","collectionId","createdById","published","archived")
);

-- In the order in which writers take them.
LOCK TABLE "documents", "document_tags" IN SHARE ROW EXCLUSIVE MODE;

-- The kind of a document, as document_counts tells them apart. The author matters of drafts and of what has no collection.
CREATE OR REPLACE FUNCTION "counted_id"(id uuid) RETURNS uuid LANGUAGE sql IMMUTABLE
  AS $$ SELECT COALESCE(id, '00000000-0000-0000-0000-000000000000'::uuid) $$;
CREATE OR REPLACE FUNCTION "counted_author"("publishedAt" timestamptz, "collectionId" uuid, "createdById" uuid) RETURNS uuid
  LANGUAGE sql IMMUTABLE
  AS $$ SELECT counted_id(CASE WHEN "publishedAt" IS NULL OR "collectionId" IS NULL THEN "createdById" END) $$;

-- A tag that is put on documents, or taken from them. Each is looked up: a plan is kept for the session, and made for many
-- would be slow for one. Adding what is negative, too, so that it does not matter whether a kind
-- has been counted before.
CREATE OR REPLACE FUNCTION "count_document_tags"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO "document_tag_counts" AS known ("teamId", "tagId", "collectionId", "createdById", "published", "archived", "count")
  SELECT l."teamId", l."tagId", counted_id(d."collectionId"), counted_author(d."publishedAt", d."collectionId", d."createdById"),
    d."publishedAt" IS NOT NULL, d."archivedAt" IS NOT NULL, CASE WHEN TG_OP = 'INSERT' THEN count(*) ELSE -count(*) END
  FROM "links" l CROSS JOIN LATERAL (SELECT * FROM "documents" o WHERE o."teamId" = l."teamId" AND o.id = l."documentId" LIMIT 1) d
  WHERE d."deletedAt" IS NULL GROUP BY 1, 2, 3, 4, 5, 6 ORDER BY 1, 2, 3, 4, 5, 6
  ON CONFLICT ("teamId", "tagId", "collectionId", "createdById", "published", "archived")
    DO UPDATE SET "count" = known."count" + EXCLUDED."count";
  RETURN NULL;
END $$;

CREATE TRIGGER "document_tags_counted_in" AFTER INSERT ON "document_tags"
  REFERENCING NEW TABLE AS "links" FOR EACH STATEMENT EXECUTE FUNCTION "count_document_tags"();
CREATE TRIGGER "document_tags_counted_out" AFTER DELETE ON "document_tags"
  REFERENCING OLD TABLE AS "links" FOR EACH STATEMENT EXECUTE FUNCTION "count_document_tags"();

-- Documents that change their kind. No statement changes a document and its tags both, or a tag would be counted twice.
CREATE OR REPLACE FUNCTION "count_tags_of_documents"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
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

CREATE TRIGGER "documents_tags_counted_again" AFTER UPDATE ON "documents"
  REFERENCING OLD TABLE AS "old_rows" NEW TABLE AS "new_rows" FOR EACH STATEMENT EXECUTE FUNCTION "count_tags_of_documents"();

-- The tags of a document that goes are taken from it first: behind it, its kind would not be known any more. What is in the
-- trash is not counted.
CREATE OR REPLACE FUNCTION "untag_document"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  DELETE FROM "document_tags" WHERE "teamId" = OLD."teamId" AND "documentId" = OLD.id;
  RETURN OLD;
END $$;

CREATE TRIGGER "documents_tags_counted_out" BEFORE DELETE ON "documents"
  FOR EACH ROW WHEN (OLD."deletedAt" IS NULL) EXECUTE FUNCTION "untag_document"();

-- Counts what is there anew, beside whatever is being written: what is missing is added to the counts as they then are. One at
-- a time, or both would add it. Changes wait only while what was found is written down, and not while it is counted.
CREATE OR REPLACE FUNCTION "recount_documents"() RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  missing "document_counts"[];
  missing_of_tags "document_tag_counts"[];
BEGIN
  PERFORM pg_advisory_xact_lock(hashtext('recount_documents'));
  SELECT array_agg((m."teamId", m."collectionId", m."createdById", m."published", m."archived", m."count")::"document_counts")
  INTO missing FROM (
    SELECT "teamId", "collectionId", "createdById", "published", "archived", sum("count")::bigint AS "count" FROM (
      SELECT "teamId", counted_id("collectionId") AS "collectionId",
        counted_author("publishedAt", "collectionId", "createdById") AS "createdById",
        "publishedAt" IS NOT NULL AS "published", "archivedAt" IS NOT NULL AS "archived", count(*) AS "count"
      FROM "documents" WHERE "deletedAt" IS NULL GROUP BY 1, 2, 3, 4, 5
      UNION ALL
      SELECT "teamId", "collectionId", "createdById", "published", "archived", -"count" FROM "document_counts"
    ) both_counts GROUP BY 1, 2, 3, 4, 5 HAVING sum("count") <> 0
  ) m;
  SELECT array_agg(
    (m."teamId", m."tagId", m."collectionId", m."createdById", m."published", m."archived", m."count")::"document_tag_counts")
  INTO missing_of_tags FROM (
    SELECT "teamId", "tagId", "collectionId", "createdById", "published", "archived", sum("count")::bigint AS "count" FROM (
      SELECT l."teamId", l."tagId", counted_id(d."collectionId") AS "collectionId",
        counted_author(d."publishedAt", d."collectionId", d."createdById") AS "createdById",
        d."publishedAt" IS NOT NULL AS "published", d."archivedAt" IS NOT NULL AS "archived", count(*) AS "count"
      FROM "document_tags" l JOIN "documents" d ON d."teamId" = l."teamId" AND d.id = l."documentId"
      WHERE d."deletedAt" IS NULL GROUP BY 1, 2, 3, 4, 5, 6
      UNION ALL
      SELECT "teamId", "tagId", "collectionId", "createdById", "published", "archived", -"count" FROM "document_tag_counts"
    ) both_counts GROUP BY 1, 2, 3, 4, 5, 6 HAVING sum("count") <> 0
  ) m;
  LOCK TABLE "document_counts", "document_tag_counts" IN SHARE ROW EXCLUSIVE MODE;
  INSERT INTO "document_counts" AS known SELECT m.* FROM unnest(missing) m
  ON CONFLICT ("teamId", "collectionId", "createdById", "published", "archived")
    DO UPDATE SET "count" = known."count" + EXCLUDED."count";
  -- A tag that is gone by now takes its counts with it.
  INSERT INTO "document_tag_counts" AS known SELECT m.* FROM unnest(missing_of_tags) m
  WHERE EXISTS (SELECT 1 FROM "tags" t WHERE t."teamId" = m."teamId" AND t.id = m."tagId")
  ON CONFLICT ("teamId", "tagId", "collectionId", "createdById", "published", "archived")
    DO UPDATE SET "count" = known."count" + EXCLUDED."count";
  DELETE FROM "document_counts" WHERE "count" = 0;
  DELETE FROM "document_tag_counts" k WHERE "count" = 0
    OR NOT EXISTS (SELECT 1 FROM "tags" t WHERE t."teamId" = k."teamId" AND t.id = k."tagId");
END $$;
