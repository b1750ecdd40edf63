-- AlterTable
ALTER TABLE "documents" ADD COLUMN     "runCredential" TEXT;
