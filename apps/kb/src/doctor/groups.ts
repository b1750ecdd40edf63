import { type Database, sql } from "@kb/db";
import type { Settings } from "../env.ts";
import { type Finding, ok, warn } from "./finding.ts";

/** Checks whether the groups exist that the single sign-on puts people into; nothing if it puts them into none. */
export async function groupFindings(database: Database, { singleSignOn }: Settings): Promise<Finding[]> {
  const joined = singleSignOn?.createUsersIn;
  const mapped = [...(singleSignOn?.groups?.byValue.values() ?? [])].flat();
  if (joined === undefined && mapped.length === 0) return [];
  const rows = await database.beforeTeam.rows<{ teamId: string; name: string }>(
    sql`SELECT "teamId", lower(name) AS name FROM groups`,
  );
  const teams = new Set(rows.map(({ teamId }) => teamId)).size;
  const names = new Set(rows.map(({ name }) => name));
  if (joined !== undefined && teams > 1) {
    return [warn("sso groups", "OIDC_CREATE_USERS adds nobody while there are several teams: invite people instead.")];
  }
  const unknown = (wanted: readonly string[]): string[] => [
    ...new Set(wanted.filter((name) => !names.has(name.trim().toLowerCase()))),
  ];
  const problems = [
    ...problemOf("OIDC_CREATE_USERS", unknown(joined === undefined ? [] : [joined])),
    ...problemOf("OIDC_GROUPS_MAP", unknown(mapped)),
  ];
  if (problems.length === 0)
    return [ok("sso groups", `${new Set(mapped).size} follow the single sign-on, and all exist`)];
  return [warn("sso groups", `${problems.join("; ")}: create them in Settings > Groups, or correct the variable.`)];
}

const problemOf = (variable: string, unknown: readonly string[]): string[] =>
  unknown.length === 0 ? [] : [`no team has the groups of ${variable} named ${unknown.join(", ")}`];
