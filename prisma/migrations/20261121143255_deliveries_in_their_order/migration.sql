-- DropIndex
DROP INDEX "webhook_deliveries_teamId_subscriptionId_status_nextAttempt_idx";

-- CreateIndex
CREATE INDEX "webhook_deliveries_teamId_subscriptionId_status_nextAttempt_idx" ON "webhook_deliveries"("teamId", "subscriptionId", "status", "nextAttemptAt", "sequence");
