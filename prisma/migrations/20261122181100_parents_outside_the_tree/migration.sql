-- Documents that are not in everybody's tree of a collection, drafts and archived ones: those below them are at the top level.
CREATE INDEX CONCURRENTLY "documents_outside_trees" ON "documents" ("teamId", "collectionId", "id")
  WHERE "deletedAt" IS NULL AND ("publishedAt" IS NULL OR "archivedAt" IS NOT NULL);
