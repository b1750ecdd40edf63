-- Whether the writer of a body adds its bytes to the document itself. A release that knows no sizes leaves it out.
ALTER TABLE "revision_bodies" ADD COLUMN "counted" BOOLEAN NOT NULL DEFAULT false;

-- Adds the bytes of a body to its document, unless the document was not measured yet. Deferred, because the team's clock, which the
-- usage needs, is taken at the end of a change.
CREATE OR REPLACE FUNCTION "count_revision_body"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "documents" d SET "revisionBytes" = d."revisionBytes" + octet_length(NEW."markdown")
  WHERE d."teamId" = NEW."teamId" AND d."id" = NEW."documentId" AND d."revisionBytes" IS NOT NULL;
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER "revision_bodies_counted" AFTER INSERT ON "revision_bodies" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NOT NEW."counted") EXECUTE FUNCTION "count_revision_body"();
