-- AlterTable
ALTER TABLE "live_batches" ADD COLUMN     "bytes" INTEGER;

-- AlterTable
ALTER TABLE "live_clients" ADD COLUMN     "hash" BYTEA;
