-- CreateEnum
CREATE TYPE "access_level" AS ENUM ('none', 'read', 'write', 'manage');

-- CreateTable
CREATE TABLE "teams" (
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "mcpEnabled" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "teams_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "team_clocks" (
    "teamId" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "sequence" BIGINT NOT NULL DEFAULT 0,

    CONSTRAINT "team_clocks_pkey" PRIMARY KEY ("teamId")
);

-- CreateTable
CREATE TABLE "users" (
    "teamId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "email" TEXT NOT NULL,
    "name" TEXT NOT NULL,
    "passwordHash" TEXT,
    "systemAdmin" BOOLEAN NOT NULL DEFAULT false,
    "suspendedAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "users_pkey" PRIMARY KEY ("teamId","id")
);

-- CreateTable
CREATE TABLE "groups" (
    "teamId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "builtIn" TEXT,
    "capabilities" TEXT[],
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "groups_pkey" PRIMARY KEY ("teamId","id")
);

-- CreateTable
CREATE TABLE "memberships" (
    "teamId" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "groupId" UUID NOT NULL,

    CONSTRAINT "memberships_pkey" PRIMARY KEY ("teamId","userId","groupId")
);

-- CreateTable
CREATE TABLE "collections" (
    "teamId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "icon" TEXT,
    "color" TEXT,
    "description" TEXT,
    "defaultAccess" "access_level" NOT NULL DEFAULT 'write',
    "sortOrder" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "createdById" UUID,
    "archivedAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "collections_pkey" PRIMARY KEY ("teamId","id")
);

-- CreateTable
CREATE TABLE "collection_grants" (
    "teamId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "collectionId" UUID NOT NULL,
    "groupId" UUID,
    "userId" UUID,
    "level" "access_level" NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "collection_grants_pkey" PRIMARY KEY ("teamId","id")
);

-- CreateTable
CREATE TABLE "documents" (
    "teamId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "title" TEXT NOT NULL,
    "titleKey" TEXT NOT NULL,
    "emoji" TEXT,
    "collectionId" UUID,
    "parentDocumentId" UUID,
    "collaborativeId" TEXT,
    "sortOrder" DOUBLE PRECISION NOT NULL DEFAULT 0,
    "fullWidth" BOOLEAN NOT NULL DEFAULT false,
    "revision" INTEGER NOT NULL DEFAULT 1,
    "createdById" UUID,
    "lastModifiedById" UUID,
    "editorId" UUID,
    "editorKind" TEXT NOT NULL DEFAULT 'system',
    "editorName" TEXT,
    "runStartedAt" TIMESTAMPTZ(3) NOT NULL,
    "publishedAt" TIMESTAMPTZ(3),
    "archivedAt" TIMESTAMPTZ(3),
    "deletedAt" TIMESTAMPTZ(3),
    "archiveBatchId" UUID,
    "deleteBatchId" UUID,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "documents_pkey" PRIMARY KEY ("teamId","id")
);

-- CreateTable
CREATE TABLE "document_bodies" (
    "teamId" UUID NOT NULL,
    "documentId" UUID NOT NULL,
    "content" JSONB NOT NULL,
    "text" TEXT NOT NULL,
    "markdown" TEXT NOT NULL,
    "folded" TEXT NOT NULL DEFAULT '',
    "vector" tsvector,

    CONSTRAINT "document_bodies_pkey" PRIMARY KEY ("teamId","documentId")
);

-- CreateTable
CREATE TABLE "search_terms" (
    "teamId" UUID NOT NULL,
    "term" TEXT NOT NULL,
    "reversed" TEXT NOT NULL,

    CONSTRAINT "search_terms_pkey" PRIMARY KEY ("teamId","term")
);

-- CreateTable
CREATE TABLE "document_revisions" (
    "teamId" UUID NOT NULL,
    "documentId" UUID NOT NULL,
    "revision" INTEGER NOT NULL,
    "title" TEXT NOT NULL,
    "emoji" TEXT,
    "bodyHash" BYTEA NOT NULL,
    "authorId" UUID,
    "editorKind" TEXT NOT NULL,
    "editorName" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "document_revisions_pkey" PRIMARY KEY ("teamId","documentId","revision")
);

