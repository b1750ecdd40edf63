export * as admin from "./admin/index.ts";
export { type ErrorCode, type ErrorDetail, invalid, notFound, ServiceError } from "./errors.ts";
export type { IdempotentCall } from "./idempotency.ts";
export { type Call, invoke, type Operation, type Service } from "./operation.ts";
export * as operations from "./operations.ts";
export { Collection } from "./schema/collection.ts";
export { Document, type DocumentView } from "./schema/document.ts";
export { Emoji, maxMarkdownLength, maxTags, maxTitleLength, TagName } from "./schema/text.ts";
