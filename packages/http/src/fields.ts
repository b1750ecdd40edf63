import { isDeepStrictEqual } from "node:util";
import { z } from "zod";

/** A JSON Schema (draft 2020-12), as zod writes it. */
export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** One key of an operation's input. */
export type Field = { readonly name: string; readonly required: boolean; readonly schema: JsonSchema };

/** The JSON Schema of what a client sends (`input`) or gets (`output`). Refinements that JSON Schema lacks are left out. */
export function jsonSchema(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  return z.toJSONSchema(schema, { io, unrepresentable: "any", target: "draft-2020-12" });
}

/** The keys of an input that is an object, or one of several objects: then of all of them. */
export function fieldsOf(schema: JsonSchema): Field[] {
  return [...fieldsIn(schema, schema.$defs ?? {}).values()];
}

type Definitions = Readonly<Record<string, JsonSchema | boolean>>;

function fieldsIn(part: JsonSchema, definitions: Definitions): Map<string, Field> {
  const whole = resolve(part, definitions);
  const fields = new Map<string, Field>();
  for (const [name, property] of Object.entries(whole.properties ?? {})) {
    if (typeof property === "boolean") continue;
    const required = (whole.required ?? []).includes(name);
    fields.set(name, { name, required, schema: resolve(property, definitions) });
  }
  for (const alternatives of [whole.anyOf, whole.oneOf]) {
    const branches = (alternatives ?? []).filter((branch) => typeof branch !== "boolean");
    for (const field of merged(branches.map((branch) => fieldsIn(branch, definitions)))) fields.set(field.name, field);
  }
  return fields;
}

/** A key is required where every branch requires it, and may be what any of them takes. */
function merged(branches: readonly ReadonlyMap<string, Field>[]): Field[] {
  return [...new Set(branches.flatMap((branch) => [...branch.keys()]))].map((name) => {
    const found = branches.flatMap((branch) => branch.get(name) ?? []);
    const required = found.length === branches.length && found.every((field) => field.required);
    return { name, required, schema: either(found.map((field) => field.schema)) };
  });
}

function either(schemas: readonly JsonSchema[]): JsonSchema {
  const [first = {}, ...others] = schemas;
  const distinct = others.filter((schema) => !isDeepStrictEqual(schema, first));
  if (distinct.length === 0) return first;
  const { description } = first;
  return { anyOf: [first, ...distinct], ...(description === undefined ? {} : { description }) };
}

function resolve(schema: JsonSchema, definitions: Definitions): JsonSchema {
  const name = schema.$ref?.replace("#/$defs/", "");
  const found = name === undefined ? undefined : definitions[name];
  return found === undefined || typeof found === "boolean" ? schema : found;
}

/** How a text from a path or a query string is read. */
export type Reading = { readonly type: "boolean" | "integer" | "number" | "string"; readonly repeatable: boolean };

/** The reading that a field's declared type asks for; null as one of several types does not count. */
export function readingOf(schema: JsonSchema): Reading {
  const branches = [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].filter(
    (part) => typeof part !== "boolean",
  );
  const list = branches.find((branch) => typesOf(branch).includes("array"));
  if (list !== undefined) {
    const { items } = list;
    const element = typeof items === "object" && !Array.isArray(items) ? items : {};
    return { type: readingOf(element).type, repeatable: true };
  }
  for (const type of ["boolean", "integer", "number"] as const) {
    if (branches.some((branch) => typesOf(branch).includes(type))) return { type, repeatable: false };
  }
  return { type: "string", repeatable: false };
}

/** The types that a schema names; `type` is one of them or a list. */
export function typesOf(schema: JsonSchema): readonly string[] {
  const type: unknown = schema.type;
  return Array.isArray(type) ? type.map(String) : typeof type === "string" ? [type] : [];
}

/** The value that a text spells; a text that spells none is left as it is, for the schema to refuse. */
export function readText(text: string, type: Reading["type"]): unknown {
  if (type === "boolean") return text === "true" ? true : text === "false" ? false : text;
  if (type === "integer") return /^-?(?:0|[1-9]\d*)$/.test(text) ? Number(text) : text;
  if (type === "number") return /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text) ? Number(text) : text;
  return text;
}
