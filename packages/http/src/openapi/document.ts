import { callerKinds } from "@kb/core";
import type { JsonSchema } from "../fields.ts";
import type { Row } from "../route.ts";
import { type Components, createComponents } from "./components.ts";
import { healthDescription } from "./health.ts";
import { parameterComponents, parametersOf } from "./parameters.ts";
import { commonResponses, errorSchema, headerComponents, responsesOf } from "./responses.ts";

/** The parts of the document that do not come from rows. */
export type ApiInfo = {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  /** The address of the API; absent in the committed document, which is for every installation. */
  readonly serverUrl?: string;
};

/** The parts of the document that our code reads. */
export type ApiDocument = {
  readonly openapi: "3.1.0";
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, JsonSchema>>; readonly [part: string]: unknown };
  readonly [part: string]: unknown;
};

/** Computes the OpenAPI 3.1.0 document of a REST table. */
export function openApiDocument(rows: readonly Row[], info: ApiInfo): ApiDocument {
  const { title, version, description, serverUrl } = info;
  const components = createComponents({ Error: errorSchema, Health: healthDescription.schema });
  const paths: Record<string, Record<string, unknown>> = { [healthDescription.path]: healthDescription.item };
  for (const row of rows) {
    paths[row.path] = { ...paths[row.path], [row.method]: operationOf(row, components) };
  }
  return {
    openapi: "3.1.0",
    info: { title, version, description, license: { name: "MIT", identifier: "MIT" } },
    jsonSchemaDialect: "https://json-schema.org/draft/2020-12/schema",
    servers: [{ url: serverUrl ?? "/" }],
    security: [{ [callerKinds.user.credential.id]: [] }, { session: [] }],
    tags: [...new Set(rows.map((row) => row.section)), "Health"].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        ...bearerSchemes(),
        session: { type: "apiKey", in: "cookie", name: "kb_session", description: sessionDescription },
      },
      parameters: parameterComponents,
      headers: headerComponents,
      responses: commonResponses,
      schemas: components.schemas,
    },
  };
}

const sessionDescription =
  "A browser session, created by `/login`. On https the cookie is `__Host-kb_session`. Requests that change something need the `Origin` of the service and, as `X-CSRF-Token`, the token that `POST /api/auth.me` returns.";

function operationOf(row: Row, components: Components): unknown {
  const body = bodyOf(row);
  return {
    operationId: row.name,
    summary: row.summary,
    ...(row.description === undefined ? {} : { description: row.description }),
    tags: [row.section],
    ...(callerKinds[row.caller].credential.scoped ? { "x-scope": row.scope } : {}),
    ...securityOf(row),
    parameters: parametersOf(row),
    ...(body === null ? {} : { requestBody: requestBody(row, body, components) }),
    responses: responsesOf(row, components.lift(row.bodySchema)),
  };
}

/** Describes the bearer credential of each kind of callers. */
function bearerSchemes(): Record<string, unknown> {
  const credentials = Object.values(callerKinds).map(({ credential }) => credential);
  return Object.fromEntries(
    credentials.map(({ id, description, prefix }) => [
      id,
      { type: "http", scheme: "bearer", description: `${description}: \`Authorization: Bearer ${prefix}…\`.` },
    ]),
  );
}

/** Returns the security of a row where it differs from that of the whole API. */
function securityOf(row: Row): object {
  if (row.sessionOnly) return { security: [{ session: [] }] };
  return row.caller === "user" ? {} : { security: [{ [callerKinds[row.caller].credential.id]: [] }] };
}

function requestBody(row: Row, schema: JsonSchema, components: Components): unknown {
  const example = row.example === undefined ? {} : { example: row.example };
  const content = { "application/json": { schema: components.lift(schema), ...example } };
  return { required: needsBody(schema), content };
}

function needsBody(schema: JsonSchema): boolean {
  const branches = [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])].filter((branch) => typeof branch !== "boolean");
  return branches.length > 0 ? branches.every(needsBody) : (schema.required ?? []).length > 0;
}

/** Returns the input without the keys of the path; null if nothing is left to send. */
function bodyOf(row: Row): JsonSchema | null {
  if (row.method === "get" || row.fields.every((field) => row.pathParameters.includes(field.name))) return null;
  return withoutKeys(row.inputSchema, row.pathParameters);
}

function withoutKeys(schema: JsonSchema, keys: readonly string[]): JsonSchema {
  const { properties, required, anyOf, oneOf, ...rest } = schema;
  const left = Object.entries(properties ?? {}).filter(([name]) => !keys.includes(name));
  const needed = (required ?? []).filter((name) => !keys.includes(name));
  const inside = (branches: JsonSchema["anyOf"]) =>
    (branches ?? []).map((branch) => (typeof branch === "boolean" ? branch : withoutKeys(branch, keys)));
  return {
    ...rest,
    ...(properties === undefined ? {} : { properties: Object.fromEntries(left) }),
    ...(needed.length === 0 ? {} : { required: needed }),
    ...(anyOf === undefined ? {} : { anyOf: inside(anyOf) }),
    ...(oneOf === undefined ? {} : { oneOf: inside(oneOf) }),
  };
}
