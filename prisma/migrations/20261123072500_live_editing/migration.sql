-- AlterTable
ALTER TABLE "document_revisions" ADD COLUMN     "contributors" UUID[] DEFAULT ARRAY[]::UUID[];

-- AlterTable
ALTER TABLE "documents" ADD COLUMN     "contributors" UUID[] DEFAULT ARRAY[]::UUID[];

-- CreateTable
CREATE TABLE "live_documents" (
    "teamId" UUID NOT NULL,
    "documentId" UUID NOT NULL,
    "lineage" UUID NOT NULL,
    "version" INTEGER NOT NULL DEFAULT 0,
    "savedVersion" INTEGER NOT NULL DEFAULT 0,
    "oldestVersion" INTEGER NOT NULL DEFAULT 0,
    "unsavedSince" TIMESTAMPTZ(3),
    "lastBatchAt" TIMESTAMPTZ(3) NOT NULL,
    "checkpointCost" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "live_documents_pkey" PRIMARY KEY ("teamId","documentId")
);

-- CreateTable
CREATE TABLE "live_batches" (
    "teamId" UUID NOT NULL,
    "documentId" UUID NOT NULL,
    "version" INTEGER NOT NULL,
    "clientId" UUID NOT NULL,
    "seq" INTEGER NOT NULL,
    "authorId" UUID,
    "kind" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "steps" JSONB NOT NULL,
    "origins" INTEGER[],

    CONSTRAINT "live_batches_pkey" PRIMARY KEY ("teamId","documentId","version")
);

-- CreateTable
CREATE TABLE "live_clients" (
    "teamId" UUID NOT NULL,
    "documentId" UUID NOT NULL,
    "clientId" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "seq" INTEGER NOT NULL,
    "version" INTEGER NOT NULL,
    "isChanged" BOOLEAN NOT NULL,
    "orphans" TEXT[],
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "live_clients_pkey" PRIMARY KEY ("teamId","documentId","clientId")
);

-- CreateIndex
CREATE INDEX "live_documents_unsavedSince_idx" ON "live_documents"("unsavedSince");

-- CreateIndex
CREATE INDEX "live_documents_lastBatchAt_idx" ON "live_documents"("lastBatchAt");

-- CreateIndex
CREATE INDEX "live_clients_at_idx" ON "live_clients"("at");

-- AddForeignKey
ALTER TABLE "live_documents" ADD CONSTRAINT "live_documents_teamId_documentId_fkey" FOREIGN KEY ("teamId", "documentId") REFERENCES "documents"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "live_batches" ADD CONSTRAINT "live_batches_teamId_documentId_fkey" FOREIGN KEY ("teamId", "documentId") REFERENCES "live_documents"("teamId", "documentId") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "live_clients" ADD CONSTRAINT "live_clients_teamId_documentId_fkey" FOREIGN KEY ("teamId", "documentId") REFERENCES "documents"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- A batch updates the row of its document: there is room for it in the same page.
ALTER TABLE "live_documents" SET (fillfactor = 50);

-- Keeps a body and its log together, whichever release writes: a writer that does not know the log does not name the document in the
-- setting `kb.live_body`. Text that is only in the log stays: the write fails, and its client tries again. Else the log ends,
-- and those who write take up the new body.
CREATE FUNCTION "end_live_log"() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  unsaved boolean;
BEGIN
  IF current_setting('kb.live_body', true) = NEW."documentId"::text THEN
    RETURN NEW;
  END IF;
  SELECT l."version" > l."savedVersion" INTO unsaved FROM "live_documents" l
  WHERE l."teamId" = NEW."teamId" AND l."documentId" = NEW."documentId";
  IF unsaved THEN
    RAISE EXCEPTION 'the document is being edited live' USING ERRCODE = '53000';
  ELSIF NOT unsaved THEN
    DELETE FROM "live_documents" l WHERE l."teamId" = NEW."teamId" AND l."documentId" = NEW."documentId";
  END IF;
  RETURN NEW;
END $$;

CREATE TRIGGER "document_bodies_end_live_log" BEFORE UPDATE OF "content" ON "document_bodies" FOR EACH ROW
  EXECUTE FUNCTION "end_live_log"();
