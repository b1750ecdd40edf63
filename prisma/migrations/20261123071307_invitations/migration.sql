-- CreateTable
CREATE TABLE "invitations" (
    "teamId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "language" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "createdById" UUID NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "invitations_pkey" PRIMARY KEY ("teamId","id"),
    CONSTRAINT "invitations_teamId_createdById_fkey" FOREIGN KEY ("teamId", "createdById") REFERENCES "users"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateTable
CREATE TABLE "invitation_groups" (
    "teamId" UUID NOT NULL,
    "invitationId" UUID NOT NULL,
    "groupId" UUID NOT NULL,

    CONSTRAINT "invitation_groups_pkey" PRIMARY KEY ("teamId","invitationId","groupId"),
    CONSTRAINT "invitation_groups_teamId_invitationId_fkey" FOREIGN KEY ("teamId", "invitationId") REFERENCES "invitations"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE,
    CONSTRAINT "invitation_groups_teamId_groupId_fkey" FOREIGN KEY ("teamId", "groupId") REFERENCES "groups"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE
);

-- CreateIndex
CREATE UNIQUE INDEX "invitations_hash_key" ON "invitations"("hash");

-- CreateIndex
CREATE INDEX "invitations_teamId_email_idx" ON "invitations"("teamId", "email");

-- CreateIndex
CREATE INDEX "invitations_teamId_createdAt_id_idx" ON "invitations"("teamId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "invitations_teamId_createdById_idx" ON "invitations"("teamId", "createdById");

-- CreateIndex
CREATE INDEX "invitations_expiresAt_idx" ON "invitations"("expiresAt");

-- CreateIndex
CREATE INDEX "invitation_groups_teamId_groupId_idx" ON "invitation_groups"("teamId", "groupId");
