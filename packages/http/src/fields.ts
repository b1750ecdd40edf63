import { isDeepStrictEqual } from "node:util";
import { z } from "zod";

/** A JSON Schema (draft 2020-12) in the form that zod generates. */
export type JsonSchema = z.core.JSONSchema.BaseSchema;

/** One key of an operation's input. */
export type Field = { readonly name: string; readonly required: boolean; readonly schema: JsonSchema };

/** Returns the JSON Schema of the `input` or `output` of a zod schema, without refinements that JSON Schema lacks. */
export function jsonSchema(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  return z.toJSONSchema(schema, { io, unrepresentable: "any", target: "draft-2020-12" });
}

/** Lists the keys of an object schema, or of all alternatives of a union of objects. */
export function fieldsOf(schema: JsonSchema): Field[] {
  return [...fieldsIn(schema, schema.$defs ?? {}).values()];
}

type Definitions = Readonly<Record<string, JsonSchema | boolean>>;

function fieldsIn(part: JsonSchema, definitions: Definitions): Map<string, Field> {
  const whole = resolveReference(part, definitions);
  const fields = new Map<string, Field>();
  for (const [name, property] of Object.entries(whole.properties ?? {})) {
    if (typeof property === "boolean") continue;
    const required = (whole.required ?? []).includes(name);
    fields.set(name, { name, required, schema: resolveReference(property, definitions) });
  }
  for (const alternatives of [whole.anyOf, whole.oneOf]) {
    const branches = (alternatives ?? []).filter((branch) => typeof branch !== "boolean");
    for (const field of mergeAlternatives(branches.map((branch) => fieldsIn(branch, definitions))))
      fields.set(field.name, field);
  }
  return fields;
}

/** Merges the keys of a union: a key is required if every alternative requires it, and accepts the values of all. */
function mergeAlternatives(branches: readonly ReadonlyMap<string, Field>[]): Field[] {
  return [...new Set(branches.flatMap((branch) => [...branch.keys()]))].map((name) => {
    const found = branches.flatMap((branch) => branch.get(name) ?? []);
    const required = found.length === branches.length && found.every((field) => field.required);
    return { name, required, schema: unionOf(found.map((field) => field.schema)) };
  });
}

function unionOf(schemas: readonly JsonSchema[]): JsonSchema {
  const [first = {}, ...others] = schemas;
  const distinct = others.filter((schema) => !isDeepStrictEqual(schema, first));
  if (distinct.length === 0) return first;
  const { description } = first;
  return { anyOf: [first, ...distinct], ...(description === undefined ? {} : { description }) };
}

function resolveReference(schema: JsonSchema, definitions: Definitions): JsonSchema {
  const name = schema.$ref?.replace("#/$defs/", "");
  const found = name === undefined ? undefined : definitions[name];
  return found === undefined || typeof found === "boolean" ? schema : found;
}

/** The type that a text from a path or query string is parsed as. */
export type TextType = { readonly type: "boolean" | "integer" | "number" | "string"; readonly repeatable: boolean };

/** Returns the type that a field declares; null as one of several types is ignored. */
export function textTypeOf(schema: JsonSchema): TextType {
  const branches = [schema, ...(schema.anyOf ?? []), ...(schema.oneOf ?? [])].filter(
    (part) => typeof part !== "boolean",
  );
  const list = branches.find((branch) => typesOf(branch).includes("array"));
  if (list !== undefined) {
    const { items } = list;
    const element = typeof items === "object" && !Array.isArray(items) ? items : {};
    return { type: textTypeOf(element).type, repeatable: true };
  }
  for (const type of ["boolean", "integer", "number"] as const) {
    if (branches.some((branch) => typesOf(branch).includes(type))) return { type, repeatable: false };
  }
  return { type: "string", repeatable: false };
}

/** Lists the types that a schema names: `type` is one of them or a list. */
export function typesOf(schema: JsonSchema): readonly string[] {
  const type: unknown = schema.type;
  return Array.isArray(type) ? type.map(String) : typeof type === "string" ? [type] : [];
}

/** Parses a text. Returns a text that does not fit the type unchanged, so that the schema rejects it. */
export function parseText(text: string, type: TextType["type"]): unknown {
  if (type === "boolean") return text === "true" ? true : text === "false" ? false : text;
  if (type === "integer") return /^-?(?:0|[1-9]\d*)$/.test(text) ? Number(text) : text;
  if (type === "number") return /^-?(?:0|[1-9]\d*)(?:\.\d+)?$/.test(text) ? Number(text) : text;
  return text;
}
