-- What is remembered for ten minutes is asked for again.
DELETE FROM "delete_confirmations";

-- AlterTable
ALTER TABLE "delete_confirmations" DROP COLUMN "revision",
ADD COLUMN     "shown" TEXT NOT NULL;
