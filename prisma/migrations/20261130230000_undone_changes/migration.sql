-- The revision whose change a state took back. The release before writes no such state.
ALTER TABLE "documents" ADD COLUMN "undoes" INTEGER;
ALTER TABLE "document_revisions" ADD COLUMN "undoes" INTEGER;
