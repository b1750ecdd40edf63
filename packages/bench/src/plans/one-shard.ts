import type pg from "pg";
import { z } from "zod";
import { equationsOf } from "./equations.ts";
import type { Sent } from "./explain.ts";
import { insertedRows } from "./inserted-rows.ts";

/** The tables with a `teamId`, by which Citus would distribute them, and its place among the columns. */
export type TeamTables = ReadonlyMap<string, number>;

/** Reads them. */
export async function teamTables(client: pg.Client): Promise<TeamTables> {
  const { rows } = await client.query<{ name: string; place: number }>(
    `SELECT c.relname AS name, a.attnum - 1 AS place FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.attname = 'teamId'`,
  );
  return new Map(rows.map(({ name, place }) => [name, place]));
}

// A plan is a tree of nodes whose fields depend on their kind.
type Node = {
  readonly "Node Type": string;
  readonly "Parent Relationship"?: string | undefined;
  readonly "Subplan Name"?: string | undefined;
  readonly "CTE Name"?: string | undefined;
  readonly "Relation Name"?: string | undefined;
  readonly "Function Call"?: string | undefined;
  readonly Alias?: string | undefined;
  readonly Operation?: string | undefined;
  readonly Output?: readonly string[] | undefined;
  readonly Plans?: readonly Node[] | undefined;
  readonly [condition: string]: unknown;
};
const Node: z.ZodType<Node> = z.looseObject({
  "Node Type": z.string(),
  "Parent Relationship": z.string().optional(),
  "Subplan Name": z.string().optional(),
  "CTE Name": z.string().optional(),
  "Relation Name": z.string().optional(),
  "Function Call": z.string().optional(),
  Alias: z.string().optional(),
  Operation: z.string().optional(),
  Output: z.array(z.string()).optional(),
  get Plans() {
    return z.array(Node).optional();
  },
});
const Explained = z.tuple([z.object({ "QUERY PLAN": z.tuple([z.object({ Plan: Node })]) })]);

const conditions = [
  "Index Cond",
  "Recheck Cond",
  "Filter",
  "Hash Cond",
  "Merge Cond",
  "Join Filter",
  "One-Time Filter",
];

/**
 * Returns why a statement needs more than one shard; an empty list where one answers it. Each table of teams that it reads or
 * writes must be bound by equations to one and the same team, which is a value of the statement. PostgreSQL's own planner says
 * which equations hold: it passes a team on to every table that is joined by it. The statement is planned, not run.
 */
export async function reasonsForManyShards(client: pg.Client, sent: Sent, tables: TeamTables): Promise<string[]> {
  const { rows } = await client.query(`EXPLAIN (GENERIC_PLAN, VERBOSE, FORMAT JSON) ${sent.text}`);
  const [
    {
      "QUERY PLAN": [{ Plan }],
    },
  ] = Explained.parse(rows);
  const nodes = flatten(Plan);
  const bindings = new Bindings();
  for (const node of nodes) {
    for (const name of conditions) {
      const condition = node[name];
      if (typeof condition === "string") for (const equation of equationsOf(condition)) bindings.join(...equation);
    }
  }
  bindDerivedTables(nodes, bindings);
  const places = nodes.flatMap((node) => placesOf(node, sent.text, tables));
  const found = places.map(({ what, team }) => ({ what, teams: teamsOf(bindings.of(team), sent.values) }));
  const unbound = found.filter(({ teams }) => teams.length === 0).map(({ what }) => `${what} of any team`);
  const named = new Set(found.flatMap(({ teams }) => teams));
  return named.size > 1 ? [...unbound, `${named.size} teams`] : unbound;
}

const flatten = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(flatten)];

/** The expressions that must be one team: of each table that a node reads, and of the rows that it inserts. */
function placesOf(node: Node, text: string, tables: TeamTables): { what: string; team: string }[] {
  const table = node["Relation Name"];
  const place = table === undefined ? undefined : tables.get(table);
  if (table === undefined || place === undefined) return [];
  if (node["Node Type"].endsWith("Scan")) return [{ what: `reads ${table}`, team: teamOf(node.Alias) }];
  if (node.Operation !== "Insert") return [];
  const inserted = outputOf(node, place);
  return insertedRows(inserted, text).map((team) => ({ what: `inserts into ${table}`, team }));
}

/** Returns the name of a table's team as PostgreSQL prints it. */
const teamOf = (alias = "?"): string => `${/^[a-z_][a-z0-9_]*$/.test(alias) ? alias : `"${alias}"`}."teamId"`;

