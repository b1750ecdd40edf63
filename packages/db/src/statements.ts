import { createHash } from "node:crypto";
import { TenantGuardError } from "./guard.ts";

/** What is known of one SQL text. */
type Statement = {
  /** The name under which connections keep it prepared. */
  name: string | undefined;
  /** A table of the teams that the text touches without ever saying `"teamId"`. */
  unguardedTable: string | null;
};

/** Gives SQL texts their prepared names, and refuses those that touch a team's table without naming the team. */
export type Statements = {
  /** The prepared name of a text; undefined for texts beyond the bound, which run unprepared. */
  name(text: string): string | undefined;
  /** Throws a `TenantGuardError` for a text that touches a team's table and never says `"teamId"`. */
  guard(text: string): void;
};

// Every connection keeps what was prepared on it: the bound is what one connection may hold.
const maxPrepared = 500;
const maxKnown = 2000;

/**
 * The statements of one database. A text is analysed once; only texts of bounded number are prepared, since a text
 * composed from its input (a list of conditions) could otherwise fill every connection.
 */
export function statementCache(tenantTables: ReadonlySet<string>): Statements {
  const known = new Map<string, Statement>();
  const tenantTable = new RegExp(
    `\\b(?:from|join|into|update|only|table|,)\\s+"?(${[...tenantTables].join("|")})\\b`,
    "i",
  );
  let prepared = 0;

  const lookUp = (text: string): Statement => {
    const found = known.get(text);
    if (found !== undefined) return found;
    if (known.size >= maxKnown) forgetUnprepared(known);
    const unguardedTable = text.includes('"teamId"') ? null : (tenantTable.exec(text)?.[1] ?? null);
    const statement: Statement = { name: prepared < maxPrepared ? nameOf(text) : undefined, unguardedTable };
    if (statement.name !== undefined) prepared += 1;
    known.set(text, statement);
    return statement;
  };

  return {
    name: (text) => lookUp(text).name,
    guard: (text) => {
      const table = lookUp(text).unguardedTable;
      if (table !== null) throw new TenantGuardError(`SQL on ${table} without "teamId"`);
    },
  };
}

function nameOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url").slice(0, 22);
}

function forgetUnprepared(known: Map<string, Statement>): void {
  for (const [text, { name }] of known) if (name === undefined) known.delete(text);
}
