-- AlterTable
ALTER TABLE "live_documents" ADD COLUMN     "retryAt" TIMESTAMPTZ(3);
