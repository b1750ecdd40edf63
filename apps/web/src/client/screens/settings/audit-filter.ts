import type { InputOf } from "../../api/contract.ts";
import type { SettingsParameters } from "./settings-parameters.ts";

/** The outcomes of an entry. */
export const outcomes = ["success", "denied", "not_found", "failed"] as const;

type AuditFilter = Pick<InputOf<"audit.list">, "action" | "userId" | "outcome" | "since" | "until">;

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const dayMs = 86_400_000;

/** Returns the filter of the audit log that an address names. `until` includes its day; what makes no sense is left out. */
export function auditFilter({ action, user, outcome, since, until }: SettingsParameters): AuditFilter {
  return {
    action,
    userId: user !== undefined && uuid.test(user) ? user : undefined,
    outcome: outcomes.find((each) => each === outcome),
    since: startOf(since, 0),
    until: startOf(until, dayMs),
  };
}

/** Returns the beginning of a day such as 2026-11-23 (UTC), moved by some time; undefined for anything else. */
function startOf(day: string | undefined, plusMs: number): string | undefined {
  if (day === undefined || !/^\d{4}-\d{2}-\d{2}$/.test(day)) return undefined;
  const time = Date.parse(`${day}T00:00:00Z`);
  return Number.isNaN(time) ? undefined : new Date(time + plusMs).toISOString();
}
