-- CreateIndex
CREATE INDEX CONCURRENTLY "events_at_idx" ON "events"("at");
