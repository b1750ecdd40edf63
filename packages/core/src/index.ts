export { type ErrorCode, type ErrorDetail, notFound, ServiceError } from "./errors.ts";
export type { IdempotentCall } from "./idempotency.ts";
export { type Call, invoke, type Operation, type Service } from "./operation.ts";
export * as operations from "./operations.ts";
export { Collection } from "./schema/collection.ts";
export { Document } from "./schema/document.ts";
