import type { Caller, Scope } from "@kb/auth";
import {
  type CallMetadata,
  type ChangeStream,
  type ErrorCode,
  invoke,
  type LiveStream,
  type Operation,
  type Service,
} from "@kb/core";
import type { z } from "zod";
import type { BurstLimit } from "./burst-limit.ts";
import { type Field, fieldsOf, type JsonSchema, jsonSchema } from "./fields.ts";
import { pathParameterNames } from "./path-parameters.ts";
import { stateOf } from "./preconditions.ts";

/** The methods of the table. HEAD and OPTIONS are derived from it. */
export type Method = "get" | "post" | "put" | "patch" | "delete";

/** A successful answer. */
export type Answer = {
  readonly status: 200 | 201;
  readonly body: unknown;
  /** The content of `ETag`: the revision, or the state of the whole body where there is none. */
  readonly tag: number | string | undefined;
  /** Sent instead of the body. */
  readonly file?: FileAnswer | undefined;
  /** Sent instead of the body, as server-sent events. */
  readonly changes?: ChangeStream | undefined;
  /** Sent instead of the body, as server-sent events. */
  readonly live?: LiveStream | undefined;
};

/** A file as the answer, generated as the client reads it. */
export type FileAnswer = { readonly name: string; readonly bytes: AsyncIterable<Uint8Array> };

/** Options of a row. By default it answers `200 {data: output}`. */
export type RouteOptions<Output> = {
  /** The section of the documentation. */
  readonly section: string;
  /** 201 for a row that creates something; a function where that depends on the output. */
  readonly status?: 200 | 201 | ((output: Output) => 200 | 201);
  /**
   * `data` (the default): `{data: output}`. `output`: the output is the whole body, as in lists with paging.
   * `{data: key}`: the data is one key of the output.
   */
  readonly body?: "data" | "output" | { readonly data: keyof Output & string };
  /**
   * Returns the revision for `ETag`; the row then accepts `If-None-Match` and `If-Match`. `body`: the output has no
   * revision and `ETag` is a digest of the body; the row then accepts `If-None-Match`.
   */
  readonly etag?: ((output: Output) => number | undefined) | "body";
  /** Whether the operation checks `If-Match`. Default: true where `etag` returns a revision. */
  readonly ifMatch?: boolean;
  /** `false` for a POST whose answer is not known in the transaction, or contains a secret: answers for retries are stored as they are. */
  readonly idempotencyKey?: false;
  /** `false` for a POST that only reads, through which a page learns its CSRF token. */
  readonly csrfToken?: false;
  /** Limits calls with the same value of a field, in addition to the window of the caller. */
  readonly burst?: BurstLimit;
  /** The answer is a file of this media type, not JSON. */
  readonly file?: { readonly type: string; readonly of: (output: Output) => FileAnswer };
  /** The answer is a stream of server-sent events; the input has the field `lastEventId`. */
  readonly changes?: (output: Output) => ChangeStream;
  /** As `changes`, for what others write in one document. */
  readonly live?: (output: Output) => LiveStream;
  /** Headers of every successful answer. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Descriptions of fields by name, for the documentation. */
  readonly notes?: Readonly<Record<string, string>>;
  /** An example body for the documentation. */
  readonly example?: Readonly<Record<string, unknown>>;
  /** An example query string without its `?`, for the documentation. */
  readonly exampleQuery?: string;
  /** Error codes that cannot be derived from the row. */
  readonly errors?: readonly ErrorCode[];
  /** Added to the operation's description in the documentation. */
  readonly note?: string;
};

/** A row of the REST table: a method, a path, and the operation that answers it. */
export type Row = {
  readonly method: Method;
  readonly path: string;
  readonly section: string;
  readonly name: string;
  readonly summary: string;
  readonly description: string | undefined;
  readonly caller: Operation["caller"];
  readonly scope: Scope;
  /** Whether only a browser session may call it. */
  readonly sessionOnly: boolean;
  /** Whether a session must have proven in the last 15 minutes who its user is. */
  readonly needsFreshProof: boolean;
  readonly inputSchema: JsonSchema;
  /** The JSON Schema of the whole body of a successful answer. */
  readonly bodySchema: JsonSchema;
  /** The media type of a successful answer. */
  readonly bodyType: string;
  /** Whether a successful answer is a stream of server-sent events. */
  readonly isStream: boolean;
  readonly fields: readonly Field[];
  readonly pathParameters: readonly string[];
  readonly statuses: readonly (200 | 201)[];
  readonly hasEtag: boolean;
  readonly takesIfMatch: boolean;
  readonly takesIdempotencyKey: boolean;
  /** Whether the operation may have changed something when it answers. */
  readonly isChange: boolean;
  /** Whether its operation confirms an expected caller in its transaction. */
  readonly confirmsInTransaction: boolean;
  /** Whether a browser session must send its CSRF token. */
  readonly needsCsrfToken: boolean;
  readonly burst: BurstLimit | undefined;
  readonly headers: Readonly<Record<string, string>>;
  readonly errors: readonly ErrorCode[];
  readonly example: Readonly<Record<string, unknown>> | undefined;
  readonly exampleQuery: string | undefined;
  readonly answer: (service: Service, caller: Caller, raw: unknown, call: CallMetadata) => Promise<Answer>;
};

