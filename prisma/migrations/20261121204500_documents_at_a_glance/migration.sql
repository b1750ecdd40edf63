-- Whether somebody sees a document, and when it changed, without reading its row: a search looks at every hit. What is included
-- is no part of the key, or PostgreSQL would compare it for every entry that it passes.
CREATE INDEX CONCURRENTLY "documents_at_a_glance" ON "documents" ("teamId", "id")
  INCLUDE ("collectionId", "createdById", "publishedAt", "archivedAt", "deletedAt", "updatedAt");
