-- AlterTable
ALTER TABLE "live_documents" ADD COLUMN     "claimedUntil" TIMESTAMPTZ(3);
