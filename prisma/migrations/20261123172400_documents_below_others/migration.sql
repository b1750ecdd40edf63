CREATE INDEX CONCURRENTLY "documents_below_others" ON "documents" ("teamId", "parentDocumentId") WHERE "parentDocumentId" IS NOT NULL;