/** Returns a column of the rows that an INSERT receives, from below the subquery that may hold its SELECT. */
function outputOf(insert: Node, place: number): string {
  const outer = childrenOf(insert, "Outer")[0];
  const found = outer?.Alias === "*SELECT*" ? childrenOf(outer, "Subquery")[0] : outer;
  return found?.Output?.[place] ?? "?";
}

/** Returns the nodes whose rows a node receives, without those for a value or a name of the statement. */
const childrenOf = (node: Node, relationship: "Outer" | "Subquery" | "Member"): Node[] =>
  (node.Plans ?? []).filter((below) => below["Parent Relationship"] === relationship);

/** Binds the team of each subquery, name and function of a statement to that of the rows which it returns. */
function bindDerivedTables(nodes: readonly Node[], bindings: Bindings): void {
  const derived = nodes.flatMap((node) => {
    const sources = node.Alias === undefined || node["Relation Name"] !== undefined ? [] : sourcesOf(node, nodes);
    return sources.length === 0 ? [] : [{ team: teamOf(node.Alias), sources }];
  });
  // One may be read by the next.
  for (let pass = 0; pass < derived.length; pass += 1) {
    for (const { team, sources } of derived) {
      const [first = "?"] = sources;
      if (sources.every((source) => isValue(bindings.of(source)))) bindings.join(team, first);
    }
  }
}

/** Returns the expressions that become the `teamId` of a subquery, a name (CTE) or a function. */
function sourcesOf(node: Node, nodes: readonly Node[]): string[] {
  const records = /^jsonb_populate_recordset\(NULL::\w+, (\$\d+)\)$/.exec(node["Function Call"] ?? "")?.[1];
  if (records !== undefined) return [`json ${records}`];
  if (node["Node Type"] === "CTE Scan") {
    const named = nodes.find((one) => one["Subplan Name"] === `CTE ${node["CTE Name"]}`);
    return named === undefined ? [] : teamsReturned(named);
  }
  if (node["Node Type"] !== "Subquery Scan") return [];
  return childrenOf(node, "Subquery").flatMap(teamsReturned);
}

/** Returns the columns `teamId` of the rows of a node, one of each branch of a UNION; an unknown one where a branch has none. */
function teamsReturned(node: Node): string[] {
  if (/Append$/.test(node["Node Type"])) return childrenOf(node, "Member").flatMap(teamsReturned);
  return [node.Output?.find((expression) => expression.endsWith('."teamId"')) ?? "?"];
}

/** The values that the conditions of a statement make equal. */
class Bindings {
  readonly #next = new Map<string, string>();

  join(left: string, right: string): void {
    const a = this.of(left);
    const b = this.of(right);
    // Two values stay apart, so that a second team shows.
    if (a === b || (isValue(a) && isValue(b))) return;
    if (isValue(a)) this.#next.set(b, a);
    else this.#next.set(a, b);
  }

  /** Returns what represents everything that equals an expression: a value if there is one. */
  of(expression: string): string {
    const next = this.#next.get(expression);
    return next === undefined ? expression : this.of(next);
  }
}

const isValue = (expression: string): boolean => /^(json )?\$\d+$|^'/.test(expression);

const Records = z.array(z.object({ teamId: z.string() }));

/** Returns the teams that a value names: several for a list of records; none for an expression that is no value. */
function teamsOf(expression: string, values: readonly unknown[]): string[] {
  const [, json, parameter] = /^(json )?\$(\d+)$/.exec(expression) ?? [];
  if (parameter !== undefined) {
    const value = String(values[Number(parameter) - 1]);
    return json === undefined ? [value] : Records.parse(JSON.parse(value)).map(({ teamId }) => teamId);
  }
  const literal = /^'([^']+)'/.exec(expression)?.[1];
  return literal === undefined ? [] : [literal];
}

/** Reads the unique indexes of tables of teams, and the references between them, that do not contain the team. */
export async function rulesAcrossTeams(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `WITH team AS (
       SELECT c.oid, c.relname, a.attnum FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.attname = 'teamId')
     SELECT c.relname AS name FROM pg_index i JOIN team t ON t.oid = i.indrelid JOIN pg_class c ON c.oid = i.indexrelid
      WHERE i.indisunique AND NOT t.attnum = ANY (i.indkey)
     UNION ALL
     SELECT k.conname FROM pg_constraint k JOIN team t ON t.oid = k.conrelid JOIN team o ON o.oid = k.confrelid
      WHERE k.contype = 'f'
        AND NOT EXISTS (SELECT FROM generate_subscripts(k.conkey, 1) n
                         WHERE k.conkey[n] = t.attnum AND k.confkey[n] = o.attnum)
      ORDER BY 1`,
  );
  return rows.map(({ name }) => name);
}
