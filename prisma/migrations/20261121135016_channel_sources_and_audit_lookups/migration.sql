-- DropIndex
DROP INDEX "webhook_deliveries_status_nextAttemptAt_idx";

-- DropIndex
DROP INDEX "webhook_deliveries_teamId_subscriptionId_createdAt_idx";

-- AlterTable
ALTER TABLE "channels" ADD COLUMN     "byCollection" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "byTag" BOOLEAN NOT NULL DEFAULT false;

-- What the channels that exist are narrowed by.
UPDATE "channels" c SET
  "byCollection" = EXISTS (SELECT 1 FROM "channel_collections" s WHERE s."teamId" = c."teamId" AND s."channelId" = c."id"),
  "byTag" = EXISTS (SELECT 1 FROM "channel_tags" s WHERE s."teamId" = c."teamId" AND s."channelId" = c."id");

-- AlterTable
ALTER TABLE "events" ADD COLUMN     "createdById" UUID,
ADD COLUMN     "publishedAt" TIMESTAMPTZ(3);

-- CreateIndex
CREATE INDEX "audit_entries_teamId_userId_at_id_idx" ON "audit_entries"("teamId", "userId", "at", "id");

-- CreateIndex
CREATE INDEX "audit_entries_teamId_targetId_at_id_idx" ON "audit_entries"("teamId", "targetId", "at", "id");

-- CreateIndex
CREATE INDEX "audit_entries_teamId_action_at_id_idx" ON "audit_entries"("teamId", "action", "at", "id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_teamId_subscriptionId_status_nextAttempt_idx" ON "webhook_deliveries"("teamId", "subscriptionId", "status", "nextAttemptAt");

-- CreateIndex
CREATE INDEX "webhook_deliveries_teamId_subscriptionId_status_documentId__idx" ON "webhook_deliveries"("teamId", "subscriptionId", "status", "documentId", "sequence");

-- CreateIndex
CREATE INDEX "webhook_deliveries_teamId_subscriptionId_id_idx" ON "webhook_deliveries"("teamId", "subscriptionId", "id");

-- CreateIndex
CREATE INDEX "webhook_deliveries_createdAt_idx" ON "webhook_deliveries"("createdAt");
