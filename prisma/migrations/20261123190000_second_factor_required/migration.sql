-- AlterTable
ALTER TABLE "teams" ADD COLUMN     "secondFactorRequired" BOOLEAN NOT NULL DEFAULT false;
