import { existsSync, readFileSync } from "node:fs";
import type { TeamlessStatement } from "./statement-log.ts";

/**
 * Where a statement on the tables of teams may name no team, and why. Everything else that the service sends during the
 * tests has to name one.
 */
const allowed: Readonly<Record<string, string>> = {};

/** Tests set their scenes and look at what came of it, in all teams at once if they like. */
const isTest = (source: string): boolean => /\.test\.ts$|(^|\/)test\/|^packages\/(testing|bench)\//.test(source);

/** The statements that were noted. */
export function readStatements(file: string): TeamlessStatement[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").trim().split("\n");
  return lines.map((line) => asStatement(JSON.parse(line)));
}

/** The file was written by `statementLog`. */
function asStatement(value: object): TeamlessStatement {
  return value as TeamlessStatement;
}

/** @throws {Error} that lists the statements of the service that should have named a team */
export function requireTeams(statements: readonly TeamlessStatement[]): void {
  const found = statements.filter(({ source }) => !isTest(source) && allowed[source] === undefined);
  if (found.length === 0) return;
  const shown = found.map(({ source, text }) => `${source}: ${text.replaceAll(/\s+/g, " ").slice(0, 300)}`);
  throw new Error(`statements on the tables of teams that name no team:\n${[...new Set(shown)].join("\n")}`);
}
