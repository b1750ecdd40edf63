-- The revision whose change a state took back, and the beginning of the run of edits that the undo made. The release before begins other
-- runs and leaves both columns as they are.
ALTER TABLE "documents" ADD COLUMN "undoes" INTEGER, ADD COLUMN "undoRunStartedAt" TIMESTAMPTZ(3);
ALTER TABLE "document_revisions" ADD COLUMN "undoes" INTEGER;
