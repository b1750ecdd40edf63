import { type Field, textTypeOf } from "../fields.ts";
import type { Row } from "../route.ts";
import { plainSchema } from "./components.ts";

/** The header parameters that rows share. */
export const parameterComponents = {
  IfMatch: {
    name: "If-Match",
    in: "header",
    description: 'Entity tags such as `"3"`. The answer is 412 unless one of them is the current revision.',
    schema: { type: "string" },
  },
  IfNoneMatch: {
    name: "If-None-Match",
    in: "header",
    description: "Entity tags that the client has stored. The answer is 304 if one of them is the current revision.",
    schema: { type: "string" },
  },
  LastEventId: {
    name: "Last-Event-ID",
    in: "header",
    description: "The id of the last event that the client received. It takes precedence over `lastEventId`.",
    schema: { type: "string" },
  },
  CsrfToken: {
    name: "X-CSRF-Token",
    in: "header",
    required: true,
    description: "The CSRF token of the session, from `auth.me`.",
    schema: { type: "string" },
  },
  IdempotencyKey: {
    name: "Idempotency-Key",
    in: "header",
    description:
      "1 to 255 characters. The same request with the same key runs once. Its answer is stored for 24 hours.",
    schema: { type: "string", minLength: 1, maxLength: 255 },
  },
};

const reference = (name: keyof typeof parameterComponents) => ({ $ref: `#/components/parameters/${name}` });

/** Describes the parameters of a row: its path, its query string and its headers. */
export function parametersOf(row: Row): unknown[] {
  const isPath = (field: Field): boolean => row.pathParameters.includes(field.name);
  const inPath = row.fields.filter(isPath).map((field) => parameter(field, "path", true));
  const inQuery =
    row.method === "get"
      ? row.fields.filter((field) => !isPath(field)).map((field) => parameter(field, "query", field.required))
      : [];
  return [
    ...inPath,
    ...inQuery,
    ...(row.sessionOnly && row.needsCsrfToken ? [reference("CsrfToken")] : []),
    ...(row.takesIfMatch ? [reference("IfMatch")] : []),
    ...(row.hasEtag && row.method === "get" ? [reference("IfNoneMatch")] : []),
    ...(row.isStream ? [reference("LastEventId")] : []),
    ...(row.takesIdempotencyKey ? [reference("IdempotencyKey")] : []),
  ];
}

function parameter(field: Field, place: "path" | "query", required: boolean): unknown {
  const { description, ...schema } = plainSchema(field.schema);
  return {
    name: field.name,
    in: place,
    required,
    ...(description === undefined ? {} : { description }),
    // `tag=a&tag=b`.
    ...(place === "query" && textTypeOf(schema).repeatable ? { style: "form", explode: true } : {}),
    schema,
  };
}
