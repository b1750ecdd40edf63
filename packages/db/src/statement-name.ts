/** What is told of a statement: what it does, and to which table. */
export type Named = {
  /** `SELECT documents`. */
  readonly summary: string;
  readonly labels: {
    readonly "db.system.name": "postgresql";
    readonly "db.operation.name": string;
    readonly "db.collection.name"?: string;
  };
};

/** Texts that are remembered, and tables that are told apart: the number of labels is bounded whatever is asked. */
const maxKnown = 2_000;
const maxTables = 200;

const operations: ReadonlySet<string> = new Set([
  ...["SELECT", "INSERT", "UPDATE", "DELETE"],
  ...["BEGIN", "COMMIT", "ROLLBACK", "SAVEPOINT", "RELEASE", "SET", "LOCK"],
]);

/** The main verb: what a `WITH` prepares is for the last statement in it, and changes are what it is about. */
const verb = /^\s*([a-z]+)/i;
const verbInside = /\)\s*(SELECT|INSERT|UPDATE|DELETE)\b/gi;
const table = /\b(?:from|into|update|join)\s+(?:only\s+)?(?:"?public"?\s*\.\s*)?"?([a-z][a-z0-9_]*)"?/i;

/** Names statements by their texts; never by a value in them. */
export function statementNames(): (config: unknown) => Named {
  const known = new Map<string, Named>();
  const tables = new Set<string>();
  const read = (text: string): Named => {
    const first = verb.exec(text)?.[1]?.toUpperCase() ?? "";
    const main = first === "WITH" ? ([...text.matchAll(verbInside)].at(-1)?.[1]?.toUpperCase() ?? "SELECT") : first;
    const operation = operations.has(main) ? main : "OTHER";
    const found = table.exec(text)?.[1]?.toLowerCase();
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

/** The text of a statement in the driver's forms. */
export function textOf(config: unknown): string {
  if (typeof config === "string") return config;
  const text = typeof config === "object" && config !== null ? Reflect.get(config, "text") : undefined;
  return typeof text === "string" ? text : "";
}
