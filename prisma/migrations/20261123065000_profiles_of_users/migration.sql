-- AlterTable
ALTER TABLE "users" ADD COLUMN     "language" TEXT,
ADD COLUMN     "theme" TEXT;
