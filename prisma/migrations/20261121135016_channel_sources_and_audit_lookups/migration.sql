-- AlterTable
ALTER TABLE "channels" ADD COLUMN     "byCollection" BOOLEAN NOT NULL DEFAULT false,
ADD COLUMN     "byTag" BOOLEAN NOT NULL DEFAULT false;

-- What the channels that exist are narrowed by.
UPDATE "channels" c SET
  "byCollection" = EXISTS (SELECT 1 FROM "channel_collections" s WHERE s."teamId" = c."teamId" AND s."channelId" = c."id"),
  "byTag" = EXISTS (SELECT 1 FROM "channel_tags" s WHERE s."teamId" = c."teamId" AND s."channelId" = c."id");

-- CreateIndex
CREATE INDEX "audit_entries_teamId_userId_at_id_idx" ON "audit_entries"("teamId", "userId", "at", "id");

-- CreateIndex
CREATE INDEX "audit_entries_teamId_targetId_at_id_idx" ON "audit_entries"("teamId", "targetId", "at", "id");

-- CreateIndex
CREATE INDEX "audit_entries_teamId_action_at_id_idx" ON "audit_entries"("teamId", "action", "at", "id");
