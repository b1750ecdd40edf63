-- CreateTable
CREATE TABLE "mails" (
    "teamId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "recipient" TEXT NOT NULL,
    "language" TEXT NOT NULL,
    "facts" JSONB NOT NULL,
    "token" BYTEA,
    "subjectId" UUID,
    "userId" UUID,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "nextAttemptAt" TIMESTAMPTZ(3) NOT NULL,
    "leaseUntil" TIMESTAMPTZ(3),
    "failure" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "finishedAt" TIMESTAMPTZ(3),

    CONSTRAINT "mails_pkey" PRIMARY KEY ("teamId","id"),
    CONSTRAINT "mails_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "mails_teamId_userId_fkey" FOREIGN KEY ("teamId", "userId") REFERENCES "users"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "mails_status_nextAttemptAt_idx" ON "mails"("status", "nextAttemptAt");

-- CreateIndex
CREATE INDEX "mails_teamId_createdAt_idx" ON "mails"("teamId", "createdAt");

-- CreateIndex
CREATE INDEX "mails_teamId_subjectId_idx" ON "mails"("teamId", "subjectId");

-- CreateIndex
CREATE INDEX "mails_teamId_userId_idx" ON "mails"("teamId", "userId");

-- CreateIndex
CREATE INDEX "mails_createdAt_idx" ON "mails"("createdAt");
