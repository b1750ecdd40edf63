export type { Actor } from "@kb/auth";
export * as admin from "./admin/index.ts";
export { requireMcp, switchMcp } from "./assistants/enabled.ts";
export { Attachment } from "./attachments/attachment.ts";
export { type CleanUp, cleanUpAttachments } from "./attachments/clean-up.ts";
export type { Files } from "./attachments/files.ts";
export { findFile, type PublicFile } from "./attachments/read.ts";
export { receiveUpload, type Upload } from "./attachments/receive.ts";
export { type AuditOutcome, type AuditRecord, recordAudit } from "./audit/entry.ts";
export { flushAudit, queueAudit } from "./audit/queue.ts";
export { asServiceError, type ErrorCode, type ErrorDetail, invalid, notFound, ServiceError } from "./errors.ts";
export type { IdempotentCall } from "./idempotency.ts";
export { parseInput } from "./input-error.ts";
export { admit, invoke } from "./invoke.ts";
export type { Call, Door, Operation, Service } from "./operation.ts";
export * as operations from "./operations.ts";
export { type Retention, type Swept, sweep } from "./retention/sweep.ts";
export type { Export, ExportFile } from "./export/export.ts";
export { Collection } from "./schema/collection.ts";
export { Document, type DocumentView } from "./schema/document.ts";
export { Emoji, maxMarkdownLength, maxTags, maxTitleLength, TagName } from "./schema/text.ts";
export {
  audienceOf,
  type Capacity,
  type ClaimedDelivery,
  claimDeliveries,
  dispatchEvents,
  dropDelivery,
  type Message,
  messageOf,
  type Outcome,
  settleDelivery,
  type Told,
} from "./webhooks/index.ts";
