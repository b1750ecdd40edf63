-- AlterTable
ALTER TABLE "browser_sessions" DROP COLUMN "csrfHash";
