-- Every batch changes `lastBatchAt`. Without an index on it the row is updated in its page, and no other index is written. The sweep
-- reads all rows: a document is here for 48 hours at most after its last batch.
DROP INDEX CONCURRENTLY IF EXISTS "live_documents_lastBatchAt_idx";
