import { createHash } from "node:crypto";
import type { Named } from "./round-trip.ts";
import type { Statement } from "./sql.ts";
import { TenantGuardError } from "./tenant-guard.ts";

/** The analysis of an SQL text. */
type Analysis = {
  /** The name of its prepared statement. */
  name: string | undefined;
  /** A tenant table that the text uses without `"teamId"`. */
  unguardedTable: string | null;
};

/** Names SQL texts for preparation and refuses those that use a tenant table without naming the team. */
export type Statements = {
  /** Returns the prepared name of a text; undefined beyond the limit, where texts run unprepared. */
  name(text: string): string | undefined;
  /** Returns a statement with its name. */
  named(statement: Statement): Named;
  /** Returns a statement with its name. @throws {TenantGuardError} for a tenant table without `"teamId"`. */
  guarded(statement: Statement): Named;
};

// Every connection keeps its prepared statements, so this is a limit per connection.
const maxPrepared = 500;
const maxKnown = 2000;

/**
 * Creates the statements of a database. Analyses each text once and prepares a limited number of them: texts composed
 * from input (a list of conditions) could otherwise fill every connection.
 * @param limit the number of statements to prepare; 0 for connections that others use too
 */
export function statementCache(tenantTables: ReadonlySet<string>, limit = maxPrepared): Statements {
  const known = new Map<string, Analysis>();
  const tenantTable = new RegExp(
    `\\b(?:from|join|into|update|only|table|,)\\s+"?(${[...tenantTables].join("|")})\\b`,
    "i",
  );
  let prepared = 0;

  const lookUp = (text: string): Analysis => {
    const found = known.get(text);
    if (found !== undefined) return found;
    if (known.size >= maxKnown) forgetUnprepared(known);
    const unguardedTable = text.includes('"teamId"') ? null : (tenantTable.exec(text)?.[1] ?? null);
    const analysis: Analysis = { name: prepared < limit ? nameOf(text) : undefined, unguardedTable };
    if (analysis.name !== undefined) prepared += 1;
    known.set(text, analysis);
    return analysis;
  };

  const named = (statement: Statement, isGuarded: boolean): Named => {
    // `text` of a composed statement is computed each time that it is read.
    const { text, values, plan, memory } = statement;
    const { name, unguardedTable } = lookUp(text);
    if (isGuarded && unguardedTable !== null) throw new TenantGuardError(`SQL on ${unguardedTable} without "teamId"`);
    return { statement: { text, values, plan, memory }, name };
  };

  return {
    name: (text) => lookUp(text).name,
    named: (statement) => named(statement, false),
    guarded: (statement) => named(statement, true),
  };
}

function nameOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}

function forgetUnprepared(known: Map<string, Analysis>): void {
  for (const [text, { name }] of known) if (name === undefined) known.delete(text);
}
