import type { Caller, Scope } from "@kb/auth";
import { type Call, type ErrorCode, invoke, type Operation, type Service } from "@kb/core";
import type { z } from "zod";
import { type Field, fieldsOf, type JsonSchema, jsonSchema } from "./fields.ts";
import { pathParameterNames } from "./path-parameters.ts";
import { stateOf } from "./preconditions.ts";

/** The methods of the table; HEAD and OPTIONS follow from it. */
export type Method = "get" | "post" | "put" | "patch" | "delete";

/** A success: how it is told to the client. */
export type Answer = {
  readonly status: 200 | 201;
  readonly body: unknown;
  /** What `ETag` names: the revision of a thing that has one, or the state of the whole body. */
  readonly tag: number | string | undefined;
  /** Sent instead of the body. */
  readonly file?: FileAnswer | undefined;
};

/** A success that is a file: it is made as the client takes it. */
export type FileAnswer = { readonly name: string; readonly bytes: AsyncIterable<Uint8Array> };

/** How a row differs from `200 {data: output}`. */
export type RouteOptions<Output> = {
  /** The section of the documentation. */
  readonly section: string;
  /** 201 where something came into being; a function where that depends. */
  readonly status?: 200 | 201 | ((output: Output) => 200 | 201);
  /**
   * `data` (the default): `{data: output}`. `output`: the output is the whole body, as for lists that carry their paging.
   * `{data: key}`: one key of the output is the data.
   */
  readonly body?: "data" | "output" | { readonly data: keyof Output & string };
  /**
   * The revision that `ETag` shows; the row then takes `If-None-Match` and `If-Match`. `body`: what is shown has no
   * revision, and `ETag` is made of the body; the row then takes `If-None-Match`.
   */
  readonly etag?: ((output: Output) => number | undefined) | "body";
  /** The operation heeds `If-Match`. Default: where `etag` gives a revision. */
  readonly ifMatch?: boolean;
  /** `false` for a POST whose answer holds a secret: an answer that is kept for a retry is kept as it is. */
  readonly idempotencyKey?: false;
  /** `false` for a POST that only reads, by which a page learns its CSRF token: it is asked before that is known. */
  readonly csrfToken?: false;
  /** The answer is a file of this media type, not JSON. */
  readonly file?: { readonly type: string; readonly of: (output: Output) => FileAnswer };
  /** Headers of every success. */
  readonly headers?: Readonly<Record<string, string>>;
  /** What is to be known of a field, by its name; for the documentation. */
  readonly notes?: Readonly<Record<string, string>>;
  /** A body, for the documentation. */
  readonly example?: Readonly<Record<string, unknown>>;
  /** A query string without its `?`, for the documentation. */
  readonly exampleQuery?: string;
  /** Error codes that the form of the row does not tell. */
  readonly errors?: readonly ErrorCode[];
  /** Shown in the documentation beside the operation's own description. */
  readonly note?: string;
};

/** A row of the REST table: one method of one path, and the operation that answers it. */
export type Row = {
  readonly method: Method;
  readonly path: string;
  readonly section: string;
  readonly name: string;
  readonly summary: string;
  readonly description: string | undefined;
  readonly caller: Operation["caller"];
  readonly scope: Scope;
  /** For a log-in alone. */
  readonly sessionOnly: boolean;
  readonly inputSchema: JsonSchema;
  /** The JSON Schema of the whole body of a success. */
  readonly bodySchema: JsonSchema;
  /** The media type of a success. */
  readonly bodyType: string;
  readonly fields: readonly Field[];
  readonly pathParameters: readonly string[];
  readonly statuses: readonly (200 | 201)[];
  readonly hasEtag: boolean;
  readonly takesIfMatch: boolean;
  readonly takesIdempotencyKey: boolean;
  /** A log-in must show its CSRF token. */
  readonly needsCsrfToken: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly errors: readonly ErrorCode[];
  readonly example: Readonly<Record<string, unknown>> | undefined;
  readonly exampleQuery: string | undefined;
  readonly answer: (service: Service, caller: Caller, raw: unknown, call: Call) => Promise<Answer>;
};

/** Points a method and a path at an operation. `{name}` in the path is the input's key of that name. */
export function route<Input extends z.ZodType, Output extends z.ZodType>(
  method: Method,
  path: string,
  operation: Operation<Input, Output>,
  options: RouteOptions<z.output<Output>>,
): Row {
  const { status = 200, body = "data", etag } = options;
  requireFields(operation.name, fieldsOf(jsonSchema(operation.input, "input")), Object.keys(options.notes ?? {}));
  const inputSchema = annotated(jsonSchema(operation.input, "input"), options.notes ?? {});
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
    inputSchema,
    bodySchema: bodySchema(jsonSchema(operation.output, "output"), body),
    bodyType: options.file?.type ?? "application/json",
    fields: fieldsOf(inputSchema),
    pathParameters: pathParameterNames(path),
    statuses: typeof status === "function" ? [200, 201] : [status],
    hasEtag: etag !== undefined,
    takesIfMatch: options.ifMatch ?? typeof etag === "function",
    takesIdempotencyKey: method === "post" && options.idempotencyKey !== false,
    needsCsrfToken: method !== "get" && options.csrfToken !== false,
    headers: options.headers ?? {},
    errors: options.errors ?? [],
    example: options.example,
    exampleQuery: options.exampleQuery,
    answer: async (service, caller, raw, call) => {
      const output = await invoke(service, operation, caller, raw, call);
      if (options.file !== undefined) {
        return { status: 200, body: undefined, tag: undefined, file: options.file.of(output) };
      }
      const shown = bodyOf(output, body);
      return {
        status: typeof status === "function" ? status(output) : status,
        body: shown,
        tag: etag === "body" ? stateOf(shown) : etag?.(output),
      };
    },
  };
}

function requireFields(operation: string, fields: readonly Field[], noted: readonly string[]): void {
  const stray = noted.find((name) => !fields.some((field) => field.name === name));
  if (stray !== undefined) throw new Error(`${operation} has no field ${stray} to note anything of`);
}

/** The schema with the notes as the descriptions of its fields, in each of its branches. */
function annotated(schema: JsonSchema, notes: Readonly<Record<string, string>>): JsonSchema {
  const { properties, anyOf, oneOf, ...rest } = schema;
  const described = Object.entries(properties ?? {}).map(([name, property]) => {
    const description = notes[name];
    return [name, description === undefined || typeof property === "boolean" ? property : { ...property, description }];
  });
  const inside = (branches: NonNullable<JsonSchema["anyOf"]>) =>
    branches.map((branch) => (typeof branch === "boolean" ? branch : annotated(branch, notes)));
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

/** What `bodyOf` makes, as a schema; the definitions that it refers to stay at its top. */
function bodySchema(output: JsonSchema, form: BodyForm): JsonSchema {
  if (form === "output") return output;
  const { $defs = {}, $schema: _dialect, ...whole } = output;
  const data = form === "data" ? whole : (whole.properties?.[form.data] ?? {});
  return { type: "object", properties: { data }, required: ["data"], additionalProperties: false, $defs };
}
