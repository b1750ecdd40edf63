-- AlterTable
ALTER TABLE "teams" ADD COLUMN     "appApprovalRequired" BOOLEAN NOT NULL DEFAULT false;

-- CreateTable
CREATE TABLE "app_requests" (
    "teamId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "clientId" TEXT NOT NULL,
    "name" TEXT,
    "redirectUris" TEXT[],
    "userId" UUID NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "approvedAt" TIMESTAMPTZ(3),
    "approvedById" UUID,

    CONSTRAINT "app_requests_pkey" PRIMARY KEY ("teamId","id")
);

-- CreateIndex
CREATE INDEX "app_requests_teamId_userId_idx" ON "app_requests"("teamId", "userId");

-- CreateIndex
CREATE INDEX "app_requests_clientId_idx" ON "app_requests"("clientId");

-- CreateIndex
CREATE UNIQUE INDEX "app_requests_teamId_clientId_key" ON "app_requests"("teamId", "clientId");

-- AddForeignKey
ALTER TABLE "app_requests" ADD CONSTRAINT "app_requests_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "app_requests" ADD CONSTRAINT "app_requests_clientId_fkey" FOREIGN KEY ("clientId") REFERENCES "oauth_clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "app_requests" ADD CONSTRAINT "app_requests_teamId_userId_fkey" FOREIGN KEY ("teamId", "userId") REFERENCES "users"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "app_requests" ADD CONSTRAINT "app_requests_teamId_approvedById_fkey" FOREIGN KEY ("teamId", "approvedById") REFERENCES "users"("teamId", "id") ON DELETE NO ACTION ON UPDATE CASCADE;
