-- The few bodies that mention an attachment are found without reading the many that do not.
CREATE INDEX "document_bodies_mentions_of_files" ON "document_bodies" ("teamId", "documentId")
  WHERE "markdown" LIKE '%/files/%';
CREATE INDEX "revision_bodies_mentions_of_files" ON "revision_bodies" ("teamId", "documentId")
  WHERE "markdown" LIKE '%/files/%';
