-- AlterTable
ALTER TABLE "password_resets" ADD COLUMN     "purpose" TEXT NOT NULL DEFAULT 'password_reset';
