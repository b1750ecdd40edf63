-- CreateTable
CREATE TABLE "document_views" (
    "teamId" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "documentId" UUID NOT NULL,
    "viewedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "document_views_pkey" PRIMARY KEY ("teamId","userId","documentId"),
    CONSTRAINT "document_views_teamId_userId_fkey" FOREIGN KEY ("teamId", "userId") REFERENCES "users"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "document_views_teamId_documentId_fkey" FOREIGN KEY ("teamId", "documentId") REFERENCES "documents"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "document_stars" (
    "teamId" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "documentId" UUID NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "document_stars_pkey" PRIMARY KEY ("teamId","userId","documentId"),
    CONSTRAINT "document_stars_teamId_userId_fkey" FOREIGN KEY ("teamId", "userId") REFERENCES "users"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "document_stars_teamId_documentId_fkey" FOREIGN KEY ("teamId", "documentId") REFERENCES "documents"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE INDEX "document_views_teamId_userId_viewedAt_idx" ON "document_views"("teamId", "userId", "viewedAt");

-- CreateIndex
CREATE INDEX "document_views_teamId_documentId_idx" ON "document_views"("teamId", "documentId");

-- CreateIndex
CREATE INDEX "document_views_viewedAt_idx" ON "document_views"("viewedAt");

-- CreateIndex
CREATE INDEX "document_stars_teamId_documentId_idx" ON "document_stars"("teamId", "documentId");
