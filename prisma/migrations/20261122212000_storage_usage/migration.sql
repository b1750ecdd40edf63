-- AlterTable
ALTER TABLE "documents" ADD COLUMN "bytes" BIGINT, ADD COLUMN "revisionBytes" BIGINT;

-- CreateTable
CREATE TABLE "storage_usage" (
    "teamId" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "documentBytes" BIGINT NOT NULL DEFAULT 0,
    "revisionBytes" BIGINT NOT NULL DEFAULT 0,
    "attachmentBytes" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "storage_usage_pkey" PRIMARY KEY ("teamId","userId")
);

-- Adds to the usage of a team, and of the user whose data it is. Locks the team's clock first, as every change of a team does at
-- its end: usage changes one transaction at a time, and a check that follows sees all of it.
CREATE OR REPLACE FUNCTION "add_storage_usage"(team uuid, owner uuid, documents numeric, revisions numeric, attachments numeric)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  whole_team CONSTANT uuid := '00000000-0000-0000-0000-000000000000';
BEGIN
  IF documents = 0 AND revisions = 0 AND attachments = 0 THEN
    RETURN;
  END IF;
  PERFORM 1 FROM "team_clocks" c WHERE c."teamId" = team FOR UPDATE;
  INSERT INTO "storage_usage" AS known ("teamId", "userId", "documentBytes", "revisionBytes", "attachmentBytes")
  SELECT team, whole_team, documents, revisions, attachments
  UNION ALL SELECT team, owner, documents, revisions, attachments WHERE owner IS NOT NULL
  ON CONFLICT ("teamId", "userId") DO UPDATE SET "documentBytes" = known."documentBytes" + EXCLUDED."documentBytes",
    "revisionBytes" = known."revisionBytes" + EXCLUDED."revisionBytes",
    "attachmentBytes" = known."attachmentBytes" + EXCLUDED."attachmentBytes";
END $$;

-- A document without `bytes` is not counted yet: the worker measures it. Its usage begins then.
CREATE OR REPLACE FUNCTION "count_document_bytes"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM add_storage_usage(d."teamId", d."createdById", sum(d."bytes"), sum(COALESCE(d."revisionBytes", 0)), 0)
    FROM "new_rows" d WHERE d."bytes" IS NOT NULL GROUP BY d."teamId", d."createdById" ORDER BY d."teamId", d."createdById";
  ELSE
    PERFORM add_storage_usage(d."teamId", d."createdById", -sum(d."bytes"), -sum(COALESCE(d."revisionBytes", 0)), 0)
    FROM "old_rows" d WHERE d."bytes" IS NOT NULL GROUP BY d."teamId", d."createdById" ORDER BY d."teamId", d."createdById";
  END IF;
  RETURN NULL;
END $$;

-- Of one document: most statements that update documents change neither their size nor their author, and cost nothing here.
CREATE OR REPLACE FUNCTION "recount_document_bytes"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF OLD."createdById" IS NOT DISTINCT FROM NEW."createdById" THEN
    PERFORM add_storage_usage(NEW."teamId", NEW."createdById", COALESCE(NEW."bytes", 0) - COALESCE(OLD."bytes", 0),
      COALESCE(NEW."revisionBytes", 0) - COALESCE(OLD."revisionBytes", 0), 0);
  ELSE
    PERFORM add_storage_usage(OLD."teamId", OLD."createdById", -COALESCE(OLD."bytes", 0), -COALESCE(OLD."revisionBytes", 0), 0);
    PERFORM add_storage_usage(NEW."teamId", NEW."createdById", COALESCE(NEW."bytes", 0), COALESCE(NEW."revisionBytes", 0), 0);
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER "documents_measured_in" AFTER INSERT ON "documents"
  REFERENCING NEW TABLE AS "new_rows" FOR EACH STATEMENT EXECUTE FUNCTION "count_document_bytes"();
CREATE TRIGGER "documents_measured_out" AFTER DELETE ON "documents"
  REFERENCING OLD TABLE AS "old_rows" FOR EACH STATEMENT EXECUTE FUNCTION "count_document_bytes"();
CREATE TRIGGER "documents_measured_again" AFTER UPDATE OF "bytes", "revisionBytes", "createdById" ON "documents" FOR EACH ROW
  WHEN ((OLD."bytes", OLD."revisionBytes", OLD."createdById") IS DISTINCT FROM (NEW."bytes", NEW."revisionBytes", NEW."createdById"))
  EXECUTE FUNCTION "recount_document_bytes"();
