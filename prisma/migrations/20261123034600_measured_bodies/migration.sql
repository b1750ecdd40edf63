-- Compares the size in a document's row with its body at the commit: a release that knows no sizes changes the body alone. The length
-- of a stored text is read from its header, so that a large body costs as little as a small one.
CREATE OR REPLACE FUNCTION "measure_changed_body"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  UPDATE "documents" d SET "bytes" = octet_length(b."markdown") FROM "document_bodies" b
  WHERE d."teamId" = NEW."teamId" AND d."id" = NEW."documentId"
    AND b."teamId" = NEW."teamId" AND b."documentId" = NEW."documentId" AND d."bytes" <> octet_length(b."markdown");
  RETURN NULL;
END $$;

CREATE CONSTRAINT TRIGGER "document_bodies_measured" AFTER UPDATE OF "markdown" ON "document_bodies" DEFERRABLE INITIALLY DEFERRED
  FOR EACH ROW WHEN (octet_length(OLD."markdown") <> octet_length(NEW."markdown")) EXECUTE FUNCTION "measure_changed_body"();
