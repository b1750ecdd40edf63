import type pg from "pg";
import type { TableRead } from "./explain.ts";

/** Reads the names of the tables with a `teamId`, by which Citus would distribute them. */
export async function tablesByTeam(client: pg.Client): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<{ name: string }>(
    `SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
      WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.attname = 'teamId'`,
  );
  return new Set(rows.map(({ name }) => name));
}

/**
 * Returns the reads that need every shard: of a table of teams, without an equation of its `teamId`. PostgreSQL passes a team on
 * to every table that is joined by it, so each read shows the equation in its own conditions.
 */
export function readsOfAllShards(reads: readonly TableRead[], byTeam: ReadonlySet<string>): TableRead[] {
  return reads.filter(
    ({ table, conditions }) => byTeam.has(table) && !conditions.flatMap(requiredParts).some(namesOneTeam),
  );
}

/** An equation of the team with a value, a parameter, or the team of a row that was read before; not with a list of teams. */
const namesOneTeam = (part: string): boolean =>
  /^(\w+\.)?"teamId" = (?!ANY\b)\S+$/.test(part) || /^\S+ = (\w+\.)?"teamId"$/.test(part);

/** Splits a printed condition into the parts that a row must meet all. */
function requiredParts(condition: string): string[] {
  const inner = withoutParentheses(condition);
  const parts = splitOutside(inner, " AND ");
  return parts.length === 1 ? [inner] : parts.flatMap(requiredParts);
}

function withoutParentheses(text: string): string {
  return text.startsWith("(") && endOfGroup(text, 0) === text.length - 1 ? withoutParentheses(text.slice(1, -1)) : text;
}

/** Returns the places of `separator` that stand in no parentheses and no quotes, as the parts between them. */
function splitOutside(text: string, separator: string): string[] {
  const parts: string[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    at = endOfGroup(text, at);
    if (!text.startsWith(separator, at)) continue;
    parts.push(text.slice(start, at));
    start = at + separator.length;
  }
  return [...parts, text.slice(start)];
}

/** Returns the end of the parentheses or quotes that begin at `start`, or `start`. */
function endOfGroup(text: string, start: number): number {
  const first = text[start];
  if (first === "'" || first === '"') return text.indexOf(first, start + 1);
  if (first !== "(") return start;
  let at = start + 1;
  while (at < text.length && text[at] !== ")") at = endOfGroup(text, at) + 1;
  return at;
}

/** A rule of the database that holds for the rows of several teams together. */
export type RuleAcrossTeams = { readonly table: string; readonly name: string };

/** Reads the unique indexes of tables of teams, and the references between them, that do not contain the team. */
export async function rulesAcrossTeams(client: pg.Client): Promise<RuleAcrossTeams[]> {
  const { rows } = await client.query<RuleAcrossTeams>(
    `WITH team AS (
       SELECT c.oid, c.relname, a.attnum FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.attname = 'teamId')
     SELECT t.relname AS "table", i.indexrelid::regclass::text AS name FROM pg_index i JOIN team t ON t.oid = i.indrelid
      WHERE i.indisunique AND NOT t.attnum = ANY (i.indkey)
     UNION ALL
     SELECT t.relname, k.conname FROM pg_constraint k JOIN team t ON t.oid = k.conrelid JOIN team o ON o.oid = k.confrelid
      WHERE k.contype = 'f'
        AND NOT EXISTS (SELECT FROM generate_subscripts(k.conkey, 1) n
                         WHERE k.conkey[n] = t.attnum AND k.confkey[n] = o.attnum)
      ORDER BY 1, 2`,
  );
  return rows;
}
