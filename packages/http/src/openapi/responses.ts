import { type CallerKind, callerKinds, type ErrorCode } from "@kb/core";
import { statusOf } from "../error-table.ts";
import type { JsonSchema } from "../fields.ts";
import type { Row } from "../route.ts";

/** Describes the body of every error. */
export const errorSchema: JsonSchema = {
  type: "object",
  description: "A message for people, a stable code for programs, and the affected fields in `details`.",
  properties: {
    error: { type: "string" },
    code: { type: "string", enum: Object.keys(statusOf) },
    details: {
      type: "array",
      items: {
        type: "object",
        properties: {
          path: { type: "string" },
          message: { type: "string" },
          currentRevision: { type: "integer" },
          diff: {
            type: "string",
            description: "Unified Markdown lines from the expected revision to the current one.",
          },
        },
        required: ["path", "message"],
      },
    },
    retryAfterSeconds: { type: "integer", minimum: 1, description: "Present with `rate_limited`." },
  },
  required: ["error", "code"],
};

const meanings: Readonly<Record<number, string>> = {
  304: "`If-None-Match` contains the current state.",
  400: "The request is invalid. `details` names the fields.",
  401: "The credential is missing or invalid.",
  403: "The credential or the user lacks the permission.",
  404: "The resource does not exist, or the caller may not see it.",
  405: "The path does not support the method. `Allow` lists the methods that it supports.",
  409: "The request conflicts with the current state.",
  410: "The sync cursor is too old. Start again without one.",
  412: "`If-Match` does not contain the current revision.",
  413: "The body is too large.",
  415: "The body is not JSON.",
  422: "The work would exceed the limit of processor time or memory. Send it in smaller parts.",
  429: "Too many requests. `Retry-After` tells when to continue.",
  500: "An internal error.",
  503: "The service is temporarily unavailable. `Retry-After` tells when to try again.",
};

/** Returns the codes with which any row for a kind of callers can answer. */
function codesFor(kind: CallerKind): readonly ErrorCode[] {
  const { invalidCode, scoped } = callerKinds[kind].credential;
  return [
    "validation_error",
    "authentication_required",
    invalidCode,
    ...(scoped ? (["insufficient_scope"] as const) : []),
    "forbidden",
    "rate_limited",
    "internal_error",
    "unavailable",
  ];
}

/** The codes with which any row for users can answer. */
export const commonCodes = codesFor("user");

const commonCodesWithBody: readonly ErrorCode[] = [...commonCodes, "payload_too_large", "unsupported_media_type"];

/** Lists the codes that a row can answer with: those that follow from its form, and its own. */
export function codesOf(row: Row): ErrorCode[] {
  // An unknown id in a query string only filters. Anywhere else it is an error.
  const takesId =
    row.pathParameters.length > 0 || (row.method !== "get" && row.fields.some(({ name }) => /^id$|Ids?$/.test(name)));
  return [
    ...codesFor(row.caller),
    ...(takesId ? (["not_found"] as const) : []),
    ...(row.needsFreshProof ? (["proof_required"] as const) : []),
    ...(row.method === "get" ? [] : (["payload_too_large", "unsupported_media_type", "conflict"] as const)),
    ...(row.takesIdempotencyKey ? (["idempotency_mismatch"] as const) : []),
    ...(row.takesIfMatch && row.method !== "get" ? (["revision_conflict"] as const) : []),
    ...row.errors,
  ];
}

const rateHeaders = {
  "X-RateLimit-Limit": { $ref: "#/components/headers/X-RateLimit-Limit" },
  "X-RateLimit-Remaining": { $ref: "#/components/headers/X-RateLimit-Remaining" },
  "X-RateLimit-Reset": { $ref: "#/components/headers/X-RateLimit-Reset" },
  "X-Request-Id": { $ref: "#/components/headers/X-Request-Id" },
};

