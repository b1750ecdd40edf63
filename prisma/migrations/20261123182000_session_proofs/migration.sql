-- AlterTable
ALTER TABLE "browser_sessions" ADD COLUMN     "provenAt" TIMESTAMPTZ(3);
