import { makePassword } from "@kb/auth";
import { admin, invoke, operations, type Service } from "@kb/core";
import { sql } from "@kb/db";
import type { Settings } from "../env.ts";
import { markFinished, markUnfinished, unfinishedEmail } from "./unfinished.ts";
import { writeWelcome } from "./welcome.ts";

/** The credentials of the first start, which are shown once. */
export type FirstStart = {
  readonly email: string;
  readonly password: string;
  /** False if it comes from `KB_ADMIN_PASSWORD` and need not be shown. */
  readonly passwordMadeUp: boolean;
  /** False while people log in by single sign-on only. */
  readonly usable: boolean;
  readonly apiKey: string;
  /** The code for the page `/setup`; null with `KB_ADMIN_PASSWORD`, which sets the team up without it. */
  readonly setupCode: string | null;
};

const keyName = "First start";

/**
 * Sets up an empty installation: a team with MCP on, its admin, an API key and a welcome collection. Returns null if a
 * team exists. Continues a first start that was killed before it showed the credentials, with new ones. The caller shows
 * them and then calls `markFinished`.
 */
export async function firstStart(service: Service, settings: Settings): Promise<FirstStart | null> {
  const password = settings.adminPassword ?? makePassword();
  const email = await prepareAdmin(service, settings, password);
  if (email === null) return null;
  const { teamId, id: userId } = await admin.findUser(service, email);
  await revokeUnseenKeys(service, teamId, userId);
  const { key } = await admin.createApiKey(service, { userEmail: email, scopes: ["read", "write"], name: keyName });
  await writeWelcome(service, await admin.systemActor(service, teamId, userId));
  const passwordMadeUp = settings.adminPassword === undefined;
  const setupCode = passwordMadeUp ? await admin.issueSetupCode(service, email) : null;
  const { passwordLogIn: usable } = settings;
  return { email, password, passwordMadeUp, usable, apiKey: key, setupCode };
}

/** Creates the admin, or takes the one of an interrupted first start; returns the e-mail address, or null if not needed. */
async function prepareAdmin(service: Service, settings: Settings, password: string): Promise<string | null> {
  const { dataDir, adminEmail } = settings;
  const teams = await service.database.beforeTeam.rows(sql`SELECT 1 FROM teams LIMIT 1`);
  if (teams.length === 0) markUnfinished(dataDir, adminEmail);
  const unseen = unfinishedEmail(dataDir);
  if (unseen === null) return null;
  const request = { name: "My team", adminEmail, adminPassword: password, mcpEnabled: true };
  const team = await admin.createFirstTeam(service, request);
  if (team !== null) return team.adminEmail;
  const found = await admin.findUserOrNull(service, unseen);
  if (found === null) {
    // Another process was faster and shows its credentials.
    markFinished(dataDir);
    return null;
  }
  await admin.setPassword(service, found.email, password);
  return found.email;
}

async function revokeUnseenKeys(service: Service, teamId: string, userId: string): Promise<void> {
  const where = { teamId, userId, name: keyName, revokedAt: null };
  const keys = await service.database.client.apiKey.findMany({ where, select: { id: true } });
  const actor = await admin.systemActor(service, teamId, userId);
  for (const { id } of keys) await invoke(service, operations.revokeApiKey, actor, { id });
}