-- CreateTable
CREATE TABLE "revision_bodies" (
    "teamId" UUID NOT NULL,
    "documentId" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "content" JSONB NOT NULL,
    "markdown" TEXT NOT NULL,

    CONSTRAINT "revision_bodies_pkey" PRIMARY KEY ("teamId","documentId","hash")
);

-- CreateTable
CREATE TABLE "tombstones" (
    "teamId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "documentId" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "collectionId" UUID,
    "publishedAt" TIMESTAMPTZ(3),
    "createdById" UUID,

    CONSTRAINT "tombstones_pkey" PRIMARY KEY ("teamId","id")
);

-- CreateTable
CREATE TABLE "tags" (
    "teamId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "color" TEXT,
    "restricted" BOOLEAN NOT NULL DEFAULT false,
    "createdById" UUID,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "tags_pkey" PRIMARY KEY ("teamId","id")
);

-- CreateTable
CREATE TABLE "tag_grants" (
    "teamId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "tagId" UUID NOT NULL,
    "groupId" UUID,
    "userId" UUID,

    CONSTRAINT "tag_grants_pkey" PRIMARY KEY ("teamId","id")
);

-- CreateTable
CREATE TABLE "document_tags" (
    "teamId" UUID NOT NULL,
    "documentId" UUID NOT NULL,
    "tagId" UUID NOT NULL,

    CONSTRAINT "document_tags_pkey" PRIMARY KEY ("teamId","documentId","tagId")
);

-- CreateTable
CREATE TABLE "channels" (
    "teamId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "markdown" BOOLEAN NOT NULL DEFAULT false,
    "html" BOOLEAN NOT NULL DEFAULT false,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "updatedAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "channels_pkey" PRIMARY KEY ("teamId","id")
);

-- CreateTable
CREATE TABLE "channel_collections" (
    "teamId" UUID NOT NULL,
    "channelId" UUID NOT NULL,
    "collectionId" UUID NOT NULL,

    CONSTRAINT "channel_collections_pkey" PRIMARY KEY ("teamId","channelId","collectionId")
);

-- CreateTable
CREATE TABLE "channel_tags" (
    "teamId" UUID NOT NULL,
    "channelId" UUID NOT NULL,
    "tagId" UUID NOT NULL,

    CONSTRAINT "channel_tags_pkey" PRIMARY KEY ("teamId","channelId","tagId")
);

-- CreateTable
CREATE TABLE "channel_tokens" (
    "teamId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "channelId" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "prefix" TEXT NOT NULL,
    "suffix" TEXT NOT NULL,
    "expiresAt" TIMESTAMPTZ(3),
    "revokedAt" TIMESTAMPTZ(3),
    "lastUsedAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "channel_tokens_pkey" PRIMARY KEY ("teamId","id")
);

-- CreateTable
CREATE TABLE "api_keys" (
    "teamId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "hash" BYTEA NOT NULL,
    "prefix" TEXT NOT NULL,
    "suffix" TEXT NOT NULL,
    "scopes" TEXT[],
    "restricted" BOOLEAN NOT NULL DEFAULT false,
    "expiresAt" TIMESTAMPTZ(3),
    "revokedAt" TIMESTAMPTZ(3),
    "lastUsedAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "api_keys_pkey" PRIMARY KEY ("teamId","id")
);

-- CreateTable
CREATE TABLE "api_key_collections" (
    "teamId" UUID NOT NULL,
    "apiKeyId" UUID NOT NULL,
    "collectionId" UUID NOT NULL,
    "level" "access_level" NOT NULL,

    CONSTRAINT "api_key_collections_pkey" PRIMARY KEY ("teamId","apiKeyId","collectionId")
);

-- CreateTable
CREATE TABLE "api_key_documents" (
    "teamId" UUID NOT NULL,
    "apiKeyId" UUID NOT NULL,
    "documentId" UUID NOT NULL,
    "level" "access_level" NOT NULL,

    CONSTRAINT "api_key_documents_pkey" PRIMARY KEY ("teamId","apiKeyId","documentId")
);

-- CreateTable
CREATE TABLE "browser_sessions" (
    "teamId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "csrfHash" BYTEA NOT NULL,
    "address" TEXT,
    "userAgent" TEXT,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lastSeenAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "browser_sessions_pkey" PRIMARY KEY ("teamId","id")
);

