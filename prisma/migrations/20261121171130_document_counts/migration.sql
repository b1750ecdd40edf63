-- CreateTable
CREATE TABLE "document_counts" (
    "teamId" UUID NOT NULL,
    "collectionId" UUID NOT NULL,
    "createdById" UUID NOT NULL,
    "published" BOOLEAN NOT NULL,
    "archived" BOOLEAN NOT NULL,
    "count" BIGINT NOT NULL,

    CONSTRAINT "document_counts_pkey" PRIMARY KEY ("teamId","collectionId","createdById","published","archived")
);

-- Each statement on documents, of one row or of thousands, changes a count at most once. What it leaves as it was (a new
-- title, a new body) changes none. Changes of a team run one at a time under the lock of its clock, and so do these.
CREATE OR REPLACE FUNCTION "count_documents"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  nothing CONSTANT uuid := '00000000-0000-0000-0000-000000000000';
BEGIN
  IF TG_OP = 'INSERT' THEN
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

CREATE TRIGGER "documents_counted_in" AFTER INSERT ON "documents"
  REFERENCING NEW TABLE AS "new_rows" FOR EACH STATEMENT EXECUTE FUNCTION "count_documents"();
CREATE TRIGGER "documents_counted_again" AFTER UPDATE ON "documents"
  REFERENCING OLD TABLE AS "old_rows" NEW TABLE AS "new_rows" FOR EACH STATEMENT EXECUTE FUNCTION "count_documents"();
CREATE TRIGGER "documents_counted_out" AFTER DELETE ON "documents"
  REFERENCING OLD TABLE AS "old_rows" FOR EACH STATEMENT EXECUTE FUNCTION "count_documents"();

-- Counts what is there anew: here for the first time, and after rows were written past the triggers.
CREATE OR REPLACE FUNCTION "recount_documents"() RETURNS void LANGUAGE sql AS $$
  DELETE FROM "document_counts";
  INSERT INTO "document_counts" ("teamId", "collectionId", "createdById", "published", "archived", "count")
  SELECT d."teamId", COALESCE(d."collectionId", '00000000-0000-0000-0000-000000000000'),
    CASE WHEN d."publishedAt" IS NULL OR d."collectionId" IS NULL
      THEN COALESCE(d."createdById", '00000000-0000-0000-0000-000000000000') ELSE '00000000-0000-0000-0000-000000000000' END,
    d."publishedAt" IS NOT NULL, d."archivedAt" IS NOT NULL, count(*)
  FROM "documents" d WHERE d."deletedAt" IS NULL GROUP BY 1, 2, 3, 4, 5;
$$;
SELECT "recount_documents"();

-- What few documents are is found without walking past all the others.
CREATE INDEX "documents_archived" ON "documents" ("teamId", "updatedAt", "id") WHERE "archivedAt" IS NOT NULL;
CREATE INDEX "documents_in_trash" ON "documents" ("teamId", "updatedAt", "id") WHERE "deletedAt" IS NOT NULL;
CREATE INDEX "documents_unpublished" ON "documents" ("teamId", "updatedAt", "id") WHERE "publishedAt" IS NULL;
