import { isDeepStrictEqual } from "node:util";
import type { JsonSchema } from "../fields.ts";

/** Collects the named schemas of all rows under `#/components/schemas`. */
export type Components = {
  readonly schemas: Record<string, JsonSchema>;
  /** Moves the definitions of a schema into the components and returns the rest. */
  lift(schema: JsonSchema): JsonSchema;
};

/** Creates a collection. `lift` throws for two different schemas with the same name, which is a defect. */
export function createComponents(initial: Readonly<Record<string, JsonSchema>>): Components {
  const schemas: Record<string, JsonSchema> = { ...initial };
  const add = (name: string, schema: JsonSchema): void => {
    if (name in schemas && !isDeepStrictEqual(schemas[name], schema)) {
      throw new Error(`two different schemas are named ${name}`);
    }
    schemas[name] = schema;
  };
  const lift = (schema: JsonSchema): JsonSchema => {
    const { $defs, $schema: _dialect, ...rest } = schema;
    for (const [name, definition] of Object.entries($defs ?? {})) {
      const { id: _id, ...plain } = typeof definition === "boolean" ? {} : definition;
      const lifted = plainSchema(plain);
      add(name, lifted);
    }
    const { id, ...plain } = rest;
    const lifted = plainSchema(plain);
    if (typeof id !== "string") return lifted;
    add(id, lifted);
    return { $ref: `#/components/schemas/${id}` };
  };
  return { schemas, lift };
}

/** Points `#/$defs/Name` at the components, and removes the pattern of a standard format. Keeps the shape, hence the cast. */
export function plainSchema<T>(value: T): T {
  return rewrite(value, undefined) as T;
}

const standardFormats: ReadonlySet<unknown> = new Set(["uuid", "date-time", "email"]);

function rewrite(value: unknown, key: string | undefined): unknown {
  if (typeof value === "string") {
    return key === "$ref" ? value.replace("#/$defs/", "#/components/schemas/") : value;
  }
  if (Array.isArray(value)) return value.map((item) => rewrite(item, undefined));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, part]) => [name, rewrite(part, name)] as const);
  const isStandard = standardFormats.has(Reflect.get(value, "format"));
  return Object.fromEntries(isStandard ? entries.filter(([name]) => name !== "pattern") : entries);
}
