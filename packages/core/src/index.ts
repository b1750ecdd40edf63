export type { Actor } from "@kb/auth";
export * as admin from "./admin/index.ts";
export type { AppApproval, ShownApp } from "./app-requests/app-request.ts";
export { endGrant } from "./apps/end-grants.ts";
export { asServiceError } from "./as-service-error.ts";
export { requireMcp, switchMcp } from "./assistants/mcp-switch.ts";
export { Attachment } from "./attachments/attachment.ts";
export { type CleanUp, cleanUpAttachments } from "./attachments/clean-up.ts";
export { type FetchAddress, fetchFile, tooLargeFile } from "./attachments/fetch-file.ts";
export type { Files } from "./attachments/files.ts";
export { findFile, type PublicFile } from "./attachments/find-file.ts";
export { receiveUpload, type Upload } from "./attachments/receive.ts";
export { type AuditDetails, type AuditOutcome, type AuditRecord, recordAudit } from "./audit/entry.ts";
export { flushAudit, queueAudit } from "./audit/queue.ts";
export { CallerChangedError } from "./caller-changed-error.ts";
export { type Admission, type CallerKind, callerKinds, kindOf } from "./caller-kinds.ts";
export * from "./changes/index.ts";
export type { CallMetadata, Continuation, Service } from "./context.ts";
export {
  type ConfirmedChange,
  confirmEmailChange,
  type FoundEmailChange,
  findEmailChange,
} from "./email-change/confirm.ts";
export { type ErrorCode, type ErrorDetail, invalid, notFound, ServiceError } from "./errors.ts";
export type { Export, ExportFile } from "./export/export.ts";
export type { IdempotentCall } from "./idempotency.ts";
export * from "./imports/index.ts";
export { parseInput, unknownField } from "./input-error.ts";
export {
  acceptInvitation,
  acceptInvitationByEmail,
  findInvitation,
  type InvitationPreview,
} from "./invitations/accept.ts";
export { invoke, requireAdmission } from "./invoke.ts";
export { type SavedDocuments, saveDueDocuments, saveUnsavedDocuments } from "./live/due-checkpoints.ts";
export { LiveFeed } from "./live/live-feed.ts";
export { StepShapes } from "./live/step-shapes.ts";
export type { LiveStream } from "./live/stream.ts";
export { findLogInLink, logInByLink } from "./log-in-links/log-in-by-link.ts";
export * from "./mail/index.ts";
export type { Operation } from "./operation.ts";
export * as operations from "./operations.ts";
export { UsedCredential } from "./passkeys/passkey.ts";
export { mailResetLinks } from "./password-reset/mail-reset-links.ts";
export { requestPasswordReset } from "./password-reset/request-reset.ts";
export { findPasswordReset, setPasswordByLink } from "./password-reset/set-password-by-link.ts";
export { measureDocuments } from "./quotas/measure-documents.ts";
export {
  isQuotaExceeded,
  type Quotas,
  quotasOf,
  type StorageBytes,
  type StorageKind,
  storageKinds,
} from "./quotas/quotas.ts";
export { recountStorage } from "./quotas/recount-storage.ts";
export { type InstallationUsage, readInstallationUsage } from "./quotas/usage.ts";
export { requireSealer } from "./require-sealer.ts";
export { type Retention, type Swept, sweep } from "./retention/sweep.ts";
export { Collection } from "./schema/collection.ts";
export { Document, type DocumentView } from "./schema/document.ts";
export { maxMarkdownLength } from "./schema/max-markdown-length.ts";
export { Name } from "./schema/names.ts";
export { type Language, LanguageCode } from "./schema/profile.ts";
export { Emoji, maxTags, maxTitleLength, TagName } from "./schema/text.ts";
export { withoutInvisible } from "./schema/visible-text.ts";
export { indexOutdatedDocuments } from "./search/index-again.ts";
export {
  beginSetUpAtLogIn,
  completeSetUpAtLogIn,
  type NewAuthenticator,
} from "./second-factor/set-up-at-log-in.ts";
export { warnOfGuesses } from "./second-factor/warn-owner.ts";
export { hasFreshProof } from "./sessions/require-fresh-proof.ts";
export { usesPasswords } from "./sessions/require-passwords.ts";
export { checkSetupCode, isSetupOpen, type SetupCheck, setUpTeam } from "./setup/set-up-team.ts";
export { findLogo } from "./team/logo/find-logo.ts";
export { FairQueue } from "./threads/fair-queue.ts";
export { LastActive } from "./threads/last-active.ts";
export { followProviderGroups, type ProviderGroups } from "./users/follow-provider-groups.ts";
export * from "./webhooks/index.ts";
