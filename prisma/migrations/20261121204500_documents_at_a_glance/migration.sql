-- Whether somebody sees a document, and when it changed, without reading its row: a search looks at every hit.
CREATE INDEX CONCURRENTLY "documents_at_a_glance" ON "documents" ("teamId", "id", "collectionId", "createdById", "publishedAt", "archivedAt", "deletedAt", "updatedAt");
