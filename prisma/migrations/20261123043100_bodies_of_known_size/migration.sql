-- Nearly every writer knows the size of its body. An update that finds no row would still run the triggers that count documents.
CREATE OR REPLACE FUNCTION "measure_changed_body"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  size CONSTANT integer := (SELECT octet_length(b."markdown") FROM "document_bodies" b
    WHERE b."teamId" = NEW."teamId" AND b."documentId" = NEW."documentId");
BEGIN
  IF EXISTS (SELECT FROM "documents" d WHERE d."teamId" = NEW."teamId" AND d."id" = NEW."documentId" AND d."bytes" <> size) THEN
    UPDATE "documents" d SET "bytes" = size
    WHERE d."teamId" = NEW."teamId" AND d."id" = NEW."documentId" AND d."bytes" <> size;
  END IF;
  RETURN NULL;
END $$;
