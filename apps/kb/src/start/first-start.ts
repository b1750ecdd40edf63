import { makePassword } from "@kb/auth";
import { admin, type Service } from "@kb/core";
import type { Settings } from "../env.ts";
import { writeWelcome } from "./welcome.ts";

/** What the first start made, to be shown once. */
export type FirstStart = {
  readonly email: string;
  readonly password: string;
  /** False when it came from `KB_ADMIN_PASSWORD`: there is no need to show it. */
  readonly passwordMadeUp: boolean;
  readonly apiKey: string;
};

/**
 * Makes what an empty installation needs: a team with MCP on, its admin, an API key and a welcome collection. Null when
 * there is a team already.
 */
export async function firstStart(service: Service, settings: Settings): Promise<FirstStart | null> {
  const password = settings.adminPassword ?? makePassword();
  const team = await admin.createFirstTeam(service, {
    name: "My team",
    adminEmail: settings.adminEmail,
    adminPassword: password,
    mcpEnabled: true,
  });
  if (team === null) return null;
  const email = team.adminEmail;
  const { key } = await admin.createApiKey(service, {
    userEmail: email,
    scopes: ["read", "write"],
    name: "First start",
  });
  await writeWelcome(service, await admin.systemActor(service, team.id, team.adminId));
  return { email, password, passwordMadeUp: settings.adminPassword === undefined, apiKey: key };
}
