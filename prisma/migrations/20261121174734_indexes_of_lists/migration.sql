-- CreateIndex
CREATE INDEX "documents_teamId_collectionId_createdAt_id_idx" ON "documents"("teamId", "collectionId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "documents_teamId_collectionId_titleKey_id_idx" ON "documents"("teamId", "collectionId", "titleKey", "id");

-- CreateIndex
CREATE INDEX "documents_teamId_collectionId_sortOrder_id_idx" ON "documents"("teamId", "collectionId", "sortOrder", "id");

-- CreateIndex
CREATE INDEX "tombstones_teamId_documentId_at_idx" ON "tombstones"("teamId", "documentId", "at");