-- CreateTable
CREATE TABLE "login_failures" (
    "id" UUID NOT NULL,
    "subject" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "login_failures_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "oauth_clients" (
    "id" TEXT NOT NULL,
    "name" TEXT,
    "secretHash" BYTEA,
    "metadata" JSONB NOT NULL,
    "kind" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lastUsedAt" TIMESTAMPTZ(3),
    "fetchedAt" TIMESTAMPTZ(3),
    "expiresAt" TIMESTAMPTZ(3),

    CONSTRAINT "oauth_clients_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "oauth_grants" (
    "teamId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "clientId" TEXT NOT NULL,
    "scopes" TEXT[],
    "resource" TEXT NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "lastUsedAt" TIMESTAMPTZ(3),
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "revokedAt" TIMESTAMPTZ(3),

    CONSTRAINT "oauth_grants_pkey" PRIMARY KEY ("teamId","id")
);

-- CreateTable
CREATE TABLE "oauth_codes" (
    "teamId" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "grantId" UUID NOT NULL,
    "redirectUri" TEXT NOT NULL,
    "codeChallenge" TEXT NOT NULL,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "usedAt" TIMESTAMPTZ(3),

    CONSTRAINT "oauth_codes_pkey" PRIMARY KEY ("teamId","hash")
);

-- CreateTable
CREATE TABLE "oauth_tokens" (
    "teamId" UUID NOT NULL,
    "hash" BYTEA NOT NULL,
    "grantId" UUID NOT NULL,
    "kind" TEXT NOT NULL,
    "scopes" TEXT[],
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "expiresAt" TIMESTAMPTZ(3) NOT NULL,
    "usedAt" TIMESTAMPTZ(3),
    "nextSealed" BYTEA,

    CONSTRAINT "oauth_tokens_pkey" PRIMARY KEY ("teamId","hash")
);

-- CreateTable
CREATE TABLE "events" (
    "teamId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "sequence" BIGINT NOT NULL,
    "type" TEXT NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "actor" JSONB NOT NULL,
    "data" JSONB NOT NULL,
    "documentId" UUID,
    "collectionId" UUID,
    "dispatchedAt" TIMESTAMPTZ(3),

    CONSTRAINT "events_pkey" PRIMARY KEY ("teamId","id")
);

-- CreateTable
CREATE TABLE "webhook_subscriptions" (
    "teamId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT,
    "url" TEXT NOT NULL,
    "events" TEXT[],
    "enabled" BOOLEAN NOT NULL DEFAULT true,
    "secret" BYTEA NOT NULL,
    "previousSecret" BYTEA,
    "previousSecretUntil" TIMESTAMPTZ(3),
    "createdById" UUID NOT NULL,
    "failingSince" TIMESTAMPTZ(3),
    "disabledReason" TEXT,
    "lastDeliveryAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "webhook_subscriptions_pkey" PRIMARY KEY ("teamId","id")
);

-- CreateTable
CREATE TABLE "webhook_collections" (
    "teamId" UUID NOT NULL,
    "subscriptionId" UUID NOT NULL,
    "collectionId" UUID NOT NULL,

    CONSTRAINT "webhook_collections_pkey" PRIMARY KEY ("teamId","subscriptionId","collectionId")
);

-- CreateTable
CREATE TABLE "webhook_deliveries" (
    "teamId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "subscriptionId" UUID NOT NULL,
    "eventId" UUID NOT NULL,
    "documentId" UUID,
    "sequence" BIGINT NOT NULL,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "attempts" INTEGER NOT NULL DEFAULT 0,
    "nextAttemptAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "leaseUntil" TIMESTAMPTZ(3),
    "responseStatus" INTEGER,
    "responseBody" TEXT,
    "latencyMs" INTEGER,
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,
    "finishedAt" TIMESTAMPTZ(3),

    CONSTRAINT "webhook_deliveries_pkey" PRIMARY KEY ("teamId","id")
);

-- CreateTable
CREATE TABLE "attachments" (
    "teamId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "name" TEXT NOT NULL,
    "contentType" TEXT NOT NULL,
    "size" BIGINT NOT NULL,
    "documentId" UUID,
    "createdById" UUID,
    "status" TEXT NOT NULL DEFAULT 'pending',
    "storageKey" TEXT NOT NULL,
    "uploadHash" BYTEA,
    "uploadExpiresAt" TIMESTAMPTZ(3),
    "createdAt" TIMESTAMPTZ(3) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "attachments_pkey" PRIMARY KEY ("teamId","id")
);

