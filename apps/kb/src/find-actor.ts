import type { Actor } from "@kb/auth";
import type { Service } from "@kb/core";
import * as admin from "@kb/core/admin";

/** Options that name the user for whom a command runs. */
export type ActorOptions = { readonly user?: string; readonly team?: string };

/** Finds the named user, else the first admin of the team. */
export async function findActor(service: Service, { user, team }: ActorOptions): Promise<Actor> {
  if (user === undefined) return admin.systemActor(service, (await admin.findTeam(service, team)).id);
  const { teamId, id } = await admin.findUser(service, user);
  return admin.systemActor(service, teamId, id);
}
