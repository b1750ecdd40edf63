import type { ErrorCode } from "@kb/core";
import { statusOf } from "../error-table.ts";
import type { JsonSchema } from "../fields.ts";
import type { Row } from "../route.ts";

/** The body of every error. */
export const errorSchema: JsonSchema = {
  type: "object",
  description: "What went wrong: a sentence for a person, a stable code for a program, and the places where it helps.",
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
    retryAfterSeconds: { type: "integer", minimum: 1, description: "With `rate_limited`." },
  },
  required: ["error", "code"],
};

const meanings: Readonly<Record<number, string>> = {
  304: "What `If-None-Match` names is still the current state.",
  400: "The request is not valid; `details` says where.",
  401: "There is no credential, or not a good one.",
  403: "The credential or the user may not do this.",
  404: "There is no such thing, or the caller may not see it.",
  405: "The path exists with another method; `Allow` names them.",
  409: "It conflicts with the current state.",
  410: "The position in the sync is too old: start again.",
  412: "`If-Match` names another revision than the current one.",
  413: "The body is too large.",
  415: "The body is not JSON.",
  429: "Too many requests; `Retry-After` says when to go on.",
  500: "A defect of the service.",
  503: "The service cannot work just now; `Retry-After` says when to try again.",
};

/** Codes that any row for users can answer with. */
export const everywhere: readonly ErrorCode[] = [
  "validation_error",
  "authentication_required",
  "invalid_api_key",
  "insufficient_scope",
  "forbidden",
  "rate_limited",
  "internal_error",
  "unavailable",
];

/** Codes that any row for the readers of a channel can answer with. */
const inChannels: readonly ErrorCode[] = [
  ...everywhere.filter((code) => code !== "invalid_api_key" && code !== "insufficient_scope"),
  "invalid_token",
];

const everywhereAndBodies: readonly ErrorCode[] = [...everywhere, "payload_too_large", "unsupported_media_type"];

/** The codes that a row can answer with, as far as its form tells: a row may add its own. */
export function codesOf(row: Row): ErrorCode[] {
  // An unknown id in a query string filters; anywhere else it is missed.
  const named =
    row.pathParameters.length > 0 || (row.method !== "get" && row.fields.some(({ name }) => /^id$|Ids?$/.test(name)));
  return [
    ...(row.caller === "channel" ? inChannels : everywhere),
    ...(named ? (["not_found"] as const) : []),
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

/** The headers that answers share. */
export const headerComponents = {
  "X-RateLimit-Limit": { description: "Requests allowed in a minute.", schema: { type: "integer" } },
  "X-RateLimit-Remaining": { description: "Requests left in the current window.", schema: { type: "integer" } },
  "X-RateLimit-Reset": {
    description: "Unix time in seconds at which the oldest counted request leaves the window.",
    schema: { type: "integer" },
  },
  "X-Request-Id": {
    description: "The request's id, as sent or made; quote it when something is wrong.",
    schema: { type: "string" },
  },
  "Retry-After": { description: "Seconds after which to try again.", schema: { type: "integer" } },
  Allow: { description: "The methods of the path.", schema: { type: "string" } },
  "WWW-Authenticate": { description: "`Bearer`.", schema: { type: "string" } },
  ETag: {
    description: 'The revision in quotes, such as `"3"`; for what has none, its state.',
    schema: { type: "string" },
  },
  "Content-Disposition": { description: "The name of the file.", schema: { type: "string" } },
  "Idempotency-Replayed": {
    description: "`true` where the answer is the stored one of an earlier request.",
    schema: { const: "true" },
  },
};

const header = (name: keyof typeof headerComponents) => ({ $ref: `#/components/headers/${name}` });

/** Every status that the row can answer with. */
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
    const common = row.caller === "channel" && status === 401 ? undefined : commonNames[status];
    responses[status] = common === undefined ? failure(status, names) : { $ref: `#/components/responses/${common}` };
  }
  return responses;
}

function success(row: Row, status: number, schema: JsonSchema): unknown {
  const own = Object.entries(row.headers).map(([name]) => [name, { schema: { type: "string" } }]);
  const isFile = row.bodyType !== "application/json";
  return {
    description: status === 201 ? "Created." : "Done.",
    headers: {
      ...rateHeaders,
      ...(row.hasEtag ? { ETag: header("ETag") } : {}),
      ...(isFile ? { "Content-Disposition": header("Content-Disposition") } : {}),
      ...(row.takesIdempotencyKey ? { "Idempotency-Replayed": header("Idempotency-Replayed") } : {}),
      ...Object.fromEntries(own),
    },
    content: { [row.bodyType]: { schema: isFile ? { type: "string", format: "binary" } : schema } },
  };
}

/** What an error's status brings along. 409 has `Retry-After` where the first of two equal requests still runs. */
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

/** Statuses whose answers are the same for every row, and the names of those answers. */
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

/** The answers that rows share. */
export const commonResponses = Object.fromEntries(
  Object.entries(commonNames).map(([status, name]) => [name, failure(Number(status), commonCodes(Number(status)))]),
);

function commonCodes(status: number): ErrorCode[] {
  if (status === 412) return ["revision_conflict"];
  return everywhereAndBodies.filter((code) => statusOf[code] === status);
}
