import type { StandardSchemaWithJSON } from "@modelcontextprotocol/server";
import { z } from "zod";

type JsonSchema = Record<string, unknown>;

/**
 * Returns the input schema for the SDK. Clients see the whole strict schema, but only the tool parses the call, so that
 * errors have the codes and messages of the service.
 */
export function unparsedInput(schema: z.ZodType): StandardSchemaWithJSON {
  return standard(schema, (value) => ({ value }));
}

/** Returns the output schema for the SDK, which validates the answers of the tool against it. */
export function validatedOutput(schema: z.ZodType): StandardSchemaWithJSON {
  return standard(schema, (value) => schema["~standard"].validate(value));
}

type Validate = StandardSchemaWithJSON["~standard"]["validate"];

function standard(schema: z.ZodType, validate: Validate): StandardSchemaWithJSON {
  return {
    "~standard": {
      version: 1,
      vendor: "kb",
      validate,
      jsonSchema: { input: () => compactSchema(schema, "input"), output: () => compactSchema(schema, "output") },
    },
  };
}

const cache = { input: new WeakMap<z.ZodType, JsonSchema>(), output: new WeakMap<z.ZodType, JsonSchema>() };

/**
 * Returns the JSON Schema without what only costs tokens: bounds of safe integers, patterns of formats, and in answers, whose
 * values the service writes itself, formats and the statements that there are no other fields and which are always there.
 */
function compactSchema(schema: z.ZodType, io: "input" | "output"): JsonSchema {
  const known = cache[io].get(schema);
  if (known !== undefined) return known;
  const { $schema: _, ...json } = z.toJSONSchema(schema, { io, override: ({ jsonSchema }) => compact(jsonSchema, io) });
  cache[io].set(schema, json);
  return json;
}

function compact(schema: JsonSchema, io: "input" | "output"): void {
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.format !== undefined) delete schema.pattern;
  if (io === "input") return;
  delete schema.required;
  delete schema.format;
  delete schema.additionalProperties;
}
