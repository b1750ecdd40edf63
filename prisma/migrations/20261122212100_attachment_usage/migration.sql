-- A registered upload counts with its declared size: several that are open at once cannot exceed a quota together.
CREATE OR REPLACE FUNCTION "count_attachment_bytes"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'INSERT' THEN
    PERFORM add_storage_usage(a."teamId", a."createdById", 0, 0, sum(a."size"))
    FROM "new_rows" a GROUP BY a."teamId", a."createdById" ORDER BY a."teamId", a."createdById";
  ELSIF TG_OP = 'DELETE' THEN
    PERFORM add_storage_usage(a."teamId", a."createdById", 0, 0, -sum(a."size"))
    FROM "old_rows" a GROUP BY a."teamId", a."createdById" ORDER BY a."teamId", a."createdById";
  END IF;
  RETURN NULL;
END $$;

CREATE OR REPLACE FUNCTION "recount_attachment_bytes"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_storage_usage(OLD."teamId", OLD."createdById", 0, 0, -OLD."size");
  PERFORM add_storage_usage(NEW."teamId", NEW."createdById", 0, 0, NEW."size");
  RETURN NULL;
END $$;

CREATE TRIGGER "attachments_measured_in" AFTER INSERT ON "attachments"
  REFERENCING NEW TABLE AS "new_rows" FOR EACH STATEMENT EXECUTE FUNCTION "count_attachment_bytes"();
CREATE TRIGGER "attachments_measured_out" AFTER DELETE ON "attachments"
  REFERENCING OLD TABLE AS "old_rows" FOR EACH STATEMENT EXECUTE FUNCTION "count_attachment_bytes"();
CREATE TRIGGER "attachments_measured_again" AFTER UPDATE OF "size", "createdById" ON "attachments" FOR EACH ROW
  WHEN ((OLD."size", OLD."createdById") IS DISTINCT FROM (NEW."size", NEW."createdById"))
  EXECUTE FUNCTION "recount_attachment_bytes"();

-- In the transaction of the triggers, whose lock keeps other writers out: each attachment counts once. Reads no bytes, only sizes.
INSERT INTO "storage_usage" AS known ("teamId", "userId", "attachmentBytes")
SELECT a."teamId", a."createdById", sum(a."size") FROM "attachments" a
WHERE a."createdById" IS NOT NULL GROUP BY a."teamId", a."createdById"
ON CONFLICT ("teamId", "userId") DO UPDATE SET "attachmentBytes" = EXCLUDED."attachmentBytes";
INSERT INTO "storage_usage" AS known ("teamId", "userId", "attachmentBytes")
SELECT a."teamId", '00000000-0000-0000-0000-000000000000', sum(a."size") FROM "attachments" a GROUP BY a."teamId"
ON CONFLICT ("teamId", "userId") DO UPDATE SET "attachmentBytes" = EXCLUDED."attachmentBytes";
