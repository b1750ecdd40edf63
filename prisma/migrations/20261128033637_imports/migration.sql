-- CreateTable
CREATE TABLE "imports" (
    "teamId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "collectionId" UUID,
    "name" TEXT NOT NULL,
    "size" BIGINT NOT NULL,
    "options" JSONB NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'waiting',
    "uploadHash" BYTEA NOT NULL,
    "uploadExpiresAt" TIMESTAMPTZ(3) NOT NULL,
    "storageKey" TEXT,
    "files" INTEGER NOT NULL DEFAULT 0,
    "read" INTEGER NOT NULL DEFAULT 0,
    "written" INTEGER NOT NULL DEFAULT 0,
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "leaseUntil" TIMESTAMPTZ(3),
    "isStopping" BOOLEAN NOT NULL DEFAULT false,
    "failure" JSONB,
    "result" JSONB,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "startedAt" TIMESTAMPTZ(3),
    "finishedAt" TIMESTAMPTZ(3),

    CONSTRAINT "imports_pkey" PRIMARY KEY ("teamId","id")
);

-- CreateIndex
CREATE INDEX "imports_id_idx" ON "imports"("id");

-- CreateIndex
CREATE INDEX "imports_teamId_userId_createdAt_id_idx" ON "imports"("teamId", "userId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "imports_status_createdAt_idx" ON "imports"("status", "createdAt");

-- AddForeignKey
ALTER TABLE "imports" ADD CONSTRAINT "imports_teamId_userId_fkey" FOREIGN KEY ("teamId", "userId") REFERENCES "users"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE;
