-- The documents whose bytes are not counted yet, for the worker, which measures them. The previous release may still add some. Empty
-- after that.
CREATE INDEX CONCURRENTLY "documents_to_measure" ON "documents" ("teamId", "id") WHERE "bytes" IS NULL;
