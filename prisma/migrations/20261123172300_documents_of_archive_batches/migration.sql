CREATE INDEX CONCURRENTLY "documents_of_archive_batches" ON "documents" ("teamId", "archiveBatchId") WHERE "archiveBatchId" IS NOT NULL;
