-- Few documents are in the trash: the others need no entry. Takes the name of the index that it replaces once all are built.
CREATE INDEX CONCURRENTLY "documents_deleted" ON "documents" ("teamId", "deletedAt") WHERE "deletedAt" IS NOT NULL;
