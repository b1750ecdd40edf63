-- AlterTable
ALTER TABLE "attachments" ADD COLUMN     "publicId" TEXT NOT NULL,
ALTER COLUMN "storageKey" DROP NOT NULL;

-- CreateIndex
CREATE INDEX "attachments_publicId_idx" ON "attachments"("publicId");

-- CreateIndex
CREATE INDEX "attachments_status_createdAt_idx" ON "attachments"("status", "createdAt");
