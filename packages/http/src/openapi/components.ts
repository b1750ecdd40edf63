import { isDeepStrictEqual } from "node:util";
import type { JsonSchema } from "../fields.ts";

/** Collects the named schemas of all rows under `#/components/schemas`. */
export type Components = {
  readonly schemas: Record<string, JsonSchema>;
  /** The schema with its own definitions moved into the components. */
  lift(schema: JsonSchema): JsonSchema;
};

/** An empty collection. Two different schemas of one name are a defect: `lift` throws. */
export function createComponents(initial: Readonly<Record<string, JsonSchema>>): Components {
  const schemas: Record<string, JsonSchema> = { ...initial };
  const lift = (schema: JsonSchema): JsonSchema => {
    const { $defs, $schema: _dialect, ...rest } = schema;
    for (const [name, definition] of Object.entries($defs ?? {})) {
      const { id: _id, ...plain } = typeof definition === "boolean" ? {} : definition;
      const lifted = plainSchema(plain);
      if (name in schemas && !isDeepStrictEqual(schemas[name], lifted)) {
        throw new Error(`two different schemas are named ${name}`);
      }
      schemas[name] = lifted;
    }
    const { id, ...plain } = rest;
    const lifted = plainSchema(plain);
    if (typeof id !== "string") return lifted;
    if (id in schemas && !isDeepStrictEqual(schemas[id], lifted))
      throw new Error(`two different schemas are named ${id}`);
    schemas[id] = lifted;
    return { $ref: `#/components/schemas/${id}` };
  };
  return { schemas, lift };
}

/** Points `#/$defs/Name` at the components; the pattern of a format that says it all is left out. Keeps the shape. */
export function plainSchema<T>(value: T): T {
  return rewrite(value, undefined) as T;
}

const selfExplaining: ReadonlySet<unknown> = new Set(["uuid", "date-time", "email"]);

function rewrite(value: unknown, key: string | undefined): unknown {
  if (typeof value === "string") {
    return key === "$ref" ? value.replace("#/$defs/", "#/components/schemas/") : value;
  }
  if (Array.isArray(value)) return value.map((item) => rewrite(item, undefined));
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, part]) => [name, rewrite(part, name)] as const);
  const known = selfExplaining.has(Reflect.get(value, "format"));
  return Object.fromEntries(known ? entries.filter(([name]) => name !== "pattern") : entries);
}
