import { makePassword } from "@kb/auth";
import { admin, invoke, operations, type Service } from "@kb/core";
import type { Settings } from "../env.ts";
import { markFinished, markUnfinished, unfinishedEmail } from "./unfinished.ts";
import { writeWelcome } from "./welcome.ts";

/** What the first start made, to be shown once. */
export type FirstStart = {
  readonly email: string;
  readonly password: string;
  /** False when it came from `KB_ADMIN_PASSWORD`: there is no need to show it. */
  readonly passwordMadeUp: boolean;
  readonly apiKey: string;
};

const keyName = "First start";

/**
 * Makes what an empty installation needs: a team with MCP on, its admin, an API key and a welcome collection. Null when
 * there is a team already. One that was killed before it showed the credentials is taken up again, with new ones. Whoever
 * has shown them says `markFinished`.
 */
export async function firstStart(service: Service, settings: Settings): Promise<FirstStart | null> {
  const password = settings.adminPassword ?? makePassword();
  const email = await adminOf(service, settings, password);
  if (email === null) return null;
  const { teamId, id: userId } = await admin.findUser(service, email);
  await forgetUnseenKeys(service, teamId, userId);
  const { key } = await admin.createApiKey(service, { userEmail: email, scopes: ["read", "write"], name: keyName });
  await writeWelcome(service, await admin.systemActor(service, teamId, userId));
  return { email, password, passwordMadeUp: settings.adminPassword === undefined, apiKey: key };
}

/** The e-mail address of the admin whom this start makes, or whom one before it made and nobody heard of. */
async function adminOf(service: Service, settings: Settings, password: string): Promise<string | null> {
  const { dataDir, adminEmail } = settings;
  if ((await service.database.client.team.count()) === 0) markUnfinished(dataDir, adminEmail);
  const unseen = unfinishedEmail(dataDir);
  if (unseen === null) return null;
  const request = { name: "My team", adminEmail, adminPassword: password, mcpEnabled: true };
  const team = await admin.createFirstTeam(service, request);
  if (team !== null) return team.adminEmail;
  const found = await admin.findUserOrNull(service, unseen);
  if (found === null) {
    // Another process was faster, and shows its own.
    markFinished(dataDir);
    return null;
  }
  await admin.setPassword(service, found.email, password);
  return found.email;
}

async function forgetUnseenKeys(service: Service, teamId: string, userId: string): Promise<void> {
  const where = { teamId, userId, name: keyName, revokedAt: null };
  const keys = await service.database.client.apiKey.findMany({ where, select: { id: true } });
  const actor = await admin.systemActor(service, teamId, userId);
  for (const { id } of keys) await invoke(service, operations.revokeApiKey, actor, { id });
}