-- CreateTable
CREATE TABLE "audit_entries" (
    "teamId" UUID NOT NULL,
    "id" UUID NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,
    "userId" UUID,
    "credentialKind" TEXT NOT NULL,
    "credentialId" TEXT,
    "action" TEXT NOT NULL,
    "outcome" TEXT NOT NULL,
    "targetType" TEXT,
    "targetId" UUID,
    "address" TEXT,
    "requestId" TEXT,
    "details" JSONB,

    CONSTRAINT "audit_entries_pkey" PRIMARY KEY ("teamId","id")
);

-- CreateTable
CREATE TABLE "idempotency_keys" (
    "teamId" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "key" TEXT NOT NULL,
    "requestHash" BYTEA NOT NULL,
    "output" JSONB NOT NULL,
    "createdAt" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "idempotency_keys_pkey" PRIMARY KEY ("teamId","userId","key")
);

-- CreateTable
CREATE TABLE "delete_confirmations" (
    "teamId" UUID NOT NULL,
    "userId" UUID NOT NULL,
    "documentId" UUID NOT NULL,
    "revision" INTEGER NOT NULL,
    "at" TIMESTAMPTZ(3) NOT NULL,

    CONSTRAINT "delete_confirmations_pkey" PRIMARY KEY ("teamId","userId","documentId")
);

-- CreateIndex
CREATE UNIQUE INDEX "users_email_key" ON "users"("email");

-- CreateIndex
CREATE UNIQUE INDEX "groups_teamId_name_key" ON "groups"("teamId", "name");

-- CreateIndex
CREATE UNIQUE INDEX "groups_teamId_builtIn_key" ON "groups"("teamId", "builtIn");

-- CreateIndex
CREATE INDEX "memberships_teamId_groupId_idx" ON "memberships"("teamId", "groupId");

-- CreateIndex
CREATE INDEX "collections_teamId_sortOrder_id_idx" ON "collections"("teamId", "sortOrder", "id");

-- CreateIndex
CREATE INDEX "collection_grants_teamId_groupId_idx" ON "collection_grants"("teamId", "groupId");

-- CreateIndex
CREATE INDEX "collection_grants_teamId_userId_idx" ON "collection_grants"("teamId", "userId");

-- CreateIndex
CREATE UNIQUE INDEX "collection_grants_teamId_collectionId_groupId_key" ON "collection_grants"("teamId", "collectionId", "groupId");

-- CreateIndex
CREATE UNIQUE INDEX "collection_grants_teamId_collectionId_userId_key" ON "collection_grants"("teamId", "collectionId", "userId");

-- CreateIndex
CREATE INDEX "documents_teamId_updatedAt_id_idx" ON "documents"("teamId", "updatedAt", "id");

-- CreateIndex
CREATE INDEX "documents_teamId_createdAt_id_idx" ON "documents"("teamId", "createdAt", "id");

-- CreateIndex
CREATE INDEX "documents_teamId_titleKey_id_idx" ON "documents"("teamId", "titleKey", "id");

-- CreateIndex
CREATE INDEX "documents_teamId_sortOrder_id_idx" ON "documents"("teamId", "sortOrder", "id");

-- CreateIndex
CREATE INDEX "documents_teamId_collectionId_updatedAt_id_idx" ON "documents"("teamId", "collectionId", "updatedAt", "id");

-- CreateIndex
CREATE INDEX "documents_teamId_parentDocumentId_idx" ON "documents"("teamId", "parentDocumentId");

-- CreateIndex
CREATE INDEX "documents_teamId_deletedAt_idx" ON "documents"("teamId", "deletedAt");

-- CreateIndex
CREATE INDEX "documents_teamId_deleteBatchId_idx" ON "documents"("teamId", "deleteBatchId");

-- CreateIndex
CREATE INDEX "documents_teamId_archiveBatchId_idx" ON "documents"("teamId", "archiveBatchId");

-- CreateIndex
CREATE INDEX "document_bodies_vector_idx" ON "document_bodies" USING GIN ("vector");

