-- The rows that the sweep removes. A BRIN index lets a batch update its row in the page, and no other index is written.
CREATE INDEX CONCURRENTLY "live_clients_at_idx" ON "live_clients" USING BRIN ("at");
