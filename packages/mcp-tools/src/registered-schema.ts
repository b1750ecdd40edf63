import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import { z } from "zod";

type JsonSchema = Record<string, unknown>;

/**
 * A tool's input as the SDK registers it: the whole strict schema to show, while the call itself is read by the tool, so
 * that mistakes are told in the service's words and with a code.
 */
export function shownInput(schema: z.ZodType): StandardSchemaWithJSON {
  return standard(schema, (value) => ({ value }));
}

/** A tool's output as the SDK registers it: what a tool answers is held to it. */
export function heldOutput(schema: z.ZodType): StandardSchemaWithJSON {
  return standard(schema, (value) => schema["~standard"].validate(value));
}

type Validate = StandardSchemaWithJSON["~standard"]["validate"];

function standard(schema: z.ZodType, validate: Validate): StandardSchemaWithJSON {
  return {
    "~standard": {
      version: 1,
      vendor: "kb",
      validate,
      jsonSchema: { input: () => short(schema, "input"), output: () => short(schema, "output") },
    },
  };
}

const made = { input: new WeakMap<z.ZodType, JsonSchema>(), output: new WeakMap<z.ZodType, JsonSchema>() };

/** The JSON Schema, without what only costs an assistant's attention: bounds of safe integers, patterns of formats. */
function short(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const known = made[io].get(schema);
  if (known !== undefined) return known;
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, override: ({ jsonSchema }) => shorten(jsonSchema) });
  made[io].set(schema, json);
  return json;
}

function shorten(schema: JsonSchema): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.format !== undefined) delete schema.pattern;
}
