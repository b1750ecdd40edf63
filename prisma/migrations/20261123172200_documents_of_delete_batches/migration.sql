CREATE INDEX CONCURRENTLY "documents_of_delete_batches" ON "documents" ("teamId", "deleteBatchId") WHERE "deleteBatchId" IS NOT NULL;