/** Defines a row: a method and a path that call an operation. `{name}` in the path is the input key of that name. */
export function route<Input extends z.ZodType, Output extends z.ZodType>(
  method: Method,
  path: string,
  operation: Operation<Input, Output>,
  options: RouteOptions<z.output<Output>>,
): Row {
  const { status = 200, body = "data", etag } = options;
  const isStream = options.changes !== undefined || options.live !== undefined;
  requireFields(operation.name, fieldsOf(jsonSchema(operation.input, "input")), Object.keys(options.notes ?? {}));
  const inputSchema = annotateFields(jsonSchema(operation.input, "input"), options.notes ?? {});
  return {
    method,
    path,
    section: options.section,
    name: operation.name,
    summary: operation.summary,
    description: [operation.description, options.note].filter(Boolean).join("\n\n") || undefined,
    caller: operation.caller,
    scope: operation.scope,
    sessionOnly: operation.sessionOnly === true,
    needsFreshProof: operation.freshProof === true,
    inputSchema,
    bodySchema: bodySchema(jsonSchema(operation.output, "output"), body),
    bodyType: isStream ? "text/event-stream" : (options.file?.type ?? "application/json"),
    isStream,
    fields: fieldsOf(inputSchema),
    pathParameters: pathParameterNames(path),
    statuses: typeof status === "function" ? [200, 201] : [status],
    hasEtag: etag !== undefined,
    takesIfMatch: options.ifMatch ?? typeof etag === "function",
    takesIdempotencyKey: method === "post" && options.idempotencyKey !== false,
    isChange: operation.changes,
    confirmsInTransaction: operation.confirmsInTransaction === true,
    needsCsrfToken: method !== "get" && options.csrfToken !== false,
    burst: options.burst,
    headers: options.headers ?? {},
    errors: options.errors ?? [],
    example: options.example,
    exampleQuery: options.exampleQuery,
    answer: async (service, caller, raw, call) => {
      const output = await invoke(service, operation, caller, raw, call);
      if (options.live !== undefined) {
        return { status: 200, body: undefined, tag: undefined, live: options.live(output) };
      }
      if (options.changes !== undefined) {
        return { status: 200, body: undefined, tag: undefined, changes: options.changes(output) };
      }
      if (options.file !== undefined) {
        return { status: 200, body: undefined, tag: undefined, file: options.file.of(output) };
      }
      const answerBody = bodyOf(output, body);
      return {
        status: typeof status === "function" ? status(output) : status,
        body: answerBody,
        tag: etag === "body" ? stateOf(answerBody, call.continuation?.state) : etag?.(output),
      };
    },
  };
}

function requireFields(operation: string, fields: readonly Field[], noted: readonly string[]): void {
  const stray = noted.find((name) => !fields.some((field) => field.name === name));
  if (stray !== undefined) throw new Error(`${operation} has no field ${stray} for a note`);
}

/** Adds the notes to the schema as descriptions of its fields, in each alternative. */
function annotateFields(schema: JsonSchema, notes: Readonly<Record<string, string>>): JsonSchema {
  const { properties, anyOf, oneOf, ...rest } = schema;
  const described = Object.entries(properties ?? {}).map(([name, property]) => {
    const description = notes[name];
    return [name, description === undefined || typeof property === "boolean" ? property : { ...property, description }];
  });
  const inside = (branches: NonNullable<JsonSchema["anyOf"]>) =>
    branches.map((branch) => (typeof branch === "boolean" ? branch : annotateFields(branch, notes)));
  return {
    ...rest,
    ...(properties === undefined ? {} : { properties: Object.fromEntries(described) }),
    ...(anyOf === undefined ? {} : { anyOf: inside(anyOf) }),
    ...(oneOf === undefined ? {} : { oneOf: inside(oneOf) }),
  };
}

type BodyForm = "data" | "output" | { readonly data: string };

function bodyOf(output: unknown, form: BodyForm): unknown {
  if (form === "output") return output;
  if (form === "data") return { data: output };
  return { data: typeof output === "object" && output !== null ? Reflect.get(output, form.data) : undefined };
}

/** Returns the schema of the result of `bodyOf`, with its definitions at the top. */
function bodySchema(output: JsonSchema, form: BodyForm): JsonSchema {
  if (form === "output") return output;
  const { $defs = {}, $schema: _dialect, ...whole } = output;
  const data = form === "data" ? whole : (whole.properties?.[form.data] ?? {});
  return { type: "object", properties: { data }, required: ["data"], additionalProperties: false, $defs };
}
