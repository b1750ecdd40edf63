-- AlterTable
ALTER TABLE "users" ADD COLUMN     "passwordGuessedAt" TIMESTAMPTZ(3),
ADD COLUMN     "passwordGuesses" DOUBLE PRECISION NOT NULL DEFAULT 0;
