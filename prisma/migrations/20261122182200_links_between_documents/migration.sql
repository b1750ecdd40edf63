-- CreateTable
CREATE TABLE "document_links" (
    "teamId" UUID NOT NULL,
    "fromId" UUID NOT NULL,
    "toId" UUID NOT NULL,

    CONSTRAINT "document_links_pkey" PRIMARY KEY ("teamId","fromId","toId"),
    CONSTRAINT "document_links_teamId_fromId_fkey" FOREIGN KEY ("teamId", "fromId") REFERENCES "document_bodies"("teamId", "documentId") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "document_links_teamId_toId_fromId_idx" ON "document_links"("teamId", "toId", "fromId");

-- The documents to which a body links, by `/documents/{id}` with anything after it, at most 1,000. Whether they exist is asked
-- when the links are read: an import writes links before the documents that they name.
CREATE OR REPLACE FUNCTION "linked_documents"(markdown text) RETURNS SETOF uuid LANGUAGE sql IMMUTABLE
  AS $$ SELECT DISTINCT lower(found[1])::uuid FROM regexp_matches(
    CASE WHEN strpos(markdown, '/documents/') > 0 THEN markdown ELSE '' END,
    '(?:\]\(<?|<|\]: ?<?|(?:^|[\s(])(?=https?://))(?:https?://[^\s/<>()]+)?/documents/([0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12})',
    'g'
  ) AS found LIMIT 1000 $$;

-- A trigger, so that the links are right whichever release writes the body.
CREATE OR REPLACE FUNCTION "index_links"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    DELETE FROM "document_links" l WHERE l."teamId" = NEW."teamId" AND l."fromId" = NEW."documentId";
  END IF;
  INSERT INTO "document_links" ("teamId", "fromId", "toId")
  SELECT NEW."teamId", NEW."documentId", linked FROM linked_documents(NEW."markdown") AS linked
  WHERE linked <> NEW."documentId" ON CONFLICT DO NOTHING;
  RETURN NULL;
END $$;

CREATE TRIGGER "document_bodies_linked" AFTER INSERT ON "document_bodies" FOR EACH ROW EXECUTE FUNCTION "index_links"();
CREATE TRIGGER "document_bodies_linked_again" AFTER UPDATE OF "markdown" ON "document_bodies" FOR EACH ROW
  WHEN (OLD."markdown" IS DISTINCT FROM NEW."markdown") EXECUTE FUNCTION "index_links"();

-- Adds the links of all bodies that have none yet.
CREATE OR REPLACE FUNCTION "index_all_links"() RETURNS void LANGUAGE sql AS $$
  INSERT INTO "document_links" ("teamId", "fromId", "toId")
  SELECT b."teamId", b."documentId", linked FROM "document_bodies" b CROSS JOIN LATERAL linked_documents(b."markdown") AS linked
  WHERE linked <> b."documentId" ON CONFLICT DO NOTHING
$$;
