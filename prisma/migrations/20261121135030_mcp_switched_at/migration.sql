-- AlterTable
ALTER TABLE "teams" ADD COLUMN     "mcpSwitchedAt" TIMESTAMPTZ(3);