-- CreateIndex
CREATE INDEX "search_terms_teamId_reversed_idx" ON "search_terms"("teamId", "reversed");

-- CreateIndex
CREATE INDEX "tombstones_teamId_at_documentId_idx" ON "tombstones"("teamId", "at", "documentId");

-- CreateIndex
CREATE INDEX "tombstones_at_idx" ON "tombstones"("at");

-- CreateIndex
CREATE UNIQUE INDEX "tags_teamId_restricted_name_key" ON "tags"("teamId", "restricted", "name");

-- CreateIndex
CREATE UNIQUE INDEX "tag_grants_teamId_tagId_groupId_key" ON "tag_grants"("teamId", "tagId", "groupId");

-- CreateIndex
CREATE UNIQUE INDEX "tag_grants_teamId_tagId_userId_key" ON "tag_grants"("teamId", "tagId", "userId");

-- CreateIndex
CREATE INDEX "document_tags_teamId_tagId_documentId_idx" ON "document_tags"("teamId", "tagId", "documentId");

-- CreateIndex
CREATE INDEX "channel_tokens_hash_idx" ON "channel_tokens"("hash");

-- CreateIndex
CREATE INDEX "api_keys_hash_idx" ON "api_keys"("hash");

-- CreateIndex
CREATE INDEX "api_keys_teamId_userId_idx" ON "api_keys"("teamId", "userId");

-- CreateIndex
CREATE INDEX "browser_sessions_hash_idx" ON "browser_sessions"("hash");

-- CreateIndex
CREATE INDEX "browser_sessions_teamId_userId_idx" ON "browser_sessions"("teamId", "userId");

-- CreateIndex
CREATE INDEX "browser_sessions_expiresAt_idx" ON "browser_sessions"("expiresAt");

-- CreateIndex
CREATE INDEX "login_failures_subject_at_idx" ON "login_failures"("subject", "at");

-- CreateIndex
CREATE INDEX "login_failures_at_idx" ON "login_failures"("at");

-- CreateIndex
CREATE INDEX "oauth_clients_lastUsedAt_idx" ON "oauth_clients"("lastUsedAt");

-- CreateIndex
CREATE INDEX "oauth_grants_teamId_userId_idx" ON "oauth_grants"("teamId", "userId");

-- CreateIndex
CREATE INDEX "oauth_grants_clientId_idx" ON "oauth_grants"("clientId");

-- CreateIndex
CREATE INDEX "oauth_codes_hash_idx" ON "oauth_codes"("hash");

-- CreateIndex
CREATE INDEX "oauth_codes_expiresAt_idx" ON "oauth_codes"("expiresAt");

-- CreateIndex
CREATE INDEX "oauth_tokens_hash_idx" ON "oauth_tokens"("hash");

-- CreateIndex
CREATE INDEX "oauth_tokens_teamId_grantId_idx" ON "oauth_tokens"("teamId", "grantId");

-- CreateIndex
CREATE INDEX "oauth_tokens_expiresAt_idx" ON "oauth_tokens"("expiresAt");

-- CreateIndex
CREATE INDEX "events_dispatchedAt_at_idx" ON "events"("dispatchedAt", "at");

-- CreateIndex
CREATE UNIQUE INDEX "events_teamId_sequence_key" ON "events"("teamId", "sequence");

-- CreateIndex
CREATE INDEX "webhook_deliveries_status_nextAttemptAt_idx" ON "webhook_deliveries"("status", "nextAttemptAt");

-- CreateIndex
CREATE INDEX "webhook_deliveries_teamId_subscriptionId_createdAt_idx" ON "webhook_deliveries"("teamId", "subscriptionId", "createdAt");

-- CreateIndex
CREATE INDEX "attachments_id_idx" ON "attachments"("id");

-- CreateIndex
CREATE INDEX "attachments_teamId_documentId_idx" ON "attachments"("teamId", "documentId");

-- CreateIndex
CREATE INDEX "audit_entries_teamId_at_id_idx" ON "audit_entries"("teamId", "at", "id");

-- CreateIndex
CREATE INDEX "audit_entries_at_idx" ON "audit_entries"("at");

-- CreateIndex
CREATE INDEX "idempotency_keys_createdAt_idx" ON "idempotency_keys"("createdAt");

