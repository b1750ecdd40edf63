/** The verb and the table of a statement, for telemetry. */
export type Named = {
  /** `SELECT documents`. */
  readonly summary: string;
  readonly labels: {
    readonly "db.system.name": "postgresql";
    readonly "db.operation.name": string;
    readonly "db.collection.name"?: string;
  };
};

/** Bounds of the cache of texts and of the tables in labels, whatever statements run. */
const maxKnown = 2_000;
const maxTables = 200;

const verb = /(?:^|\s)(select|insert|update|delete|begin|commit|rollback|savepoint|release|set|lock)\b/i;
const table = /\b(?:from|into|update|join)\s+(?:only\s+)?(?:"?public"?\s*\.\s*)?"?([a-z][a-z0-9_]*)"?/i;

/** Returns the verb of a text and its first table, ignoring parentheses: conditions, columns, queries of `WITH`. */
function partsOf(text: string): readonly [verb: string, table: string | undefined] {
  const outside = withoutParentheses(text);
  return [verb.exec(outside)?.[1]?.toUpperCase() ?? "OTHER", table.exec(outside)?.[1]?.toLowerCase()];
}

function withoutParentheses(text: string): string {
  let depth = 0;
  let outside = "";
  for (const character of text) {
    if (character === "(") depth += 1;
    if (depth === 0) outside += character;
    if (character === ")") depth = Math.max(0, depth - 1);
  }
  return outside;
}

/** Returns a function that names statements by their texts, never by their values. */
export function statementNames(): (config: unknown) => Named {
  const known = new Map<string, Named>();
  const tables = new Set<string>();
  const read = (text: string): Named => {
    const [operation, found] = partsOf(text);
    if (found !== undefined && tables.size < maxTables) tables.add(found);
    const collection = found !== undefined && tables.has(found) ? found : undefined;
    return {
      summary: collection === undefined ? operation : `${operation} ${collection}`,
      labels: {
        "db.system.name": "postgresql",
        "db.operation.name": operation,
        ...(collection === undefined ? {} : { "db.collection.name": collection }),
      },
    };
  };
  return (config) => {
    const text = textOf(config);
    const found = known.get(text);
    if (found !== undefined) return found;
    if (known.size >= maxKnown) known.clear();
    const named = read(text);
    known.set(text, named);
    return named;
  };
}

/** Returns the text of a statement in any of the driver's forms. */
export function textOf(config: unknown): string {
  if (typeof config === "string") return config;
  const text = typeof config === "object" && config !== null ? Reflect.get(config, "text") : undefined;
  return typeof text === "string" ? text : "";
}
