import type { JsonSchema } from "../fields.ts";
import type { Row } from "../route.ts";
import { type Components, createComponents } from "./components.ts";
import { healthDescription } from "./health.ts";
import { parameterComponents, parametersOf } from "./parameters.ts";
import { commonResponses, errorSchema, headerComponents, responsesOf } from "./responses.ts";

/** What the document says beside its rows. */
export type ApiInfo = {
  readonly title: string;
  readonly version: string;
  readonly description: string;
  /** Where the API is served; left out of the committed document, which holds for every installation. */
  readonly serverUrl?: string;
};

/** The document, as far as its readers look into it. */
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
    security: [{ apiKey: [] }, { session: [] }],
    tags: [...new Set(rows.map((row) => row.section)), "Health"].map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: {
        apiKey: { type: "http", scheme: "bearer", description: "An API key: `Authorization: Bearer kb_…`." },
        channelToken: { type: "http", scheme: "bearer", description: "A token of a publishing channel: `kbc_…`." },
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
  "The log-in of a browser, given by `/login`; on https the cookie is `__Host-kb_session`. Whatever changes something needs the `Origin` of the service and, as `X-CSRF-Token`, the token that `POST /api/auth.me` tells.";

function operationOf(row: Row, components: Components): unknown {
  const body = bodyOf(row);
  return {
    operationId: row.name,
    summary: row.summary,
    ...(row.description === undefined ? {} : { description: row.description }),
    tags: [row.section],
    ...(row.caller === "user" ? { "x-scope": row.scope } : {}),
    ...securityOf(row),
    parameters: parametersOf(row),
    ...(body === null ? {} : { requestBody: requestBody(row, body, components) }),
    responses: responsesOf(row, components.lift(row.bodySchema)),
  };
}

/** What opens the row, where it is not what opens most. */
function securityOf(row: Row): object {
  if (row.caller === "channel") return { security: [{ channelToken: [] }] };
  return row.sessionOnly ? { security: [{ session: [] }] } : {};
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

/** The input without the keys that the path gives; null where nothing is left to send. */
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
