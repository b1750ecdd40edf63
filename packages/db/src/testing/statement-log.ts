import { appendFileSync } from "node:fs";
import { relative, resolve } from "node:path";

/** A statement that named no team, and the line of ours that sent it. */
export type TeamlessStatement = { readonly text: string; readonly source: string };

const root = resolve(import.meta.dirname, "../../../..");

/** A team given as a value, in a condition or in a row: a join only on `"teamId"` reads all teams. */
const namesTeam = /"teamId"\s*(=\s*(ANY\s*\(\s*)?\(?|IN\s*\()\$\d|\("teamId"|INSERT INTO[^;]*\([^)]*"teamId"/i;

/**
 * Records each statement on a team's table that names no team, once for each line that sends it. `tables` are those with a
 * `teamId`.
 */
export function statementLog(file: string, tables: readonly string[]): (text: string) => void {
  const touchesTeam = new RegExp(
    `\\b(?:from|join|into|update|only)\\s+(?:"public"\\.)?"?(${tables.join("|")})\\b`,
    "i",
  );
  const teamless = new Map<string, boolean>();
  const noted = new Set<string>();
  return (text) => {
    const known = teamless.get(text) ?? (touchesTeam.test(text) && !namesTeam.test(text));
    if (teamless.size < 20_000) teamless.set(text, known);
    if (!known) return;
    const source = senderOf();
    const entry = `${JSON.stringify({ text, source } satisfies TeamlessStatement)}\n`;
    if (noted.has(entry)) return;
    noted.add(entry);
    appendFileSync(file, entry);
  };
}

/** The first frame of ours that is neither the database's own nor this file's. */
function senderOf(): string {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = 100;
  const stack = new Error().stack ?? "";
  Error.stackTraceLimit = limit;
  for (const line of stack.split("\n")) {
    const path = /(?:file:\/\/)?(\/[^():]+\.ts)(?::\d+)?:\d+\)?$/.exec(line.trim())?.[1];
    if (path === undefined || path.includes("/node_modules/")) continue;
    // Mutation testing works on a copy of its package.
    const ours = relative(root, path).replace(/dist\/mutation\/[^/]+\//, "");
    if (!/^(packages\/db\/src\/(?!.*\.test\.)|\.\.)/.test(ours)) return ours;
  }
  return "unknown";
}
