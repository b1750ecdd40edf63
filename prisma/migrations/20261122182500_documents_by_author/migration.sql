-- The documents of an author, newest change first: their drafts, and the filter `createdBy`.
CREATE INDEX CONCURRENTLY "documents_teamId_createdById_updatedAt_id_idx" ON "documents" ("teamId", "createdById", "updatedAt", "id");