/** The headers that several answers use. */
export const headerComponents = {
  "X-RateLimit-Limit": { description: "The number of requests allowed per minute.", schema: { type: "integer" } },
  "X-RateLimit-Remaining": {
    description: "The number of requests left in the current window.",
    schema: { type: "integer" },
  },
  "X-RateLimit-Reset": {
    description: "The Unix time in seconds at which the oldest counted request leaves the window.",
    schema: { type: "integer" },
  },
  "X-Request-Id": {
    description: "The id of the request, sent by the client or generated. Include it in a problem report.",
    schema: { type: "string" },
  },
  "Retry-After": { description: "The number of seconds after which to try again.", schema: { type: "integer" } },
  Allow: { description: "The methods that the path supports.", schema: { type: "string" } },
  "WWW-Authenticate": { description: "`Bearer`.", schema: { type: "string" } },
  ETag: {
    description: 'The revision in quotes, such as `"3"`, or a digest of the body where there is no revision.',
    schema: { type: "string" },
  },
  "Content-Disposition": { description: "The file name.", schema: { type: "string" } },
  "X-Accel-Buffering": { description: "`no`: no proxy may buffer the stream.", schema: { const: "no" } },
  "Idempotency-Replayed": {
    description: "`true` if the answer is the stored one of an earlier request.",
    schema: { const: "true" },
  },
};

const header = (name: keyof typeof headerComponents) => ({ $ref: `#/components/headers/${name}` });

/** Describes every status that a row can answer with. */
export function responsesOf(row: Row, body: JsonSchema): Record<string, unknown> {
  const responses: Record<string, unknown> = {};
  for (const status of row.statuses) responses[status] = success(row, status, body);
  if (row.hasEtag && row.method === "get") {
    responses[304] = { description: meanings[304], headers: { ...rateHeaders, ETag: header("ETag") } };
  }
  const codes = codesOf(row);
  const byStatus: Map<number, ErrorCode[]> = Map.groupBy(new Set(codes), (code) => statusOf[code]);
  if (row.takesIfMatch) byStatus.set(412, ["revision_conflict"]);
  for (const [status, names] of byStatus) {
    const common = isCommon(row, status) ? commonNames[status] : undefined;
    responses[status] = common === undefined ? failure(status, names) : { $ref: `#/components/responses/${common}` };
  }
  return responses;
}

/** Tells whether a row answers a status as most rows do. The common 401 is that of users. */
function isCommon(row: Row, status: number): boolean {
  return status !== 401 || row.caller === "user";
}

function success(row: Row, status: number, schema: JsonSchema): unknown {
  const own = Object.entries(row.headers).map(([name]) => [name, { schema: { type: "string" } }]);
  const isFile = row.bodyType !== "application/json" && !row.isStream;
  const text = isFile ? { type: "string", format: "binary" } : { type: "string" };
  return {
    description: status === 201 ? "Created." : "Success.",
    headers: {
      ...rateHeaders,
      ...(row.hasEtag ? { ETag: header("ETag") } : {}),
      ...(row.isStream ? { "X-Accel-Buffering": header("X-Accel-Buffering") } : {}),
      ...(isFile ? { "Content-Disposition": header("Content-Disposition") } : {}),
      ...(row.takesIdempotencyKey ? { "Idempotency-Replayed": header("Idempotency-Replayed") } : {}),
      ...Object.fromEntries(own),
    },
    content: { [row.bodyType]: { schema: isFile || row.isStream ? text : schema } },
  };
}

/** The headers of an error status. 409 has `Retry-After` while the first of two equal requests still runs. */
const ownHeaders: ReadonlyMap<number, readonly (keyof typeof headerComponents)[]> = new Map([
  [401, ["WWW-Authenticate"]],
  [405, ["Allow"]],
  [409, ["Retry-After"]],
  [429, ["Retry-After"]],
  [503, ["Retry-After"]],
]);

function failure(status: number, codes: readonly ErrorCode[]): unknown {
  const own = ownHeaders.get(status) ?? [];
  return {
    description: `${meanings[status] ?? "An error."} Codes: ${codes.map((code) => `\`${code}\``).join(", ")}.`,
    headers: { ...rateHeaders, ...Object.fromEntries(own.map((name) => [name, header(name)])) },
    content: { "application/json": { schema: { $ref: "#/components/schemas/Error" } } },
  };
}

/** Names the answers that are the same for every row, by status. */
const commonNames: Readonly<Record<number, string>> = {
  401: "Unauthorized",
  403: "Forbidden",
  412: "PreconditionFailed",
  413: "PayloadTooLarge",
  415: "UnsupportedMediaType",
  429: "RateLimited",
  500: "InternalError",
  503: "Unavailable",
};

/** The answers that several rows use. */
export const commonResponses = Object.fromEntries(
  Object.entries(commonNames).map(([status, name]) => [name, failure(Number(status), codesOfStatus(Number(status)))]),
);

function codesOfStatus(status: number): ErrorCode[] {
  if (status === 412) return ["revision_conflict"];
  return commonCodesWithBody.filter((code) => statusOf[code] === status);
}
