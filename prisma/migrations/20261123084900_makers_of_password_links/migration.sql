-- AlterTable
ALTER TABLE "password_resets" ADD COLUMN "createdById" UUID;

-- AlterTable
ALTER TABLE "mails" ADD COLUMN "causedById" UUID;
