-- CreateTable
CREATE TABLE "email_changes" (
    "teamId" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "fromEmail" TEXT NOT NULL,
    "toEmail" TEXT NOT NULL,
    "oldHash" BYTEA NOT NULL,
    "newHash" BYTEA NOT NULL,
    "oldConfirmedAt" TIMESTAMPTZ(3),
    "newConfirmedAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "email_changes_pkey" PRIMARY KEY ("teamId","userId")
);

-- CreateIndex
CREATE UNIQUE INDEX "email_changes_oldHash_key" ON "email_changes"("oldHash");

-- CreateIndex
CREATE UNIQUE INDEX "email_changes_newHash_key" ON "email_changes"("newHash");

-- CreateIndex
CREATE INDEX "email_changes_expiresAt_idx" ON "email_changes"("expiresAt");

-- AddForeignKey
ALTER TABLE "email_changes" ADD CONSTRAINT "email_changes_teamId_userId_fkey" FOREIGN KEY ("teamId", "userId") REFERENCES "users"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE;