-- AddForeignKey
ALTER TABLE "team_clocks" ADD CONSTRAINT "team_clocks_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "users" ADD CONSTRAINT "users_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "groups" ADD CONSTRAINT "groups_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_teamId_userId_fkey" FOREIGN KEY ("teamId", "userId") REFERENCES "users"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "memberships" ADD CONSTRAINT "memberships_teamId_groupId_fkey" FOREIGN KEY ("teamId", "groupId") REFERENCES "groups"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "collections" ADD CONSTRAINT "collections_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "collections" ADD CONSTRAINT "collections_teamId_createdById_fkey" FOREIGN KEY ("teamId", "createdById") REFERENCES "users"("teamId", "id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "collection_grants" ADD CONSTRAINT "collection_grants_teamId_collectionId_fkey" FOREIGN KEY ("teamId", "collectionId") REFERENCES "collections"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "collection_grants" ADD CONSTRAINT "collection_grants_teamId_groupId_fkey" FOREIGN KEY ("teamId", "groupId") REFERENCES "groups"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "collection_grants" ADD CONSTRAINT "collection_grants_teamId_userId_fkey" FOREIGN KEY ("teamId", "userId") REFERENCES "users"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "documents" ADD CONSTRAINT "documents_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "documents" ADD CONSTRAINT "documents_teamId_collectionId_fkey" FOREIGN KEY ("teamId", "collectionId") REFERENCES "collections"("teamId", "id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "documents" ADD CONSTRAINT "documents_teamId_parentDocumentId_fkey" FOREIGN KEY ("teamId", "parentDocumentId") REFERENCES "documents"("teamId", "id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "documents" ADD CONSTRAINT "documents_teamId_createdById_fkey" FOREIGN KEY ("teamId", "createdById") REFERENCES "users"("teamId", "id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "documents" ADD CONSTRAINT "documents_teamId_lastModifiedById_fkey" FOREIGN KEY ("teamId", "lastModifiedById") REFERENCES "users"("teamId", "id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "document_bodies" ADD CONSTRAINT "document_bodies_teamId_documentId_fkey" FOREIGN KEY ("teamId", "documentId") REFERENCES "documents"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "document_revisions" ADD CONSTRAINT "document_revisions_teamId_documentId_fkey" FOREIGN KEY ("teamId", "documentId") REFERENCES "documents"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "document_revisions" ADD CONSTRAINT "document_revisions_teamId_authorId_fkey" FOREIGN KEY ("teamId", "authorId") REFERENCES "users"("teamId", "id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "document_revisions" ADD CONSTRAINT "document_revisions_teamId_documentId_bodyHash_fkey" FOREIGN KEY ("teamId", "documentId", "bodyHash") REFERENCES "revision_bodies"("teamId", "documentId", "hash") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tags" ADD CONSTRAINT "tags_teamId_fkey" FOREIGN KEY ("teamId") REFERENCES "teams"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tag_grants" ADD CONSTRAINT "tag_grants_teamId_tagId_fkey" FOREIGN KEY ("teamId", "tagId") REFERENCES "tags"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tag_grants" ADD CONSTRAINT "tag_grants_teamId_groupId_fkey" FOREIGN KEY ("teamId", "groupId") REFERENCES "groups"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "tag_grants" ADD CONSTRAINT "tag_grants_teamId_userId_fkey" FOREIGN KEY ("teamId", "userId") REFERENCES "users"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "document_tags" ADD CONSTRAINT "document_tags_teamId_documentId_fkey" FOREIGN KEY ("teamId", "documentId") REFERENCES "documents"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "document_tags" ADD CONSTRAINT "document_tags_teamId_tagId_fkey" FOREIGN KEY ("teamId", "tagId") REFERENCES "tags"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "channel_collections" ADD CONSTRAINT "channel_collections_teamId_channelId_fkey" FOREIGN KEY ("teamId", "channelId") REFERENCES "channels"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "channel_collections" ADD CONSTRAINT "channel_collections_teamId_collectionId_fkey" FOREIGN KEY ("teamId", "collectionId") REFERENCES "collections"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "channel_tags" ADD CONSTRAINT "channel_tags_teamId_channelId_fkey" FOREIGN KEY ("teamId", "channelId") REFERENCES "channels"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "channel_tags" ADD CONSTRAINT "channel_tags_teamId_tagId_fkey" FOREIGN KEY ("teamId", "tagId") REFERENCES "tags"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "channel_tokens" ADD CONSTRAINT "channel_tokens_teamId_channelId_fkey" FOREIGN KEY ("teamId", "channelId") REFERENCES "channels"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_teamId_userId_fkey" FOREIGN KEY ("teamId", "userId") REFERENCES "users"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_key_collections" ADD CONSTRAINT "api_key_collections_teamId_apiKeyId_fkey" FOREIGN KEY ("teamId", "apiKeyId") REFERENCES "api_keys"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_key_collections" ADD CONSTRAINT "api_key_collections_teamId_collectionId_fkey" FOREIGN KEY ("teamId", "collectionId") REFERENCES "collections"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_key_documents" ADD CONSTRAINT "api_key_documents_teamId_apiKeyId_fkey" FOREIGN KEY ("teamId", "apiKeyId") REFERENCES "api_keys"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "api_key_documents" ADD CONSTRAINT "api_key_documents_teamId_documentId_fkey" FOREIGN KEY ("teamId", "documentId") REFERENCES "documents"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "browser_sessions" ADD CONSTRAINT "browser_sessions_teamId_userId_fkey" FOREIGN KEY ("teamId", "userId") REFERENCES "users"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth_grants" ADD CONSTRAINT "oauth_grants_teamId_userId_fkey" FOREIGN KEY ("teamId", "userId") REFERENCES "users"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth_grants" ADD CONSTRAINT "oauth_grants_clientId_fkey" FOREIGN KEY ("clientId") REFERENCES "oauth_clients"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth_codes" ADD CONSTRAINT "oauth_codes_teamId_grantId_fkey" FOREIGN KEY ("teamId", "grantId") REFERENCES "oauth_grants"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "oauth_tokens" ADD CONSTRAINT "oauth_tokens_teamId_grantId_fkey" FOREIGN KEY ("teamId", "grantId") REFERENCES "oauth_grants"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_subscriptions" ADD CONSTRAINT "webhook_subscriptions_teamId_createdById_fkey" FOREIGN KEY ("teamId", "createdById") REFERENCES "users"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_collections" ADD CONSTRAINT "webhook_collections_teamId_subscriptionId_fkey" FOREIGN KEY ("teamId", "subscriptionId") REFERENCES "webhook_subscriptions"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_collections" ADD CONSTRAINT "webhook_collections_teamId_collectionId_fkey" FOREIGN KEY ("teamId", "collectionId") REFERENCES "collections"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_teamId_subscriptionId_fkey" FOREIGN KEY ("teamId", "subscriptionId") REFERENCES "webhook_subscriptions"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_teamId_eventId_fkey" FOREIGN KEY ("teamId", "eventId") REFERENCES "events"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "attachments" ADD CONSTRAINT "attachments_teamId_documentId_fkey" FOREIGN KEY ("teamId", "documentId") REFERENCES "documents"("teamId", "id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "attachments" ADD CONSTRAINT "attachments_teamId_createdById_fkey" FOREIGN KEY ("teamId", "createdById") REFERENCES "users"("teamId", "id") ON DELETE NO ACTION ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "idempotency_keys" ADD CONSTRAINT "idempotency_keys_teamId_userId_fkey" FOREIGN KEY ("teamId", "userId") REFERENCES "users"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "delete_confirmations" ADD CONSTRAINT "delete_confirmations_teamId_userId_fkey" FOREIGN KEY ("teamId", "userId") REFERENCES "users"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "delete_confirmations" ADD CONSTRAINT "delete_confirmations_teamId_documentId_fkey" FOREIGN KEY ("teamId", "documentId") REFERENCES "documents"("teamId", "id") ON DELETE CASCADE ON UPDATE CASCADE;


-- What the schema language cannot say
ALTER TABLE "collection_grants" ADD CONSTRAINT "collection_grants_one_grantee" CHECK (num_nonnulls("groupId", "userId") = 1);
ALTER TABLE "tag_grants" ADD CONSTRAINT "tag_grants_one_grantee" CHECK (num_nonnulls("groupId", "userId") = 1);
