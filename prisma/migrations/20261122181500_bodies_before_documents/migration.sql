-- A new body is written before its document, which is written last, while the team's clock is held. The reference is checked at
-- the commit.
ALTER TABLE "document_bodies" ALTER CONSTRAINT "document_bodies_teamId_documentId_fkey" DEFERRABLE INITIALLY DEFERRED;
