-- AlterTable
ALTER TABLE "second_factors" ADD COLUMN     "guessedAt" TIMESTAMPTZ(3),
ADD COLUMN     "guesses" DOUBLE PRECISION NOT NULL DEFAULT 0;
