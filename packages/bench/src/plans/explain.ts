import pg from "pg";
import { z } from "zod";

/** One statement as the driver received it. */
export type Sent = { readonly text: string; readonly values: readonly unknown[] };

/** The access of a plan to one table, or to a partition of it. */
export type TableRead = {
  readonly table: string;
  readonly how: string;
  /** The rows that were read, including those that a filter removed. */
  readonly rows: number;
};

// A plan is a tree of nodes whose fields depend on their kind.
type PlanNode = {
  readonly "Node Type": string;
  readonly "Relation Name"?: string | undefined;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number | undefined;
  readonly "Rows Removed by Index Recheck"?: number | undefined;
  readonly Plans?: readonly PlanNode[] | undefined;
};
const PlanNode: z.ZodType<PlanNode> = z.object({
  "Node Type": z.string(),
  "Relation Name": z.string().optional(),
  "Actual Rows": z.number(),
  "Actual Loops": z.number(),
  "Rows Removed by Filter": z.number().optional(),
  "Rows Removed by Index Recheck": z.number().optional(),
  get Plans() {
    return z.array(PlanNode).optional();
  },
});
const Explained = z.tuple([z.object({ "QUERY PLAN": z.tuple([z.object({ Plan: PlanNode })]) })]);

/** The plan modes of PostgreSQL for a prepared statement: for its values, or for any values. */
export type Planning = "force_custom_plan" | "force_generic_plan";

/** Runs a statement as the service prepares it. Returns the rows that it read from each table. */
export async function tableReads(client: pg.Client, { text, values }: Sent, planning: Planning): Promise<TableRead[]> {
  await client.query(`SET plan_cache_mode = ${planning}`);
  await client.query({ text: `PREPARE explained AS ${text}` });
  try {
    const given = values.length === 0 ? "" : `(${values.map(literal).join(", ")})`;
    const { rows } = await client.query(`EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) EXECUTE explained${given}`);
    const [
      {
        "QUERY PLAN": [{ Plan }],
      },
    ] = Explained.parse(rows);
    const parents = await parentsOf(client);
    return readsOf(Plan).map((read) => ({ ...read, table: parents.get(read.table) ?? read.table }));
  } finally {
    await client.query("DEALLOCATE explained");
  }
}

/** Returns the partitioned table of each partition. */
async function parentsOf(client: pg.Client): Promise<ReadonlyMap<string, string>> {
  const { rows } = await client.query<{ name: string; parent: string }>(
    `SELECT c.relname AS name, p.relname AS parent FROM pg_inherits i
      JOIN pg_class c ON c.oid = i.inhrelid AND c.relkind = 'r' JOIN pg_class p ON p.oid = i.inhparent`,
  );
  return new Map(rows.map(({ name, parent }) => [name, parent]));
}

function readsOf(node: PlanNode): TableRead[] {
  const below = (node.Plans ?? []).flatMap(readsOf);
  const table = node["Relation Name"];
  if (table === undefined || !node["Node Type"].endsWith("Scan")) return below;
  const removed = (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0);
  return [{ table, how: node["Node Type"], rows: (node["Actual Rows"] + removed) * node["Actual Loops"] }, ...below];
}

/** Quotes a value as the driver writes it. */
function literal(value: unknown): string {
  if (value === null || value === undefined) return "NULL";
  if (value instanceof Date) return pg.escapeLiteral(value.toISOString());
  if (value instanceof Uint8Array) return `'\\x${Buffer.from(value).toString("hex")}'`;
  if (Array.isArray(value)) return pg.escapeLiteral(`{${value.map(element).join(",")}}`);
  return pg.escapeLiteral(String(value));
}

/** Quotes a value inside the literal of an array. */
const element = (value: unknown): string => `"${String(value).replaceAll(/["\\]/g, "\\$&")}"`;
