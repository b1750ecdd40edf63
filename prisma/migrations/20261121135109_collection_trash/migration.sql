-- AlterTable
ALTER TABLE "collections" ADD COLUMN     "deletedAt" TIMESTAMPTZ(3);
