-- Measures a new document whose writer did not, at the commit: its body may be written after it. Without a body it waits for the worker.
CREATE OR REPLACE FUNCTION "measure_new_document"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "documents" d SET "bytes" = octet_length(b."markdown"), "revisionBytes" = (SELECT COALESCE(sum(octet_length(r."markdown")), 0)
    FROM "revision_bodies" r WHERE r."teamId" = NEW."teamId" AND r."documentId" = NEW."id")
  FROM "document_bodies" b
  WHERE d."teamId" = NEW."teamId" AND d."id" = NEW."id" AND d."bytes" IS NULL
    AND b."teamId" = NEW."teamId" AND b."documentId" = NEW."id";
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER "documents_measured_new" AFTER INSERT ON "documents" DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
  WHEN (NEW."bytes" IS NULL) EXECUTE FUNCTION "measure_new_document"();
